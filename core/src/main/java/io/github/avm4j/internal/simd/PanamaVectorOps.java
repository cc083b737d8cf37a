// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.simd;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * {@link VectorOps} on the Vector API, in vectors of the preferred width, four sums at a time so
 * that fused multiply-adds overlap.
 *
 * <p>After a loop a sum is only an argument, as in {@code zero.add(sum)}: the compiler does not see
 * its class through the loop, and a call on it, compiled before it has a profile, would put it on
 * the heap.
 */
final class PanamaVectorOps implements VectorOps {

  private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();

  /**
   * Features a call. A longer loop may be compiled after so few calls that the stores behind it
   * have no profile yet, and then every call puts its sums on the heap (seen on JDK 17).
   */
  private static final int BLOCK = 64;

  PanamaVectorOps() {
    if (SPECIES.vectorBitSize() < 128 || SPECIES.vectorBitSize() > 512) {
      throw new UnsupportedOperationException("vectors of " + SPECIES.vectorBitSize() + " bits");
    }
  }

  @Override
  public String name() {
    return "panama-" + SPECIES.vectorBitSize();
  }

  @Override
  public void squaredDistances(
      double[] tile, int width, double[] x, int dims, double[] out, int o) {
    assert tile.length >= dims * width && x.length >= dims && out.length >= o + width;
    // Literal widths: range checks leave the loops only where the stride is a constant.
    switch (width) {
      case 32 -> squared(tile, 32, x, dims, out, o);
      case 16 -> squared(tile, 16, x, dims, out, o);
      default -> squared(tile, 8, x, dims, out, o);
    }
  }

  private static void squared(double[] tile, int width, double[] x, int dims, double[] out, int o) {
    if (width >= 4 * LANES) {
      for (int l = 0; l < width; l += 4 * LANES) {
        squared4(tile, width, l, x, 0, Math.min(dims, BLOCK), out, o + l);
        for (int from = BLOCK; from < dims; from += BLOCK) {
          squared4(tile, width, l, x, from, Math.min(dims, from + BLOCK), out, o + l);
        }
      }
    } else {
      for (int l = 0; l < width; l += LANES) {
        squared1(tile, width, l, x, dims, out, o + l);
      }
    }
  }

  private static void squared4(
      double[] tile, int width, int l, double[] x, int from, int to, double[] out, int o) {
    DoubleVector s0 = DoubleVector.zero(SPECIES);
    DoubleVector s1 = s0;
    DoubleVector s2 = s0;
    DoubleVector s3 = s0;
    if (from > 0) {
      s0 = DoubleVector.fromArray(SPECIES, out, o);
      s1 = DoubleVector.fromArray(SPECIES, out, o + LANES);
      s2 = DoubleVector.fromArray(SPECIES, out, o + 2 * LANES);
      s3 = DoubleVector.fromArray(SPECIES, out, o + 3 * LANES);
    }
    for (int j = from; j < to; j++) {
      DoubleVector v = DoubleVector.broadcast(SPECIES, x[j]);
      int at = j * width + l;
      DoubleVector d0 = v.sub(DoubleVector.fromArray(SPECIES, tile, at));
      DoubleVector d1 = v.sub(DoubleVector.fromArray(SPECIES, tile, at + LANES));
      DoubleVector d2 = v.sub(DoubleVector.fromArray(SPECIES, tile, at + 2 * LANES));
      DoubleVector d3 = v.sub(DoubleVector.fromArray(SPECIES, tile, at + 3 * LANES));
      s0 = d0.fma(d0, s0);
      s1 = d1.fma(d1, s1);
      s2 = d2.fma(d2, s2);
      s3 = d3.fma(d3, s3);
    }
    s0.intoArray(out, o);
    s1.intoArray(out, o + LANES);
    s2.intoArray(out, o + 2 * LANES);
    s3.intoArray(out, o + 3 * LANES);
  }

  @Override
  public void squaredDistances(
      double[] tile,
      int width,
      double[] x,
      double[] y,
      int dims,
      double[] outX,
      double[] outY,
      int o) {
    if (width == 32 && 4 * LANES == 32 && dims <= BLOCK) {
      PanamaPairs.squared4(tile, x, y, dims, outX, outY, o);
      return;
    }
    squaredDistances(tile, width, x, dims, outX, o);
    squaredDistances(tile, width, y, dims, outY, o);
  }

