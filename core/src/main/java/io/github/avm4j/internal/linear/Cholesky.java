// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.linear;

import io.github.avm4j.internal.simd.VectorOps;
import io.github.avm4j.internal.simd.VectorOpsProvider;

/** A = L·Lᵀ of a symmetric positive definite matrix. O(n³/6) to make, O(n²) a solution. */
public final class Cholesky {
  private static final VectorOps OPS = VectorOpsProvider.get();

  /** A pivot this small against its diagonal is rounding: it is raised to it. */
  private static final double SMALLEST = 1e-14;

  private final double[][] lower;
  private final double[][] upper;

  /**
   * @param matrix the lower triangle counts; left as it is
   */
  public Cholesky(double[][] matrix) {
    int n = matrix.length;
    lower = new double[n][n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < i; j++) {
        lower[i][j] = (matrix[i][j] - OPS.dot(lower[i], lower[j], j)) / lower[j][j];
      }
      double pivot = matrix[i][i] - OPS.dot(lower[i], lower[i], i);
      lower[i][i] = Math.sqrt(Math.max(pivot, SMALLEST * Math.abs(matrix[i][i])));
    }
    upper = new double[n][n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) {
        // Row i of Lᵀ from its diagonal on, reversed, so that a solution is dots of leading parts.
        upper[n - 1 - j][n - 1 - i] = lower[i][j];
      }
    }
  }

  /** The x of A·x = b. */
  public double[] solve(double[] b) {
    int n = lower.length;
    double[] y = new double[n];
    for (int i = 0; i < n; i++) {
      y[i] = (b[i] - OPS.dot(lower[i], y, i)) / lower[i][i];
    }
    double[] reversed = new double[n];
    for (int i = 0; i < n; i++) {
      reversed[i] = (y[n - 1 - i] - OPS.dot(upper[i], reversed, i)) / upper[i][i];
    }
    double[] x = new double[n];
    for (int i = 0; i < n; i++) {
      x[i] = reversed[n - 1 - i];
    }
    return x;
  }

  /** The diagonal of A⁻¹: the squared norms of the columns of L⁻¹. O(n³/2). */
  public double[] inverseDiagonal() {
    int n = lower.length;
    double[] diagonal = new double[n];
    double[] column = new double[n];
    for (int i = 0; i < n; i++) {
      column[i] = 1 / lower[i][i];
      for (int r = i + 1; r < n; r++) {
        column[r] = -OPS.dot(lower[r], column, r) / lower[r][r];
      }
      diagonal[i] = OPS.dot(column, column, n);
      column[i] = 0;
    }
    return diagonal;
  }

  /** A⁻¹, symmetric to the bit. O(n³). */
  public double[][] inverse() {
    int n = lower.length;
    double[][] inverse = new double[n][];
    double[] unit = new double[n];
    for (int i = 0; i < n; i++) {
      unit[i] = 1;
      inverse[i] = solve(unit);
      unit[i] = 0;
    }
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < i; j++) {
        inverse[i][j] = (inverse[i][j] + inverse[j][i]) / 2;
        inverse[j][i] = inverse[i][j];
      }
    }
    return inverse;
  }
}
