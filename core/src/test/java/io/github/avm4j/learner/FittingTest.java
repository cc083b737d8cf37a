// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.testing.Streams;
import java.util.List;
import org.junit.jupiter.api.Test;

class FittingTest {
  /** Two features that decide, eight that do not. */
  private static AutoLearner learned(
      double decide, double distract, ScalingMode mode, double gamma) {
    AutoLearner learner =
        Avm.classifier().estimation(400).scaling(mode).gamma(gamma).cells(0).build();
    for (double[] x : Streams.uniform(1, 400, 10, -0.5, 0.5)) {
      for (int j = 0; j < x.length; j++) {
        x[j] *= j < 2 ? decide : distract;
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
      List<double[]> rows = Streams.uniform(3, 400, 2);
      rows.get(120)[0] = wild;
      for (double[] x : rows) {
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
