// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.linear;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CholeskyTest {
  private final SplittableRandom random = new SplittableRandom(3);

  /** B·Bᵀ + diagonal, of random B. */
  private double[][] positive(int n, double diagonal) {
    double[][] b = new double[n][];
    Arrays.setAll(b, i -> random.doubles(n, -1, 1).toArray());
    double[][] a = new double[n][n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        for (int k = 0; k < n; k++) {
          a[i][j] += b[i][k] * b[j][k];
        }
      }
      a[i][i] += diagonal;
    }
    return a;
  }

  private static double[] product(double[][] a, double[] x) {
    double[] y = new double[x.length];
    for (int i = 0; i < y.length; i++) {
      for (int j = 0; j < y.length; j++) {
        y[i] += a[i][j] * x[j];
      }
    }
    return y;
  }

  @Test
  void solvesByHand() {
    double[][] a = {{4, 2}, {2, 5}};
    assertArrayEquals(new double[] {-0.25, 1.5}, new Cholesky(a).solve(new double[] {2, 7}), 1e-15);
    assertArrayEquals(
        new double[] {0.5}, new Cholesky(new double[][] {{4}}).solve(new double[] {2}));
    assertEquals(0, new Cholesky(new double[0][]).solve(new double[0]).length);
  }

  @Test
  void solutionsAndInverseSatisfyTheirEquations() {
    for (int n = 1; n <= 40; n++) {
      double[][] a = positive(n, 0.5);
      Cholesky cholesky = new Cholesky(a);
      double[] b = random.doubles(n, -3, 3).toArray();
      assertArrayEquals(b, product(a, cholesky.solve(b)), 1e-9, "size " + n);
      double[][] inverse = cholesky.inverse();
      double[] diagonal = cholesky.inverseDiagonal();
      for (int i = 0; i < n; i++) {
        double[] unit = new double[n];
        unit[i] = 1;
        assertEquals(inverse[i][i], diagonal[i], 1e-9 * inverse[i][i], "size " + n);
        assertArrayEquals(unit, product(a, inverse[i]), 1e-9, "size " + n + ", row " + i);
        for (int j = 0; j < i; j++) {
          assertEquals(inverse[i][j], inverse[j][i], "symmetric to the bit");
        }
      }
    }
  }

  @Test
  void onlyTheLowerTriangleCountsAndItIsLeftAsItIs() {
    double[][] a = positive(9, 1);
    double[] b = random.doubles(9).toArray();
    double[] x = new Cholesky(a).solve(b);
    double[][] lower = new double[9][];
    for (int i = 0; i < 9; i++) {
      lower[i] = a[i].clone();
      Arrays.fill(lower[i], i + 1, 9, Double.NaN);
    }
    double[][] before = Arrays.stream(lower).map(double[]::clone).toArray(double[][]::new);
    assertArrayEquals(x, new Cholesky(lower).solve(b));
    assertTrue(Arrays.deepEquals(before, lower));
  }

  /** A matrix that rounding made singular, or a little worse, still has finite solutions. */
  @Test
  void aSingularMatrixIsRaised() {
    double[][] twice = {{1, 1, 0}, {1, 1, 0}, {0, 0, 2}};
    double[] x = new Cholesky(twice).solve(new double[] {3, 3, 4});
    assertArrayEquals(new double[] {3, 3, 4}, product(twice, x), 1e-6);
    double[][] worse = {{1, 1 + 1e-15}, {1 + 1e-15, 1}};
    double[] y = new Cholesky(worse).solve(new double[] {1, 1});
    assertArrayEquals(new double[] {1, 1}, product(worse, y), 1e-6);
  }
}