  private static void squared1(
      double[] tile, int width, int l, double[] x, int dims, double[] out, int o) {
    DoubleVector s0 = DoubleVector.zero(SPECIES);
    DoubleVector s1 = s0;
    int j = 0;
    for (; j < dims - 1; j += 2) {
      DoubleVector d0 =
          DoubleVector.broadcast(SPECIES, x[j])
              .sub(DoubleVector.fromArray(SPECIES, tile, j * width + l));
      DoubleVector d1 =
          DoubleVector.broadcast(SPECIES, x[j + 1])
              .sub(DoubleVector.fromArray(SPECIES, tile, (j + 1) * width + l));
      s0 = d0.fma(d0, s0);
      s1 = d1.fma(d1, s1);
    }
    if (j < dims) {
      DoubleVector d0 =
          DoubleVector.broadcast(SPECIES, x[j])
              .sub(DoubleVector.fromArray(SPECIES, tile, j * width + l));
      s0 = d0.fma(d0, s0);
    }
    s0.add(s1).intoArray(out, o);
  }

  @Override
  public void dots(
      double[] tile, int width, int[] indices, double[] values, int nnz, double[] out, int o) {
    assert indices.length >= nnz && values.length >= nnz && out.length >= o + width;
    switch (width) {
      case 32 -> dotsOf(tile, 32, indices, values, nnz, out, o);
      case 16 -> dotsOf(tile, 16, indices, values, nnz, out, o);
      default -> dotsOf(tile, 8, indices, values, nnz, out, o);
    }
  }

  private static void dotsOf(
      double[] tile, int width, int[] indices, double[] values, int nnz, double[] out, int o) {
    if (width >= 4 * LANES) {
      for (int l = 0; l < width; l += 4 * LANES) {
        dots4(tile, width, l, indices, values, nnz, out, o + l);
      }
    } else {
      for (int l = 0; l < width; l += LANES) {
        dots1(tile, width, l, indices, values, nnz, out, o + l);
      }
    }
  }

  private static void dots4(
      double[] tile,
      int width,
      int l,
      int[] indices,
      double[] values,
      int nnz,
      double[] out,
      int o) {
    DoubleVector s0 = DoubleVector.zero(SPECIES);
    DoubleVector s1 = s0;
    DoubleVector s2 = s0;
    DoubleVector s3 = s0;
    for (int k = 0; k < nnz; k++) {
      DoubleVector v = DoubleVector.broadcast(SPECIES, values[k]);
      int at = indices[k] * width + l;
      s0 = DoubleVector.fromArray(SPECIES, tile, at).fma(v, s0);
      s1 = DoubleVector.fromArray(SPECIES, tile, at + LANES).fma(v, s1);
      s2 = DoubleVector.fromArray(SPECIES, tile, at + 2 * LANES).fma(v, s2);
      s3 = DoubleVector.fromArray(SPECIES, tile, at + 3 * LANES).fma(v, s3);
    }
    s0.intoArray(out, o);
    s1.intoArray(out, o + LANES);
    s2.intoArray(out, o + 2 * LANES);
    s3.intoArray(out, o + 3 * LANES);
  }

  private static void dots1(
      double[] tile,
      int width,
      int l,
      int[] indices,
      double[] values,
      int nnz,
      double[] out,
      int o) {
    DoubleVector s = DoubleVector.zero(SPECIES);
    for (int k = 0; k < nnz; k++) {
      DoubleVector v = DoubleVector.broadcast(SPECIES, values[k]);
      s = DoubleVector.fromArray(SPECIES, tile, indices[k] * width + l).fma(v, s);
    }
    s.intoArray(out, o);
  }

  @Override
  public void squaredFromDots(double xx, double[] norms, double[] dotsThenSquared, int n) {
    int bound = SPECIES.loopBound(n);
    DoubleVector v = DoubleVector.broadcast(SPECIES, xx);
    DoubleVector minus2 = DoubleVector.broadcast(SPECIES, -2);
    for (int i = 0; i < bound; i += LANES) {
      DoubleVector sum = DoubleVector.fromArray(SPECIES, norms, i).add(v);
      DoubleVector squared = DoubleVector.fromArray(SPECIES, dotsThenSquared, i).fma(minus2, sum);
      squared.reinterpretAsLongs().max(0).reinterpretAsDoubles().intoArray(dotsThenSquared, i);
    }
    for (int i = bound; i < n; i++) {
      dotsThenSquared[i] = Math.max(0, xx + norms[i] - 2 * dotsThenSquared[i]);
    }
  }

  @Override
  public void exp(double[] in, double factor, double[] out, int n) {
    int padded = (n + LANES - 1) & -LANES;
    int bound = padded <= Math.min(in.length, out.length) ? padded : n & -LANES;
    PanamaExp.expOfMinus(in, -factor, out, bound);
    for (int i = bound; i < n; i++) {
      out[i] = ExpPolynomial.expOfMinus(in[i] * -factor);
    }
  }

