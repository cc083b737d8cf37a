// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.coreset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.avm4j.feature.FeatureVector;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Replaced points against a plain list of them, and copies taken on the way. */
class ReplaceTest {
  private static FeatureVector random(Random random, int d, boolean sparse) {
    double[] values = new double[d];
    int[] indices = new int[d];
    int count = 0;
    for (int j = 0; j < d; j++) {
      if (!sparse || random.nextInt(4) == 0) {
        indices[count] = j;
        values[count++] = random.nextGaussian();
      }
    }
    return sparse
        ? FeatureVector.sparse(indices, values, count).copy()
        : FeatureVector.dense(values);
  }

  private static double distance(FeatureVector x, FeatureVector y, int d) {
    double sum = 0;
    for (int j = 0; j < d; j++) {
      sum += (x.get(j) - y.get(j)) * (x.get(j) - y.get(j));
    }
    return sum;
  }

  private static void holds(CoreSet set, List<FeatureVector> points, FeatureVector x, int d) {
    assertEquals(points.size(), set.size());
    double[] out = new double[(set.size() + 63) & -32];
    set.squaredDistances(x, out);
    for (int i = 0; i < points.size(); i++) {
      assertEquals(distance(x, points.get(i), d), out[i], 1e-9);
      assertEquals(points.get(i).squaredNorm(), set.squaredNorm(i), 1e-12);
      for (int j = 0; j < d; j++) {
        assertEquals(points.get(i).get(j), set.coordinate(i, j));
        assertEquals(points.get(i).get(j), set.point(i).get(j));
      }
    }
  }

  private static void check(CoreSet set, int d, boolean sparse) {
    Random random = new Random(d);
    List<FeatureVector> points = new ArrayList<>();
    CoreSet copy = set.copy();
    List<FeatureVector> copied = List.of();
    for (int step = 0; step < 400; step++) {
      FeatureVector x = random(random, d, sparse);
      if (points.size() < 5 || random.nextInt(6) == 0) {
        points.add(x);
        set.append(x, true);
      } else {
        int slot = random.nextInt(points.size());
        points.set(slot, x);
        set.replace(slot, x, step % 2 == 0);
        assertEquals(step % 2 == 0, set.isCentre(slot));
      }
      if (step % 37 == 36) {
        copy = set.copy();
        copied = List.copyOf(points);
      }
      if (step % 10 == 0) {
        FeatureVector probe = random(random, d, sparse);
        holds(set, points, probe, d);
        holds(copy, copied, probe, d);
      }
    }
    long exact = 0;
    for (int i = 0; i < set.size(); i++) {
      exact += set.isCentre(i) ? 0 : 1;
    }
    assertEquals(exact, set.exactPoints());
  }

  @Test
  void denseTiles() {
    check(CoreSet.dense(7), 7, false);
  }

  @Test
  void sparseTiles() {
    check(CoreSet.sparse(0), 40, true);
  }

  @Test
  void postings() {
    check(CoreSet.postings(0), 60, true);
  }

  @Test
  void slotMustExist() {
    CoreSet set = CoreSet.dense(1);
    assertThrows(
        IndexOutOfBoundsException.class, () -> set.replace(0, FeatureVector.dense(1), true));
  }
}
