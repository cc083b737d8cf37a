// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.anomaly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.paper.SplitMix64;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Spreads against sorting. */
class SpreadsTest {
  @Test
  void selectsAsSortingDoes() {
    Random random = new Random(1);
    for (int round = 0; round < 2000; round++) {
      int n = 1 + random.nextInt(40);
      int distinct = 1 + random.nextInt(40);
      double[] values = random.ints(n, 0, distinct).asDoubleStream().toArray();
      double[] sorted = values.clone();
      Arrays.sort(sorted);
      int k = random.nextInt(n);
      assertEquals(sorted[k], Spreads.select(values, n, k), "round " + round);
      Arrays.sort(values);
      assertEquals(Arrays.toString(sorted), Arrays.toString(values), "the same values");
    }
  }

  /**
   * Three eighths of the other core points are within the spread of each; equal ones have one, too.
   */
  @Test
  void threeEighthsOfTheCorePointsAreWithinASpread() {
    int budget = 64;
    for (boolean equal : new boolean[] {false, true}) {
      CoreSample sample = new CoreSample(2, budget, 0);
      Random random = new Random(2);
      SplitMix64 choice = new SplitMix64(3);
      for (int t = 0; t < budget; t++) {
        double width = t % 3 == 0 ? 10 : 1;
        double[] x = {width * random.nextGaussian(), width * random.nextGaussian()};
        sample.take(equal && t > 5 ? new double[] {1, 2} : x, choice);
      }
      for (int i = 0; i < budget; i++) {
        double[] distances = new double[budget];
        for (int k = 0; k < budget; k++) {
          double across = sample.coordinate(i, 0) - sample.coordinate(k, 0);
          double up = sample.coordinate(i, 1) - sample.coordinate(k, 1);
          distances[k] = Math.hypot(across, up);
        }
        Arrays.sort(distances);
        double spread = sample.spreads.values[i];
        assertTrue(spread > 0, "spread " + spread);
        if (!equal) {
          assertEquals(distances[3 * budget / 8], spread, 1e-6);
        }
      }
    }
  }

  @Test
  void aGammaThatWasSetIsThatOfAll() {
    CoreSample sample = new CoreSample(1, 8, 4);
    SplitMix64 choice = new SplitMix64(3);
    for (int t = 0; t < 20; t++) {
      sample.take(new double[] {t * t}, choice);
    }
    for (int i = 0; i < 8; i++) {
      assertEquals(0.25, sample.spreads.values[i]);
    }
  }
}