  @Override
  public double weightedExp(double[] in, double factor, double[] weights, double[] scratch, int n) {
    int padded = (n + LANES - 1) & -LANES;
    int bound = padded <= Math.min(in.length, weights.length) ? padded : n & -LANES;
    double sum = PanamaExp.weightedExpOfMinus(in, -factor, weights, bound);
    for (int i = bound; i < n; i++) {
      sum += weights[i] * ExpPolynomial.expOfMinus(in[i] * -factor);
    }
    return sum;
  }

  @Override
  public double dot(double[] a, double[] b, int n) {
    DoubleVector s0 = DoubleVector.zero(SPECIES);
    DoubleVector s1 = s0;
    DoubleVector s2 = s0;
    DoubleVector s3 = s0;
    int i = 0;
    for (; i <= n - 4 * LANES; i += 4 * LANES) {
      s0 = DoubleVector.fromArray(SPECIES, a, i).fma(DoubleVector.fromArray(SPECIES, b, i), s0);
      s1 =
          DoubleVector.fromArray(SPECIES, a, i + LANES)
              .fma(DoubleVector.fromArray(SPECIES, b, i + LANES), s1);
      s2 =
          DoubleVector.fromArray(SPECIES, a, i + 2 * LANES)
              .fma(DoubleVector.fromArray(SPECIES, b, i + 2 * LANES), s2);
      s3 =
          DoubleVector.fromArray(SPECIES, a, i + 3 * LANES)
              .fma(DoubleVector.fromArray(SPECIES, b, i + 3 * LANES), s3);
    }
    for (; i <= n - LANES; i += LANES) {
      s0 = DoubleVector.fromArray(SPECIES, a, i).fma(DoubleVector.fromArray(SPECIES, b, i), s0);
    }
    // Not reduceLanes: its order differs between compiled and interpreted code, and so would bits.
    DoubleVector total = s0.add(s1).add(s2.add(s3));
    double sum = total.lane(0) + total.lane(1);
    if (LANES > 2) {
      sum += total.lane(2) + total.lane(3);
    }
    if (LANES > 4) {
      sum += total.lane(4) + total.lane(5) + (total.lane(6) + total.lane(7));
    }
    for (; i < n; i++) {
      sum = Math.fma(a[i], b[i], sum);
    }
    return sum;
  }

  @Override
  public void multiply(double[][] rows, int n, double[] k, double[] out, double[] lanes) {
    PanamaSymmetric.multiply(rows, n, k, out, lanes);
  }

  @Override
  public void updateMultiply(
      double[][] rows, int n, double[] q, double factor, double[] k, double[] out, double[] lanes) {
    PanamaSymmetric.updateMultiply(rows, n, q, factor, k, out, lanes);
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
    PanamaSymmetric.updateThriceMultiply(rows, n, q, factor, u, sign, v, last, k, out, lanes);
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
    PanamaSymmetric.updateTwiceMultiply(rows, n, q, factor, u, sign, k, out, lanes);
  }

  @Override
  public void addScaled(double a, double[] x, double[] y, int n) {
    PanamaSymmetric.addScaled(a, x, y, n);
  }

  @Override
  public int nearest(double[] squared, int n) {
    if (n < LANES) {
      return nearestBefore(squared, n);
    }
    // As longs: same order for values >= 0, and no care for NaN and -0. The last load may overlap.
    LongVector m0 = DoubleVector.fromArray(SPECIES, squared, n - LANES).reinterpretAsLongs();
    LongVector m1 = m0;
    int i = 0;
    for (; i <= n - 2 * LANES; i += 2 * LANES) {
      m0 = m0.min(DoubleVector.fromArray(SPECIES, squared, i).reinterpretAsLongs());
      m1 = m1.min(DoubleVector.fromArray(SPECIES, squared, i + LANES).reinterpretAsLongs());
    }
    for (; i <= n - LANES; i += LANES) {
      m0 = m0.min(DoubleVector.fromArray(SPECIES, squared, i).reinterpretAsLongs());
    }
    // Reduced as doubles: without AVX-512 there is no such instruction for longs, and m0 is boxed.
    double smallest = m0.min(m1).reinterpretAsDoubles().reduceLanes(VectorOperators.MIN);
    for (i = 0; i <= n - LANES; i += LANES) {
      VectorMask<Double> equal =
          DoubleVector.fromArray(SPECIES, squared, i).compare(VectorOperators.EQ, smallest);
      if (equal.anyTrue()) {
        return i + equal.firstTrue();
      }
    }
    for (; i < n - 1 && squared[i] != smallest; i++) {}
    return i;
  }

  private static int nearestBefore(double[] squared, int n) {
    int best = n == 0 ? -1 : 0;
    for (int i = 1; i < n; i++) {
      best = squared[i] < squared[best] ? i : best;
    }
    return best;
  }
}
