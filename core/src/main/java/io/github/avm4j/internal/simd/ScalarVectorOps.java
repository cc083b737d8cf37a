// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.simd;

/**
 * {@link VectorOps} in plain Java.
 *
 * <p>The loops over a tile sum {@code BLOCK} core points at a time in as many local variables:
 * independent sums, nothing stored until the end. Loops over the lanes of a tile are too short for
 * the compiler to vectorise well; this form is faster on every JDK tried and its speed does not
 * depend on where arrays happen to lie.
 */
final class ScalarVectorOps implements VectorOps {

  private static final int BLOCK = 8;

  @Override
  public String name() {
    return "scalar";
  }

  @Override
  public void squaredDistances(
      double[] tile, int width, double[] x, int dims, double[] out, int o) {
    assert width % BLOCK == 0 && tile.length >= dims * width && out.length >= o + width;
    for (int l = 0; l < width; l += BLOCK) {
      double s0 = 0;
      double s1 = 0;
      double s2 = 0;
      double s3 = 0;
      double s4 = 0;
      double s5 = 0;
      double s6 = 0;
      double s7 = 0;
      for (int j = 0, at = l; j < dims; j++, at += width) {
        double v = x[j];
        s0 += square(v - tile[at]);
        s1 += square(v - tile[at + 1]);
        s2 += square(v - tile[at + 2]);
        s3 += square(v - tile[at + 3]);
        s4 += square(v - tile[at + 4]);
        s5 += square(v - tile[at + 5]);
        s6 += square(v - tile[at + 6]);
        s7 += square(v - tile[at + 7]);
      }
      store(out, o + l, s0, s1, s2, s3, s4, s5, s6, s7);
    }
  }

  @Override
  public void dots(
      double[] tile, int width, int[] indices, double[] values, int nnz, double[] out, int o) {
    assert width % BLOCK == 0 && values.length >= nnz && out.length >= o + width;
    for (int l = 0; l < width; l += BLOCK) {
      double s0 = 0;
      double s1 = 0;
      double s2 = 0;
      double s3 = 0;
      double s4 = 0;
      double s5 = 0;
      double s6 = 0;
      double s7 = 0;
      for (int k = 0; k < nnz; k++) {
        double v = values[k];
        int at = indices[k] * width + l;
        s0 += v * tile[at];
        s1 += v * tile[at + 1];
        s2 += v * tile[at + 2];
        s3 += v * tile[at + 3];
        s4 += v * tile[at + 4];
        s5 += v * tile[at + 5];
        s6 += v * tile[at + 6];
        s7 += v * tile[at + 7];
      }
      store(out, o + l, s0, s1, s2, s3, s4, s5, s6, s7);
    }
  }

  private static double square(double v) {
    return v * v;
  }

  private static void store(
      double[] out,
      int at,
      double s0,
      double s1,
      double s2,
      double s3,
      double s4,
      double s5,
      double s6,
      double s7) {
    out[at] = s0;
    out[at + 1] = s1;
    out[at + 2] = s2;
    out[at + 3] = s3;
    out[at + 4] = s4;
    out[at + 5] = s5;
    out[at + 6] = s6;
    out[at + 7] = s7;
  }

  @Override
  public void squaredFromDots(double xx, double[] norms, double[] dotsThenSquared, int n) {
    for (int i = 0; i < n; i++) {
      dotsThenSquared[i] = Math.max(0, xx + norms[i] - 2 * dotsThenSquared[i]);
    }
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // the same array, not an equal one
  public void exp(double[] in, double factor, double[] out, int n) {
    if (in != out) {
      ScalarExp.exp(in, factor, out, n);
      return;
    }
    for (int i = 0; i < n; i++) {
      out[i] = Math.exp(factor * in[i]);
    }
  }

  @Override
  public double weightedExp(double[] in, double factor, double[] weights, double[] scratch, int n) {
    ScalarExp.exp(in, factor, scratch, n);
    return dot(weights, scratch, n);
  }

  @Override
  public double dot(double[] a, double[] b, int n) {
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    int i = 0;
    for (; i <= n - 4; i += 4) {
      s0 += a[i] * b[i];
      s1 += a[i + 1] * b[i + 1];
      s2 += a[i + 2] * b[i + 2];
      s3 += a[i + 3] * b[i + 3];
    }
    for (; i < n; i++) {
      s0 += a[i] * b[i];
    }
    return (s0 + s1) + (s2 + s3);
  }

  @Override
  public void multiply(double[][] rows, int n, double[] k, double[] out, double[] lanes) {
    ScalarSymmetric.multiply(rows, n, k, out);
  }

  @Override
  public void updateMultiply(
      double[][] rows, int n, double[] q, double factor, double[] k, double[] out, double[] lanes) {
    ScalarSymmetric.updateMultiply(rows, n, q, factor, k, out);
  }

  @Override
  public void updateThriceMultiply(
      double[][] rows,
      int n,
      double[] q,
      double factor,
      double[] u,
      double sign,
      double[] v,
      double last,
      double[] k,
      double[] out,
      double[] lanes) {
    ScalarSymmetric.updateThriceMultiply(rows, n, q, factor, u, sign, v, last, k, out);
  }

  @Override
  public void updateTwiceMultiply(
      double[][] rows,
      int n,
      double[] q,
      double factor,
      double[] u,
      double sign,
      double[] k,
      double[] out,
      double[] lanes) {
    ScalarSymmetric.updateTwiceMultiply(rows, n, q, factor, u, sign, k, out);
  }

  @Override
  public void addScaled(double a, double[] x, double[] y, int n) {
    for (int i = 0; i < n; i++) {
      y[i] += a * x[i];
    }
  }

  @Override
  public int nearest(double[] squared, int n) {
    if (n == 0) {
      return -1;
    }
    int best = 0;
    for (int i = 1; i < n; i++) {
      if (squared[i] < squared[best]) {
        best = i;
      }
    }
    return best;
  }
}
