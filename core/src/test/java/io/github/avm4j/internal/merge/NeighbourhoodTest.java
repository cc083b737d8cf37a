// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.merge;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.kernel.Laplacian;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NeighbourhoodTest {
  private static final int D = 3;

  private static CoreSet random(int n, long seed) {
    Random random = new Random(seed);
    CoreSet set = CoreSet.dense(D);
    for (int i = 0; i < n; i++) {
      set.append(FeatureVector.dense(random.doubles(D).toArray()), true);
    }
    return set;
  }

  private static double squared(FeatureVector a, FeatureVector b) {
    double sum = 0;
    for (int j = 0; j < D; j++) {
      sum += (a.get(j) - b.get(j)) * (a.get(j) - b.get(j));
    }
    return sum;
  }

  @Test
  void theNearestAreFoundInOrder() {
    for (int n : new int[] {1, 2, 127, 128, 129, 400}) {
      CoreSet set = random(n, n);
      for (int anchor : new int[] {0, n / 2, n - 1}) {
        int[] expected =
            IntStream.range(0, n)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> squared(set.point(i), set.point(anchor))))
                .limit(Neighbourhood.MOST)
                .mapToInt(i -> i)
                .toArray();
        assertArrayEquals(expected, new Neighbourhood(set, anchor, new Gaussian(1)).slots());
      }
    }
  }

  /** ‖Φ(x) − Σ β_i·Φ(c_i)‖² by its definition. */
  private static double miss(
      CoreSet set, Kernel kernel, int[] slots, double[] beta, FeatureVector x) {
    double sum = 1;
    for (int i = 0; i < slots.length; i++) {
      FeatureVector c = set.point(slots[i]);
      sum -= 2 * beta[i] * kernel.value(squared(x, c));
      for (int j = 0; j < slots.length; j++) {
        sum += beta[i] * beta[j] * kernel.value(squared(c, set.point(slots[j])));
      }
    }
    return sum;
  }

  @Test
  void neverFartherThanTheAnchorAndNearerOnTheWhole() {
    Random random = new Random(5);
    for (Kernel kernel : List.of(new Gaussian(0.1), new Gaussian(3), new Laplacian(1))) {
      double projected = 0;
      double moved = 0;
      CoreSet set = random(60, 3);
      for (int trial = 0; trial < 100; trial++) {
        int anchor = random.nextInt(60);
        Neighbourhood neighbours = new Neighbourhood(set, anchor, kernel);
        double[] values = new double[D];
        for (int j = 0; j < D; j++) {
          values[j] = set.coordinate(anchor, j) + 0.3 * random.nextGaussian();
        }
        FeatureVector x = FeatureVector.dense(values);
        double alone = 2 - 2 * kernel.value(squared(x, set.point(anchor)));
        double found = miss(set, kernel, neighbours.slots(), neighbours.weights(x), x);
        assertTrue(found <= alone + 1e-9, kernel + ": " + found + " > " + alone);
        projected += found;
        moved += alone;
      }
      assertTrue(projected < moved / 2, kernel + ": " + projected + " of " + moved);
    }
  }

  @Test
  void aCorePointStandsForItself() {
    CoreSet set = random(40, 8);
    for (int anchor = 0; anchor < 40; anchor++) {
      Neighbourhood neighbours = new Neighbourhood(set, anchor, new Gaussian(2));
      double[] weights = neighbours.weights(set.point(anchor));
      assertEquals(1, weights[0]);
      assertEquals(1, IntStream.range(0, 40).filter(i -> weights[i] != 0).count());
    }
  }

  /** Ten points at one place have a Gram matrix of rank one. */
  @Test
  void pointsThatCoincideDoNoHarm() {
    CoreSet set = CoreSet.dense(D);
    for (int i = 0; i < 10; i++) {
      set.append(FeatureVector.dense(1, 2, 3), false);
    }
    double[] weights =
        new Neighbourhood(set, 4, new Gaussian(1)).weights(FeatureVector.dense(1, 2, 3.5));
    double sum = 0;
    for (double weight : weights) {
      assertTrue(Math.abs(weight) <= 1, "weight " + weight);
      sum += weight;
    }
    assertEquals(Math.exp(-0.25), sum, 1e-5);
  }
}
