// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import java.util.Arrays;

/** Linear algebra as in a textbook, to hold the solver's against. */
final class PlainAlgebra {
  private PlainAlgebra() {}

  /** Gives the first entries of a row. */
  interface Rows {
    double[] row(int i);
  }

  /** The symmetric n×n matrix with this lower triangle. */
  static double[][] symmetric(int n, Rows lower) {
    double[][] m = new double[n][n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) {
        m[i][j] = lower.row(i)[j];
        m[j][i] = m[i][j];
      }
    }
    return m;
  }

  /** The x of a·x = b by elimination with pivots; both are left as they are. */
  static double[] solve(double[][] a, double[] b) {
    int n = b.length;
    double[][] m = new double[n][];
    for (int i = 0; i < n; i++) {
      m[i] = Arrays.copyOf(a[i], n + 1);
      m[i][n] = b[i];
    }
    for (int c = 0; c < n; c++) {
      int pivot = c;
      for (int r = c + 1; r < n; r++) {
        pivot = Math.abs(m[r][c]) > Math.abs(m[pivot][c]) ? r : pivot;
      }
      double[] swap = m[c];
      m[c] = m[pivot];
      m[pivot] = swap;
      for (int r = 0; r < n; r++) {
        double factor = r == c ? 0 : m[r][c] / m[c][c];
        for (int j = c; j <= n && factor != 0; j++) {
          m[r][j] -= factor * m[c][j];
        }
      }
    }
    double[] x = new double[n];
    for (int i = 0; i < n; i++) {
      x[i] = m[i][n] / m[i][i];
    }
    return x;
  }

  /** a⁻¹. */
  static double[][] inverse(double[][] a) {
    int n = a.length;
    double[][] columns = new double[n][];
    for (int i = 0; i < n; i++) {
      double[] unit = new double[n];
      unit[i] = 1;
      columns[i] = solve(a, unit);
    }
    double[][] inverse = new double[n][n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        inverse[i][j] = columns[j][i];
      }
    }
    return inverse;
  }

  /** The smallest pivot of a symmetric a's Cholesky factors: positive if and only if a is. */
  static double smallestPivot(double[][] a) {
    int n = a.length;
    double[][] l = new double[n][n];
    double smallest = Double.POSITIVE_INFINITY;
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) {
        double sum = a[i][j];
        for (int k = 0; k < j; k++) {
          sum -= l[i][k] * l[j][k];
        }
        if (i == j) {
          smallest = Math.min(smallest, sum);
          if (!(sum > 0)) {
            return sum;
          }
          l[i][i] = Math.sqrt(sum);
        } else {
          l[i][j] = sum / l[j][j];
        }
      }
    }
    return smallest;
  }

  /** ‖a − b‖/‖b‖ of all entries. */
  static double relativeError(double[][] a, double[][] b) {
    double difference = 0;
    double size = 0;
    for (int i = 0; i < b.length; i++) {
      for (int j = 0; j < b[i].length; j++) {
        difference += (a[i][j] - b[i][j]) * (a[i][j] - b[i][j]);
        size += b[i][j] * b[i][j];
      }
    }
    return Math.sqrt(difference / size);
  }
}
