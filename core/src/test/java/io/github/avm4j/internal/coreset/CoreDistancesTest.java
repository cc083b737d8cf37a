// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.coreset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.kernel.Matern32;
import io.github.avm4j.testing.Streams;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CoreDistancesTest {
  private static final Kernel KERNEL = new Gaussian(0.5);

  @Test
  void fillsDistancesAndKernelValuesOfAnySize() {
    Random random = new Random(11);
    CoreSet set = CoreSet.dense(2);
    CoreDistances distances = new CoreDistances();
    Kernel kernel = new Matern32(0.7);
    for (int size = 0; size < 120; size++) {
      FeatureVector x = FeatureVector.dense(random.nextGaussian(), random.nextGaussian());
      distances.fill(set, x, kernel);
      assertEquals(size, distances.size());
      int nearest = -1;
      for (int i = 0; i < size; i++) {
        double dx = x.get(0) - set.coordinate(i, 0);
        double dy = x.get(1) - set.coordinate(i, 1);
        assertEquals(dx * dx + dy * dy, distances.squared(i), 1e-14);
        assertEquals(kernel.value(distances.squared(i)), distances.kernel()[i], 1e-14);
        nearest = nearest < 0 || distances.squared(i) < distances.squared(nearest) ? i : nearest;
      }
      assertEquals(nearest, distances.nearest());
      assertEquals(nearest, distances.nearestCentre(set));
      set.append(x, true);
    }
  }

  @Test
  void nearestCentreSkipsExactPoints() {
    CoreSet set = CoreSet.dense(1);
    set.append(FeatureVector.dense(0), false);
    CoreDistances distances = new CoreDistances();
    distances.fill(set, FeatureVector.dense(0.1), KERNEL);
    assertEquals(0, distances.nearest());
    assertEquals(-1, distances.nearestCentre(set));
    set.append(FeatureVector.dense(5), true);
    set.append(FeatureVector.dense(-3), true);
    set.append(FeatureVector.dense(3.2), true);
    set.append(FeatureVector.dense(-3), true);
    distances.fill(set, FeatureVector.dense(0.1), KERNEL);
    assertEquals(2, distances.nearestCentre(set));
  }

  @Test
  void fillFromPointIsFillOfThatPoint() {
    for (CoreSet set : List.of(CoreSet.dense(3), CoreSet.sparse(3), CoreSet.postings(0))) {
      Streams.uniform(12, 40, 3).forEach(x -> set.append(FeatureVector.dense(x), true));
      CoreDistances expected = new CoreDistances();
      CoreDistances actual = new CoreDistances();
      for (int i = 0; i < 40; i++) {
        expected.fill(set, set.point(i), KERNEL);
        actual.fillFromPoint(set, i, KERNEL);
        assertEquals(40, actual.size());
        for (int k = 0; k < 40; k++) {
          assertEquals(expected.squared(k), actual.squared(k));
          assertEquals(expected.kernel()[k], actual.kernel()[k]);
        }
        assertEquals(1, actual.kernel()[i], 1e-14);
      }
    }
  }

  @Test
  void whatIsNotFiniteIsNamedWhereverItStands() {
    double[] bad = {
      Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1e151, -1e152, 1e300
    };
    for (CoreSet set :
        List.of(CoreSet.dense(20), CoreSet.sparse(20), CoreSet.sparse(0), CoreSet.postings(20))) {
      for (int size = 0; size < 40; size += 13) {
        while (set.size() < size) {
          double[] point = new double[20];
          point[set.size() % 20] = set.size();
          set.append(FeatureVector.dense(point), true);
        }
        for (double value : bad) {
          for (int j : new int[] {0, 1, 7, 19}) {
            double[] dense = new double[20];
            dense[j] = value;
            refuses(set, FeatureVector.dense(dense), j, value);
            refuses(set, FeatureVector.sparse(new int[] {j}, new double[] {value}), j, value);
          }
          if (set.isOpenEnded()) {
            // A feature that no point has.
            refuses(
                set,
                FeatureVector.sparse(new int[] {3, 1_000}, new double[] {1, value}),
                1_000,
                value);
          }
        }
      }
    }
  }

  private static void refuses(CoreSet set, FeatureVector x, int feature, double value) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> new CoreDistances().fill(set, x, KERNEL))
            .getMessage();
    assertTrue(message.startsWith("feature " + feature + " is " + value + ";"), message);
    assertTrue(message.contains("within ±1e150"), message);
  }

  @Test
  void largeButAcceptableValuesPass() {
    CoreSet set = CoreSet.dense(1);
    CoreDistances distances = new CoreDistances();
    distances.fill(set, FeatureVector.dense(1e150), KERNEL);
    set.append(FeatureVector.dense(-1e150), true);
    distances.fill(set, FeatureVector.dense(1e150), KERNEL);
    assertEquals(4e300, distances.squared(0), 1e287);
    assertEquals(0, distances.kernel()[0]);
  }
}
