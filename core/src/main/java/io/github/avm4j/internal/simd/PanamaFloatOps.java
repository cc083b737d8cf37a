// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.simd;

import static io.github.avm4j.internal.simd.ExpPolynomial.F2;
import static io.github.avm4j.internal.simd.ExpPolynomial.F3;
import static io.github.avm4j.internal.simd.ExpPolynomial.F4;
import static io.github.avm4j.internal.simd.ExpPolynomial.F5;
import static io.github.avm4j.internal.simd.ExpPolynomial.F6;
import static io.github.avm4j.internal.simd.ExpPolynomial.F_LIMIT_BITS;
import static io.github.avm4j.internal.simd.ExpPolynomial.F_LN2_HIGH;
import static io.github.avm4j.internal.simd.ExpPolynomial.F_LN2_LOW;
import static io.github.avm4j.internal.simd.ExpPolynomial.F_LOG2_E;
import static io.github.avm4j.internal.simd.ExpPolynomial.F_MAGIC;
import static io.github.avm4j.internal.simd.ExpPolynomial.F_SHIFT;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/** The float half of {@link PanamaVectorOps}. Tiles narrower than a vector go the scalar way. */
abstract class PanamaFloatOps implements VectorOps {

  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();
  private static final VectorSpecies<Integer> BITS = IntVector.SPECIES_PREFERRED;
  private static final VectorOps NARROW = new ScalarVectorOps();
  private static final float MINUS_2 = -2;

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
    if (width >= 4 * LANES) {
      for (int l = 0; l < width; l += 4 * LANES) {
        squared4(tile, width, l, x, dims, out, o + l);
      }
    } else {
      for (int l = 0; l < width; l += LANES) {
        squared1(tile, width, l, x, dims, out, o + l);
      }
    }
  }

  private static void squared4(
      float[] tile, int width, int l, float[] x, int dims, float[] out, int o) {
    FloatVector s0 = FloatVector.zero(SPECIES);
    FloatVector s1 = s0;
    FloatVector s2 = s0;
    FloatVector s3 = s0;
    for (int j = 0; j < dims; j++) {
      FloatVector v = FloatVector.broadcast(SPECIES, x[j]);
      int at = j * width + l;
      FloatVector d0 = v.sub(FloatVector.fromArray(SPECIES, tile, at));
      FloatVector d1 = v.sub(FloatVector.fromArray(SPECIES, tile, at + LANES));
      FloatVector d2 = v.sub(FloatVector.fromArray(SPECIES, tile, at + 2 * LANES));
      FloatVector d3 = v.sub(FloatVector.fromArray(SPECIES, tile, at + 3 * LANES));
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

  private static void squared1(
      float[] tile, int width, int l, float[] x, int dims, float[] out, int o) {
    FloatVector s0 = FloatVector.zero(SPECIES);
    FloatVector s1 = s0;
    int j = 0;
    for (; j < dims - 1; j += 2) {
      FloatVector d0 = difference(x[j], tile, j * width + l);
      FloatVector d1 = difference(x[j + 1], tile, (j + 1) * width + l);
      s0 = d0.fma(d0, s0);
      s1 = d1.fma(d1, s1);
    }
    if (j < dims) {
      FloatVector d0 = difference(x[j], tile, j * width + l);
      s0 = d0.fma(d0, s0);
    }
    s0.add(s1).intoArray(out, o);
  }

  private static FloatVector difference(float v, float[] tile, int at) {
    return FloatVector.broadcast(SPECIES, v).sub(FloatVector.fromArray(SPECIES, tile, at));
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
      float[] tile, int width, int l, int[] indices, float[] values, int nnz, float[] out, int o) {
    FloatVector s0 = FloatVector.zero(SPECIES);
    FloatVector s1 = s0;
    FloatVector s2 = s0;
    FloatVector s3 = s0;
    for (int k = 0; k < nnz; k++) {
      FloatVector v = FloatVector.broadcast(SPECIES, values[k]);
      int at = indices[k] * width + l;
      s0 = FloatVector.fromArray(SPECIES, tile, at).fma(v, s0);
      s1 = FloatVector.fromArray(SPECIES, tile, at + LANES).fma(v, s1);
      s2 = FloatVector.fromArray(SPECIES, tile, at + 2 * LANES).fma(v, s2);
      s3 = FloatVector.fromArray(SPECIES, tile, at + 3 * LANES).fma(v, s3);
    }
    s0.intoArray(out, o);
    s1.intoArray(out, o + LANES);
    s2.intoArray(out, o + 2 * LANES);
    s3.intoArray(out, o + 3 * LANES);
  }

  private static void dots1(
      float[] tile, int width, int l, int[] indices, float[] values, int nnz, float[] out, int o) {
    FloatVector s = FloatVector.zero(SPECIES);
    for (int k = 0; k < nnz; k++) {
      FloatVector v = FloatVector.broadcast(SPECIES, values[k]);
      s = FloatVector.fromArray(SPECIES, tile, indices[k] * width + l).fma(v, s);
    }
    s.intoArray(out, o);
  }

  @Override
  public void squaredFromDots(float xx, float[] norms, float[] dotsThenSquared, int n) {
    int bound = SPECIES.loopBound(n);
    FloatVector v = FloatVector.broadcast(SPECIES, xx);
    for (int i = 0; i < bound; i += LANES) {
      FloatVector sum = FloatVector.fromArray(SPECIES, norms, i).add(v);
      FloatVector squared =
          FloatVector.fromArray(SPECIES, dotsThenSquared, i).fma(vector(MINUS_2), sum);
      squared.max(0).intoArray(dotsThenSquared, i);
    }
    for (int i = bound; i < n; i++) {
      dotsThenSquared[i] = Math.max(0, xx + norms[i] - 2 * dotsThenSquared[i]);
    }
  }

  @Override
  public void exp(float[] in, float factor, float[] out, int n) {
    int padded = (n + LANES - 1) & -LANES;
    int bound = padded <= Math.min(in.length, out.length) ? padded : n & -LANES;
    expOfMinus(in, -factor, out, bound);
    for (int i = bound; i < n; i++) {
      out[i] = ExpPolynomial.expOfMinus(in[i] * -factor);
    }
  }

  /** out = exp(−factor·in) on whole vectors. Too long to be inlined, see the class comment. */
  private static void expOfMinus(float[] in, float factor, float[] out, int bound) {
    FloatVector gamma = vector(factor);
    FloatVector log2e = vector(-F_LOG2_E);
    FloatVector magic = vector(F_MAGIC);
    FloatVector ln2High = vector(F_LN2_HIGH);
    FloatVector ln2Low = vector(F_LN2_LOW);
    FloatVector c6 = vector(F6);
    FloatVector c5 = vector(-F5);
    FloatVector c4 = vector(F4);
    FloatVector c3 = vector(-F3);
    FloatVector c2 = vector(F2);
    FloatVector minusOne = vector(-1);
    FloatVector one = vector(1);
    IntVector limit = IntVector.broadcast(BITS, F_LIMIT_BITS);
    for (int i = 0; i < bound; i += LANES) {
      FloatVector q = FloatVector.fromArray(SPECIES, in, i).mul(gamma);
      FloatVector c = q.reinterpretAsInts().min(limit).reinterpretAsFloats();
      FloatVector t = c.fma(log2e, magic);
      FloatVector n = t.sub(magic);
      FloatVector r = n.fma(ln2Low, n.fma(ln2High, c));
      FloatVector p = r.fma(c6, c5);
      p = p.fma(r, c4);
      p = p.fma(r, c3);
      p = p.fma(r, c2);
      p = p.fma(r, minusOne);
      p = p.fma(r, one);
      IntVector power = t.reinterpretAsInts().lanewise(VectorOperators.LSHL, F_SHIFT);
      p.mul(power.reinterpretAsFloats()).intoArray(out, i);
    }
  }

  private static FloatVector vector(float v) {
    return FloatVector.broadcast(SPECIES, v);
  }

  @Override
  public float dot(float[] a, float[] b, int n) {
    FloatVector s0 = FloatVector.zero(SPECIES);
    FloatVector s1 = s0;
    FloatVector s2 = s0;
    FloatVector s3 = s0;
    int i = 0;
    for (; i <= n - 4 * LANES; i += 4 * LANES) {
      s0 = at(a, i).fma(at(b, i), s0);
      s1 = at(a, i + LANES).fma(at(b, i + LANES), s1);
      s2 = at(a, i + 2 * LANES).fma(at(b, i + 2 * LANES), s2);
      s3 = at(a, i + 3 * LANES).fma(at(b, i + 3 * LANES), s3);
    }
    for (; i <= n - LANES; i += LANES) {
      s0 = at(a, i).fma(at(b, i), s0);
    }
    float sum = s0.add(s1).add(s2.add(s3)).reduceLanes(VectorOperators.ADD);
    for (; i < n; i++) {
      sum = Math.fma(a[i], b[i], sum);
    }
    return sum;
  }

  private static FloatVector at(float[] a, int i) {
    return FloatVector.fromArray(SPECIES, a, i);
  }
}
