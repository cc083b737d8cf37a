// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.feature.ScalingMode;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FittingTest {
  /** Two features that decide, eight that do not. */
  private static AutoLearner learned(
      double decide, double distract, ScalingMode mode, double gamma) {
    AutoLearner learner =
        Avm.classifier().estimation(400).scaling(mode).gamma(gamma).cells(0).build();
    SplittableRandom random = new SplittableRandom(1);
    for (int t = 0; t < 400; t++) {
      double[] x = new double[10];
      for (int j = 0; j < x.length; j++) {
        x[j] = (j < 2 ? decide : distract) * (random.nextDouble() - 0.5);
      }
      learner.learn(FeatureVector.dense(x), x[0] * x[1] > 0 ? 1 : 0);
    }
    return learner;
  }

  @Test
  void featuresThatShareAUnitAreNotDividedByTheirSpread() {
    Scaling found = learned(10, 1, ScalingMode.AUTOMATIC, 0).scaling();
    double wide = found.apply(0, 1) - found.apply(0, 0);
    double narrow = found.apply(2, 1) - found.apply(2, 0);
    assertTrue(wide >= narrow, wide + " against " + narrow);
  }

  @Test
  void featuresThatDoNotAreScaled() {
    assertFalse(learned(1, 100, ScalingMode.AUTOMATIC, 0).scaling().isIdentity());
  }

  /** Scaled, one wild value does no harm; as it is, it would drown all others. */
  @Test
  void aWildValueInTheEstimationPeriodDoesNoHarm() {
    for (double wild : new double[] {1e20, 1e149, 1e150}) {
      AutoLearner learner = Avm.classifier().estimation(200).build();
      SplittableRandom random = new SplittableRandom(3);
      for (int t = 0; t < 400; t++) {
        double[] x = {t == 120 ? wild : random.nextDouble(), random.nextDouble()};
        learner.learn(FeatureVector.dense(x), x[0] > x[1] ? 1 : 0);
      }
      assertEquals(400, learner.instances(), "with " + wild);
      assertFalse(learner.scaling().isIdentity(), "with " + wild);
    }
  }

  /** A γ that was told is one for scaled features, and a told scaling is kept to. */
  @Test
  void whatWasToldIsKeptTo() {
    assertFalse(learned(10, 1, ScalingMode.AUTOMATIC, 0.1).scaling().isIdentity());
    assertFalse(learned(10, 1, ScalingMode.STANDARD, 0).scaling().isIdentity());
    assertTrue(learned(1, 100, ScalingMode.NONE, 0).scaling().isIdentity());
    assertEquals(400, learned(10, 1, ScalingMode.AUTOMATIC, 0).instances());
  }
}
