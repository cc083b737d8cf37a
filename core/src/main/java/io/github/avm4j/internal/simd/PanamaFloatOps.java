// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.simd;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * The float half of {@link PanamaVectorOps}. Tiles narrower than a vector go the scalar way.
 *
 * <p>After a loop a sum is only an argument, as in {@code zero.add(sum)}: the compiler does not see
 * its class through the loop, and a call on it, compiled before it has a profile, would put it on
 * the heap.
 */
abstract class PanamaFloatOps implements VectorOps {

  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final VectorOps NARROW = new ScalarVectorOps();

  @Override
  public void squaredDistances(float[] tile, int width, float[] x, int dims, float[] out, int o) {
    assert tile.length >= dims * width && x.length >= dims && out.length >= o + width;
    if (width < LANES) {
      NARROW.squaredDistances(tile, width, x, dims, out, o);
      return;
    }
    // Literal widths: range checks leave the loops only where the stride is a constant.
    switch (width) {
      case 32 -> squared(tile, 32, x, dims, out, o);
      case 16 -> squared(tile, 16, x, dims, out, o);
      default -> squared(tile, 8, x, dims, out, o);
    }
  }

  private static void squared(float[] tile, int width, float[] x, int dims, float[] out, int o) {
    if (width >= 2 * LANES) {
      for (int l = 0; l < width; l += 2 * LANES) {
        // Two sums overlap too little; but with few features the next tile's sums fill the gap.
        if (dims < 32) {
          squaredFew(tile, width, l, x, dims, out, o + l);
        } else {
          squaredMany(tile, width, l, x, dims, out, o + l);
        }
      }
    } else {
      squared1(tile, width, x, dims, out, o);
    }
  }

  private static void squaredMany(
      float[] tile, int width, int l, float[] x, int dims, float[] out, int o) {
    FloatVector s0 = FloatVector.zero(SPECIES);
    FloatVector s1 = s0;
    FloatVector t0 = s0;
    FloatVector t1 = s0;
    int even = dims & -2;
    for (int j = 0; j < even; j += 2) {
      FloatVector d0 =
          FloatVector.broadcast(SPECIES, x[j])
              .sub(FloatVector.fromArray(SPECIES, tile, j * width + l));
      FloatVector d1 =
          FloatVector.broadcast(SPECIES, x[j])
              .sub(FloatVector.fromArray(SPECIES, tile, j * width + l + LANES));
      FloatVector e0 =
          FloatVector.broadcast(SPECIES, x[j + 1])
              .sub(FloatVector.fromArray(SPECIES, tile, (j + 1) * width + l));
      FloatVector e1 =
          FloatVector.broadcast(SPECIES, x[j + 1])
              .sub(FloatVector.fromArray(SPECIES, tile, (j + 1) * width + l + LANES));
      s0 = d0.fma(d0, s0);
      s1 = d1.fma(d1, s1);
      t0 = e0.fma(e0, t0);
      t1 = e1.fma(e1, t1);
    }
    if (even < dims) {
      FloatVector d0 =
          FloatVector.broadcast(SPECIES, x[even])
              .sub(FloatVector.fromArray(SPECIES, tile, even * width + l));
      FloatVector d1 =
          FloatVector.broadcast(SPECIES, x[even])
              .sub(FloatVector.fromArray(SPECIES, tile, even * width + l + LANES));
      s0 = d0.fma(d0, s0);
      s1 = d1.fma(d1, s1);
    }
    FloatVector zero = FloatVector.zero(SPECIES);
    zero.add(s0).add(t0).intoArray(out, o);
    zero.add(s1).add(t1).intoArray(out, o + LANES);
  }

  private static void squaredFew(
      float[] tile, int width, int l, float[] x, int dims, float[] out, int o) {
    FloatVector s0 = FloatVector.zero(SPECIES);
    FloatVector s1 = s0;
    for (int j = 0; j < dims; j++) {
      FloatVector v = FloatVector.broadcast(SPECIES, x[j]);
      FloatVector d0 = v.sub(FloatVector.fromArray(SPECIES, tile, j * width + l));
      FloatVector d1 = v.sub(FloatVector.fromArray(SPECIES, tile, j * width + l + LANES));
      s0 = d0.fma(d0, s0);
      s1 = d1.fma(d1, s1);
    }
    FloatVector zero = FloatVector.zero(SPECIES);
    zero.add(s0).intoArray(out, o);
    zero.add(s1).intoArray(out, o + LANES);
  }

  private static void squared1(float[] tile, int width, float[] x, int dims, float[] out, int o) {
    FloatVector s = FloatVector.zero(SPECIES);
    for (int j = 0; j < dims; j++) {
      FloatVector d =
          FloatVector.broadcast(SPECIES, x[j]).sub(FloatVector.fromArray(SPECIES, tile, j * width));
      s = d.fma(d, s);
    }
    FloatVector zero = FloatVector.zero(SPECIES);
    zero.add(s).intoArray(out, o);
  }

  @Override
  public void dots(
      float[] tile, int width, int[] indices, float[] values, int nnz, float[] out, int o) {
    assert indices.length >= nnz && values.length >= nnz && out.length >= o + width;
    if (width < LANES) {
      NARROW.dots(tile, width, indices, values, nnz, out, o);
      return;
    }
    switch (width) {
      case 32 -> dotsOf(tile, 32, indices, values, nnz, out, o);
      case 16 -> dotsOf(tile, 16, indices, values, nnz, out, o);
      default -> dotsOf(tile, 8, indices, values, nnz, out, o);
    }
  }

