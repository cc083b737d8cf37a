// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.solver;

import java.util.Arrays;

/** Loops over a symmetric matrix kept as the rows of its lower triangle. */
final class SymmetricLoops {
  private SymmetricLoops() {}

  /** out = M·k. */
  static void multiply(double[][] rows, int n, double[] k, double[] out) {
    Arrays.fill(out, 0, n, 0);
    for (int i = 0; i < n; i++) {
      double[] row = rows[i];
      double ki = k[i];
      double a0 = 0;
      double a1 = 0;
      int j = 0;
      for (; j < i - 1; j += 2) {
        a0 += row[j] * k[j];
        a1 += row[j + 1] * k[j + 1];
        out[j] += row[j] * ki;
        out[j + 1] += row[j + 1] * ki;
      }
      for (; j < i; j++) {
        a0 += row[j] * k[j];
        out[j] += row[j] * ki;
      }
      out[i] += a0 + a1 + row[i] * ki;
    }
  }

  /** M ← M + factor·q·qᵀ, then out = M·k, in one pass. */
  static void updateMultiply(
      double[][] rows, int n, double[] q, double factor, double[] k, double[] out) {
    if (factor == 0) {
      multiply(rows, n, k, out);
      return;
    }
    Arrays.fill(out, 0, n, 0);
    for (int i = 0; i < n; i++) {
      double[] row = rows[i];
      double f = factor * q[i];
      double ki = k[i];
      double a = 0;
      for (int j = 0; j < i; j++) {
        double p = row[j] + f * q[j];
        row[j] = p;
        a += p * k[j];
        out[j] += p * ki;
      }
      row[i] += f * q[i];
      out[i] += a + row[i] * ki;
    }
  }

  /** y ← y + a·x. */
  static void axpy(double a, double[] x, double[] y, int n) {
    for (int i = 0; i < n; i++) {
      y[i] += a * x[i];
    }
  }
}
