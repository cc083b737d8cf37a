// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.lab.baselines;

import io.github.avm4j.internal.simd.VectorOps;
import io.github.avm4j.internal.simd.VectorOpsProvider;
import java.util.Arrays;

/**
 * The inverse of the Gram matrix of support vectors with K(x,x) = 1, bordered as they come.
 *
 * <p>Row i holds the columns up to the end of its diagonal block of eight, as {@link
 * VectorOps#multiply} wants it. Projecting and bordering cost O(S²).
 */
final class InverseGram {
  private static final VectorOps OPS = VectorOpsProvider.get();
  private static final int BLOCK = VectorOps.SYMMETRIC_BLOCK;

  private double[][] rows = new double[BLOCK][];
  private double[] projection = new double[BLOCK];
  private final double[] lanes = new double[BLOCK];
  private int size;

  /** d = K⁻¹k, the coefficients of the projection of Φ(x); the scratch itself. */
  double[] projection() {
    return projection;
  }

  /** ‖Φ(x) − PΦ(x)‖² = 1 − kᵀd, at least 0; fills {@link #projection}. */
  double residual(double[] kernel) {
    if (size == 0) {
      return 1;
    }
    OPS.multiply(rows, size, kernel, projection, lanes);
    return Math.max(0, 1 - OPS.dot(projection, kernel, size));
  }

  /** Takes the vector of the last {@link #residual}, which must be &gt; 0, as a support vector. */
  void append(double residual) {
    int n = size;
    if (n == rows.length) {
      rows = Arrays.copyOf(rows, 2 * n);
      projection = Arrays.copyOf(projection, 2 * n);
    }
    double[] last = new double[(n | BLOCK - 1) + 1];
    for (int i = 0; i < n; i++) {
      double factor = projection[i] / residual;
      OPS.addScaled(factor, projection, rows[i], Math.min(n, (i | BLOCK - 1) + 1));
      last[i] = -factor;
    }
    last[n] = 1 / residual;
    rows[n] = last;
    for (int i = n & -BLOCK; i < n; i++) {
      rows[i][n] = last[i];
    }
    size = n + 1;
  }

  long bytes() {
    return 4L * size * size;
  }
}
