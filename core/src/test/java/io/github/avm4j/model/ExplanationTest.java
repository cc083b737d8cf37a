// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.testing.Streams;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ExplanationTest {
  private static Model learned(int classes) {
    return learned(classes, 0);
  }

  private static Model learned(int classes, double gamma) {
    Learner learner =
        classes == 0
            ? Avm.regressor().features(2).budget(30).gamma(gamma).build()
            : Avm.classifier().features(2).budget(30).gamma(gamma).build();
    for (double[] x : Streams.gaussian(5, 3000, 2)) {
      double size = Math.floor(Math.abs(x[0] + x[1]));
      learner.learn(x, classes == 0 ? 10 + x[0] * x[1] : Math.min(classes - 1, size));
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
        assertEquals(part.contribution(), part.weight() * (part.score() - why.intercept()), 1e-9);
      }
      assertEquals(5, why.parts().size());
      assertEquals(model.score(x), sum, 1e-9 * Math.max(1, Math.abs(sum)));
      assertEquals(model.predict(x), why.prediction(), 1e-9);
    }
  }

  @Test
  void sharesAreOfTheWholeAndLargestFirst() {
    Model model = learned(2);
    Explanation why = Explanation.of(model, FeatureVector.dense(1, 1), model.size());
    assertEquals(0, why.rest(), 1e-3 * Math.abs(why.score()), "the core points span the model");
    double shares = 0;
    double last = 1;
    for (Explanation.Part part : why.parts()) {
      assertTrue(part.share() <= last);
      last = part.share();
      shares += part.share();
      assertEquals(part.score() > 0 ? model.label(1) : model.label(0), part.prediction());
    }
    assertEquals(1, shares, 1e-12);
  }

  /** An example is explained by itself, if no other is as good as equal to it. */
  @Test
  void aCorePointIsItsOwnExplanation() {
    Model model = learned(0, 2);
    FeatureVector c = unscaled(model, 3);
    Explanation.Part self = Explanation.of(model, c, 1).parts().get(0);
    assertEquals(3, self.point());
    assertEquals(1, self.similarity(), 1e-9);
    assertEquals(1, self.weight(), 1e-3);
    assertEquals(1, self.share(), 1e-2);
    assertEquals(model.predict(c), self.score(), 1e-6);
    assertTrue(Double.isNaN(self.prediction()));
  }

  private static FeatureVector unscaled(Model model, int point) {
    FeatureVector c = model.corePoint(point).copy();
    for (int j = 0; j < c.count(); j++) {
      c.values()[j] = model.scaling().invert(j, c.values()[j]);
    }
    return c;
  }

  /**
   * What the listed examples say agrees with the answer. The summands of the expansion itself fail
   * here: they cancel, so that the ten largest say nothing.
   */
  @Test
  void theLargestPartsSpeakForTheAnswer() {
    Learner learner = Avm.classifier().features(4).build();
    Random random = new Random(7);
    for (int t = 0; t < 8000; t++) {
      learner.learn(draw(random), random.nextInt(10) == 0 ? random.nextInt(2) : sign());
    }
    Model model = learner.snapshot();
    int agree = 0;
    double cancelled = 0;
    for (int r = 0; r < 200; r++) {
      Explanation why = Explanation.of(model, draw(random), 10);
      double listed = why.parts().stream().mapToDouble(Explanation.Part::contribution).sum();
      agree += listed * why.score() > 0 ? 1 : 0;
      Explanation.Part first = why.parts().get(0);
      cancelled += Math.abs(first.contribution()) / first.share() / Math.abs(why.score()) / 200;
    }
    assertTrue(agree >= 180, agree + " of 200");
    assertTrue(cancelled < 100, "magnitudes are " + cancelled + " times the score");
  }

  private final double[] last = new double[4];

  private FeatureVector draw(Random random) {
    for (int j = 0; j < 4; j++) {
      last[j] = random.nextGaussian();
    }
    return FeatureVector.dense(last.clone());
  }

  private double sign() {
    return last[0] * last[1] + last[2] > 0 ? 1 : 0;
  }

  /** Of many core points the most similar are combined; the identity holds all the same. */
  @Test
  void largeModelsAreExplainedByTheNearest() {
    Learner learner =
        Avm.paperRegressor().features(2).gamma(4).delta(0.05).lambda(1e-3).budget(600).build();
    for (double[] x : Streams.uniform(9, 5000, 2)) {
      learner.learn(x, Math.sin(6 * x[0]) + x[1]);
    }
    Model model = learner.snapshot();
    assertTrue(model.size() > Explanation.MOST_COMBINED, "has " + model.size());
    FeatureVector x = FeatureVector.dense(0.4, 0.6);
    Explanation why = Explanation.of(model, x, model.size());
    assertEquals(Explanation.MOST_COMBINED, why.parts().size());
    double sum = why.parts().stream().mapToDouble(Explanation.Part::contribution).sum();
    assertEquals(model.score(x), why.intercept() + sum + why.rest(), 1e-9);
    assertEquals(0, why.rest(), 0.01, "the nearest say nearly all of it");
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
