// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.lab.baselines;

import io.github.avm4j.internal.simd.VectorOps;
import io.github.avm4j.internal.simd.VectorOpsProvider;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Eigenvalues, descending, and eigenvectors of a symmetric matrix: Householder's reduction to a
 * tridiagonal matrix, then implicit QL with Wilkinson's shift (Golub and Van Loan, "Matrix
 * Computations", Sections 8.3). O(n³), with all inner loops over consecutive memory.
 */
final class SymmetricEigen {
  private static final VectorOps OPS = VectorOpsProvider.get();
  private static final int MOST_SWEEPS = 60;

  private final int n;
  private final double[][] a;
  private final double[] diagonal;
  private final double[] side;
  private final double[] halfNorms;
  private final double[][] vectors;
  private int[] order = {};
  private double negligible;

  private SymmetricEigen(double[][] matrix) {
    n = matrix.length;
    a = matrix;
    diagonal = new double[n];
    side = new double[n];
    halfNorms = new double[n];
    vectors = new double[n][n];
    for (int i = 0; i < n; i++) {
      vectors[i][i] = 1;
    }
  }

  /** The {@code count} largest eigenpairs of a symmetric matrix, which is overwritten. */
  static SymmetricEigen largest(double[][] matrix, int count) {
    SymmetricEigen eigen = new SymmetricEigen(matrix);
    eigen.reduce();
    eigen.iterate();
    eigen.order =
        IntStream.range(0, eigen.n)
            .boxed()
            .sorted(Comparator.comparingDouble(i -> -eigen.diagonal[i]))
            .limit(count)
            .mapToInt(i -> i)
            .toArray();
    for (int i : eigen.order) {
      eigen.transformBack(eigen.vectors[i]);
    }
    return eigen;
  }

  /** Number of eigenpairs asked for. */
  int count() {
    return order.length;
  }

  /** The k-th largest eigenvalue. */
  double value(int k) {
    return diagonal[order[k]];
  }

  /** Its eigenvector, of length 1. */
  double[] vector(int k) {
    return vectors[order[k]];
  }

  /** Reflections from the last row up; the vector of row i stays in a[i][0 … i−1]. */
  private void reduce() {
    double[] p = new double[n];
    for (int i = n - 1; i > 0; i--) {
      double[] v = a[i];
      diagonal[i] = v[i];
      double rest = OPS.dot(v, v, i - 1);
      double last = v[i - 1];
      if (rest == 0) {
        side[i] = last;
        continue;
      }
      double length = Math.sqrt(rest + last * last);
      double g = last >= 0 ? -length : length;
      side[i] = g;
      v[i - 1] = last - g;
      double h = rest + last * last - last * g;
      halfNorms[i] = h;
      for (int k = 0; k < i; k++) {
        p[k] = OPS.dot(a[k], v, i) / h;
      }
      OPS.addScaled(-OPS.dot(v, p, i) / (2 * h), v, p, i);
      for (int k = 0; k < i; k++) {
        OPS.addScaled(-v[k], p, a[k], i);
        OPS.addScaled(-p[k], v, a[k], i);
      }
    }
    diagonal[0] = a[0][0];
    System.arraycopy(side, 1, side, 0, n - 1);
    side[n - 1] = 0;
  }

  /** Applies the reflections to an eigenvector of the tridiagonal matrix. */
  private void transformBack(double[] vector) {
    for (int i = 1; i < n; i++) {
      if (halfNorms[i] != 0) {
        OPS.addScaled(-OPS.dot(a[i], vector, i) / halfNorms[i], a[i], vector, i);
      }
    }
  }

  private void iterate() {
    for (int i = 0; i < n; i++) {
      negligible =
          Math.max(negligible, Math.ulp(1.0) * (Math.abs(diagonal[i]) + Math.abs(side[i])));
    }
    for (int l = 0; l < n; l++) {
      int sweeps = 0;
      int m = smallSide(l);
      while (m != l) {
        if (sweeps++ == MOST_SWEEPS) {
          throw new IllegalStateException("eigenvalue " + l + " did not converge");
        }
        sweep(l, m);
        m = smallSide(l);
      }
    }
  }

  private int smallSide(int l) {
    int m = l;
    while (m < n - 1 && Math.abs(side[m]) > negligible) {
      m++;
    }
    return m;
  }

  /** One implicit QL sweep of the unreduced block l … m. */
  private void sweep(int l, int m) {
    double shift = (diagonal[l + 1] - diagonal[l]) / (2 * side[l]);
    double r = Math.hypot(shift, 1);
    double g = diagonal[m] - diagonal[l] + side[l] / (shift + Math.copySign(r, shift));
    double s = 1;
    double c = 1;
    double p = 0;
    for (int i = m - 1; i >= l; i--) {
      double f = s * side[i];
      double b = c * side[i];
      r = Math.hypot(f, g);
      side[i + 1] = r;
      if (r == 0) {
        diagonal[i + 1] -= p;
        side[m] = 0;
        return;
      }
      s = f / r;
      c = g / r;
      g = diagonal[i + 1] - p;
      r = (diagonal[i] - g) * s + 2 * c * b;
      p = s * r;
      diagonal[i + 1] = g + p;
      g = c * r - b;
      rotate(vectors[i], vectors[i + 1], c, s);
    }
    diagonal[l] -= p;
    side[l] = g;
    side[m] = 0;
  }

  private void rotate(double[] low, double[] high, double c, double s) {
    for (int k = 0; k < n; k++) {
      double f = high[k];
      double b = low[k];
      high[k] = s * b + c * f;
      low[k] = c * b - s * f;
    }
  }
}
