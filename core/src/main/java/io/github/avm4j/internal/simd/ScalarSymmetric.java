// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.simd;

import java.util.Arrays;

/** Symmetric matrices in plain Java: the readable form of {@link VectorOps#updateMultiply}. */
final class ScalarSymmetric {
  private static final int BLOCK = VectorOps.SYMMETRIC_BLOCK;

  private ScalarSymmetric() {}

  static void updateMultiply(
      double[][] rows, int n, double[] q, double factor, double[] k, double[] out) {
    Arrays.fill(out, 0, n, 0);
    for (int i = 0; i < n; i++) {
      one(rows[i], i, factor * q[i], q, k, out);
    }
  }

  static void updateTwiceMultiply(
      double[][] rows,
      int n,
      double[] q,
      double factor,
      double[] u,
      double sign,
      double[] k,
      double[] out) {
    Arrays.fill(out, 0, n, 0);
    for (int i = 0; i < n; i++) {
      add(rows[i], i, factor * q[i], q);
      one(rows[i], i, sign * u[i], u, k, out);
    }
  }

  static void updateThriceMultiply(
      double[][] rows,
      int n,
      double[] q,
      double factor,
      double[] u,
      double sign,
      double[] v,
      double last,
      double[] k,
      double[] out) {
    Arrays.fill(out, 0, n, 0);
    for (int i = 0; i < n; i++) {
      add(rows[i], i, factor * q[i], q);
      add(rows[i], i, sign * u[i], u);
      one(rows[i], i, last * v[i], v, k, out);
    }
  }

  private static void add(double[] row, int i, double f, double[] q) {
    int end = (i & -BLOCK) + BLOCK;
    for (int j = 0; j < end; j++) {
      row[j] += f * q[j];
    }
  }

  private static void one(double[] row, int i, double f, double[] q, double[] k, double[] out) {
    double ki = k[i];
    int below = i & -BLOCK;
    // Two loops: the compiler vectorises the first, whose results are independent.
    for (int j = 0; j < below; j++) {
      double p = row[j] + f * q[j];
      row[j] = p;
      out[j] += p * ki;
    }
    for (int j = below; j < below + BLOCK; j++) {
      row[j] += f * q[j];
    }
    out[i] += dot(row, k, below + BLOCK);
  }

  static void multiply(double[][] rows, int n, double[] k, double[] out) {
    Arrays.fill(out, 0, n, 0);
    for (int i = 0; i < n; i++) {
      double[] row = rows[i];
      double ki = k[i];
      int below = i & -BLOCK;
      for (int j = 0; j < below; j++) {
        out[j] += row[j] * ki;
      }
      out[i] += dot(row, k, below + BLOCK);
    }
  }

  private static double dot(double[] a, double[] b, int n) {
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    for (int j = 0; j < n; j += 4) {
      s0 += a[j] * b[j];
      s1 += a[j + 1] * b[j + 1];
      s2 += a[j + 2] * b[j + 2];
      s3 += a[j + 3] * b[j + 3];
    }
    return s0 + s1 + (s2 + s3);
  }
}
