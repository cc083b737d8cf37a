// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.Learner;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ExplanationTest {
  private static Model learned(int classes) {
    Learner learner =
        classes == 0
            ? Avm.regressor().features(2).budget(30).build()
            : Avm.classifier().features(2).budget(30).build();
    Random random = new Random(5);
    for (int t = 0; t < 3000; t++) {
      double a = random.nextGaussian();
      double b = random.nextGaussian();
      double y = classes == 0 ? 10 + a * b : Math.min(classes - 1, Math.floor(Math.abs(a + b)));
      learner.learn(FeatureVector.dense(a, b), y);
    }
    assertTrue(learner.size() > 5);
    return learner.snapshot();
  }

  @Test
  void summandsAddUpToTheScoreWhateverTheTask() {
    for (int classes : new int[] {0, 2, 4}) {
      Model model = learned(classes);
      FeatureVector x = FeatureVector.dense(0.3, -0.8);
      Explanation why = Explanation.of(model, x, 5);
      double sum = why.intercept() + why.rest();
      for (Explanation.Part part : why.parts()) {
        sum += part.contribution();
        assertEquals(part.contribution(), part.coefficient() * part.similarity(), 1e-12);
      }
      assertEquals(5, why.parts().size());
      assertEquals(model.score(x), sum, 1e-9 * Math.max(1, Math.abs(sum)));
      assertEquals(model.predict(x), why.answer(), 1e-9);
    }
  }

  @Test
  void sharesAreOfTheWholeAndLargestFirst() {
    Model model = learned(2);
    Explanation why = Explanation.of(model, FeatureVector.dense(1, 1), model.size());
    assertEquals(0, why.rest());
    double shares = 0;
    double last = 1;
    for (Explanation.Part part : why.parts()) {
      assertTrue(part.share() <= last);
      last = part.share();
      shares += part.share();
      assertEquals(part.coefficient() > 0 ? model.label(1) : model.label(0), part.label());
    }
    assertEquals(1, shares, 1e-12);
  }

  @Test
  void aCorePointIsMostSimilarToItself() {
    Model model = learned(0);
    FeatureVector c = model.corePoint(3).copy();
    for (int j = 0; j < 2; j++) {
      c.values()[j] = model.scaling().invert(j, c.values()[j]);
    }
    Explanation why = Explanation.of(model, c, model.size());
    Explanation.Part self =
        why.parts().stream().filter(part -> part.point() == 3).findFirst().orElseThrow();
    assertEquals(1, self.similarity(), 1e-9);
    assertTrue(Double.isNaN(self.label()));
  }

  @Test
  void badArgumentsAreRefused() {
    Model model = learned(2);
    FeatureVector x = FeatureVector.dense(1, 1);
    assertThrows(IllegalArgumentException.class, () -> Explanation.of(model, x, -1));
    FeatureVector wrong = FeatureVector.dense(1);
    assertThrows(IllegalArgumentException.class, () -> Explanation.of(model, wrong, 1));
  }
}
