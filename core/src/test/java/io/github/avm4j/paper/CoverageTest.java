// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.paper;

import static io.github.avm4j.internal.coreset.CellSearch.NONE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.coreset.CellSearch;
import io.github.avm4j.internal.coreset.CoreDistances;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.kernel.Gaussian;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleFunction;
import org.junit.jupiter.api.Test;

class CoverageTest {
  private static int find(Coverage coverage, CoreSet set, FeatureVector x) {
    CoreDistances distances = new CoreDistances();
    distances.fill(set, x, new Gaussian(1));
    return CellSearch.find(coverage, x, set, distances);
  }

  private static int find(Coverage coverage, CoreSet set, double... x) {
    return find(coverage, set, FeatureVector.dense(x));
  }

  private static CoreSet dense(double[]... points) {
    CoreSet set = CoreSet.dense(points[0].length);
    for (double[] point : points) {
      set.append(FeatureVector.dense(point), true);
    }
    return set;
  }

  @Test
  void anEmptySetHasNoCell() {
    assertEquals(NONE, find(new Hypersphere(1), CoreSet.dense(2), 1, 2));
    assertEquals(NONE, find(new Hyperrectangle(1), CoreSet.dense(2), 1, 2));
  }

  @Test
  void aSphereIsOpenAndHalfDeltaWide() {
    CoreSet set = dense(new double[] {1, 1});
    Hypersphere sphere = new Hypersphere(2);
    assertEquals(0, find(sphere, set, 1, 1));
    assertEquals(0, find(sphere, set, 1.999, 1));
    assertEquals(NONE, find(sphere, set, 2, 1));
    assertEquals(NONE, find(sphere, set, 1.8, 1.8));
    assertEquals(NONE, find(sphere, set, 2.5, 1));
    assertEquals(1, sphere.reach());
    assertEquals(2, sphere.delta());
  }

  @Test
  void theNearestSphereWins() {
    CoreSet set = dense(new double[] {0}, new double[] {1}, new double[] {0.9});
    assertEquals(2, find(new Hypersphere(3), set, 0.93));
    assertEquals(1, find(new Hypersphere(3), set, 0.97));
    assertEquals(0, find(new Hypersphere(3), set, 0.2));
    // A tie goes to the earliest.
    assertEquals(0, find(new Hypersphere(3), set, 0.45));
  }

  @Test
  void pointsKeptExactlyAreNoCells() {
    CoreSet set = CoreSet.dense(1);
    set.append(FeatureVector.dense(0), false);
    assertEquals(NONE, find(new Hypersphere(2), set, 0.1));
    assertEquals(NONE, find(new Hyperrectangle(2), set, 0.1));
    set.append(FeatureVector.dense(0.5), true);
    set.append(FeatureVector.dense(0.05), false);
    assertEquals(1, find(new Hypersphere(2), set, 0.1));
    assertEquals(1, find(new Hyperrectangle(2), set, 0.1));
  }

  @Test
  void aBoxIsOpenAndItsHalfSideIsDeltaOverRootD() {
    Hyperrectangle box = new Hyperrectangle(2);
    assertEquals(1, box.halfSide(4));
    assertEquals(2, box.halfSide(1));
    assertEquals(2, box.reach());
    assertEquals(2, box.delta());
    CoreSet set = dense(new double[] {0, 0, 0, 0});
    assertEquals(0, find(box, set, 0.999, -0.999, 0.999, 0.999));
    assertEquals(NONE, find(box, set, 1, 0, 0, 0));
    assertEquals(NONE, find(box, set, 0, 0, 0, -1));
    assertEquals(NONE, find(box, set, 1.5, 0, 0, 0));
  }

  @Test
  void theEarliestBoxWins() {
    CoreSet set = dense(new double[] {0}, new double[] {0.5});
    assertEquals(0, find(new Hyperrectangle(1), set, 0.5));
    assertEquals(1, find(new Hyperrectangle(1), set, 1.2));
  }

  /** Both readings of Algorithm 4, dense and sparse, against the loop of the paper. */
  @Test
  void boxesEqualThePapersLoop() {
    Random random = new Random(5);
    int d = 3;
    Hyperrectangle box = new Hyperrectangle(0.6);
    double a = 0.6 / Math.sqrt(3);
    CoreSet dense = CoreSet.dense(d);
    CoreSet sparse = CoreSet.sparse(d);
    double[][] points = new double[60][];
    for (int i = 0; i < points.length; i++) {
      points[i] = new double[] {random.nextDouble(), random.nextDouble(), random.nextInt(2)};
      dense.append(FeatureVector.dense(points[i]), true);
      sparse.append(sparseOf(points[i]), true);
    }
    int found = 0;
    for (int trial = 0; trial < 2_000; trial++) {
      double[] x = {2 * random.nextDouble(), 2 * random.nextDouble(), random.nextInt(2)};
      int expected = NONE;
      for (int i = 0; i < points.length && expected == NONE; i++) {
        boolean inside = true;
        for (int j = 0; j < d; j++) {
          inside &= Math.abs(x[j] - points[i][j]) < a;
        }
        expected = inside ? i : NONE;
      }
      found += expected == NONE ? 0 : 1;
      assertEquals(expected, find(box, dense, x));
      assertEquals(expected, find(box, dense, sparseOf(x)));
      assertEquals(expected, find(box, sparse, sparseOf(x)));
    }
    assertTrue(found > 200 && found < 1_800, found + " found");
  }

  @Test
  void aBoxReachesItsCorner() {
    // The corner is the farthest: its Euclidean distance is almost δ.
    int d = 100;
    double[] x = new double[d];
    java.util.Arrays.fill(x, 1e6);
    CoreSet set = dense(x.clone());
    Hyperrectangle box = new Hyperrectangle(1);
    for (int j = 0; j < d; j++) {
      x[j] += 0.0999999;
    }
    assertEquals(0, find(box, set, x));
    assertEquals(0, find(box, set, sparseOf(x)));
    x[d - 1] += 0.001;
    assertEquals(NONE, find(box, set, x));
    assertEquals(NONE, find(box, set, sparseOf(x)));
  }

  private static FeatureVector sparseOf(double[] x) {
    int[] indices = new int[x.length];
    double[] values = new double[x.length];
    int count = 0;
    for (int j = 0; j < x.length; j++) {
      if (x[j] != 0) {
        indices[count] = j;
        values[count++] = x[j];
      }
    }
    return FeatureVector.sparse(indices, values, count);
  }

  @Test
  void everyDiameterIsCheckedAndNamed() {
    List<DoubleFunction<Coverage>> coverages = List.of(Hypersphere::new, Hyperrectangle::new);
    for (DoubleFunction<Coverage> coverage : coverages) {
      for (double delta : new double[] {0, -1, 1e150, Double.NaN, Double.POSITIVE_INFINITY}) {
        String message =
            assertThrows(IllegalArgumentException.class, () -> coverage.apply(delta)).getMessage();
        assertEquals("delta must be > 0 and < 1e150, was " + delta, message);
      }
      assertEquals(9e149, coverage.apply(9e149).delta());
    }
  }

  @Test
  void deltaChangesTheAnswer() {
    CoreSet set = dense(new double[] {0});
    assertNotEquals(find(new Hypersphere(1), set, 0.7), find(new Hypersphere(2), set, 0.7));
    assertNotEquals(find(new Hyperrectangle(0.5), set, 0.7), find(new Hyperrectangle(1), set, 0.7));
  }
}