  private static void dotsOf(
      float[] tile, int width, int[] indices, float[] values, int nnz, float[] out, int o) {
    if (width >= 2 * LANES) {
      for (int l = 0; l < width; l += 2 * LANES) {
        dots2(tile, width, l, indices, values, nnz, out, o + l);
      }
    } else {
      dots1(tile, width, 0, indices, values, nnz, out, o);
    }
  }

  private static void dots2(
      float[] tile, int width, int l, int[] indices, float[] values, int nnz, float[] out, int o) {
    FloatVector s0 = FloatVector.zero(SPECIES);
    FloatVector s1 = s0;
    for (int k = 0; k < nnz; k++) {
      FloatVector v = FloatVector.broadcast(SPECIES, values[k]);
      int at = indices[k] * width + l;
      s0 = FloatVector.fromArray(SPECIES, tile, at).fma(v, s0);
      s1 = FloatVector.fromArray(SPECIES, tile, at + LANES).fma(v, s1);
    }
    FloatVector zero = FloatVector.zero(SPECIES);
    zero.add(s0).intoArray(out, o);
    zero.add(s1).intoArray(out, o + LANES);
  }

  private static void dots1(
      float[] tile, int width, int l, int[] indices, float[] values, int nnz, float[] out, int o) {
    FloatVector s = FloatVector.zero(SPECIES);
    for (int k = 0; k < nnz; k++) {
      FloatVector v = FloatVector.broadcast(SPECIES, values[k]);
      s = FloatVector.fromArray(SPECIES, tile, indices[k] * width + l).fma(v, s);
    }
    FloatVector zero = FloatVector.zero(SPECIES);
    zero.add(s).intoArray(out, o);
  }

  @Override
  public void squaredFromDots(float xx, float[] norms, float[] dotsThenSquared, int n) {
    int bound = SPECIES.loopBound(n);
    FloatVector v = FloatVector.broadcast(SPECIES, xx);
    FloatVector minus2 = FloatVector.broadcast(SPECIES, -2);
    for (int i = 0; i < bound; i += LANES) {
      FloatVector sum = FloatVector.fromArray(SPECIES, norms, i).add(v);
      FloatVector squared = FloatVector.fromArray(SPECIES, dotsThenSquared, i).fma(minus2, sum);
      squared.reinterpretAsInts().max(0).reinterpretAsFloats().intoArray(dotsThenSquared, i);
    }
    for (int i = bound; i < n; i++) {
      dotsThenSquared[i] = Math.max(0, xx + norms[i] - 2 * dotsThenSquared[i]);
    }
  }

  @Override
  public void exp(float[] in, float factor, float[] out, int n) {
    int padded = (n + LANES - 1) & -LANES;
    int bound = padded <= Math.min(in.length, out.length) ? padded : n & -LANES;
    PanamaExp.expOfMinus(in, -factor, out, bound);
    for (int i = bound; i < n; i++) {
      out[i] = ExpPolynomial.expOfMinus(in[i] * -factor);
    }
  }

  @Override
  public float weightedExp(float[] in, float factor, float[] weights, float[] scratch, int n) {
    int padded = (n + LANES - 1) & -LANES;
    int bound = padded <= Math.min(in.length, weights.length) ? padded : n & -LANES;
    float sum = PanamaExp.weightedExpOfMinus(in, -factor, weights, bound);
    for (int i = bound; i < n; i++) {
      sum += weights[i] * ExpPolynomial.expOfMinus(in[i] * -factor);
    }
    return sum;
  }

  @Override
  public float dot(float[] a, float[] b, int n) {
    FloatVector s0 = FloatVector.zero(SPECIES);
    FloatVector s1 = s0;
    FloatVector s2 = s0;
    FloatVector s3 = s0;
    int i = 0;
    for (; i <= n - 4 * LANES; i += 4 * LANES) {
      s0 = FloatVector.fromArray(SPECIES, a, i).fma(FloatVector.fromArray(SPECIES, b, i), s0);
      s1 =
          FloatVector.fromArray(SPECIES, a, i + LANES)
              .fma(FloatVector.fromArray(SPECIES, b, i + LANES), s1);
      s2 =
          FloatVector.fromArray(SPECIES, a, i + 2 * LANES)
              .fma(FloatVector.fromArray(SPECIES, b, i + 2 * LANES), s2);
      s3 =
          FloatVector.fromArray(SPECIES, a, i + 3 * LANES)
              .fma(FloatVector.fromArray(SPECIES, b, i + 3 * LANES), s3);
    }
    for (; i <= n - LANES; i += LANES) {
      s0 = FloatVector.fromArray(SPECIES, a, i).fma(FloatVector.fromArray(SPECIES, b, i), s0);
    }
    FloatVector zero = FloatVector.zero(SPECIES);
    // Not reduceLanes: its order differs between compiled and interpreted code, and so would bits.
    FloatVector total = zero.add(s0).add(s1).add(zero.add(s2).add(s3));
    float sum = total.lane(0) + total.lane(1) + (total.lane(2) + total.lane(3));
    if (LANES > 4) {
      sum += total.lane(4) + total.lane(5) + (total.lane(6) + total.lane(7));
    }
    if (LANES > 8) {
      sum +=
          total.lane(8)
              + total.lane(9)
              + (total.lane(10) + total.lane(11))
              + (total.lane(12) + total.lane(13) + (total.lane(14) + total.lane(15)));
    }
    for (; i < n; i++) {
      sum = Math.fma(a[i], b[i], sum);
    }
    return sum;
  }
}
