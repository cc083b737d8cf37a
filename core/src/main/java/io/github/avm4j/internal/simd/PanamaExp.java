// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.simd;

import static io.github.avm4j.internal.simd.ExpPolynomial.C10;
import static io.github.avm4j.internal.simd.ExpPolynomial.C11;
import static io.github.avm4j.internal.simd.ExpPolynomial.C2;
import static io.github.avm4j.internal.simd.ExpPolynomial.C3;
import static io.github.avm4j.internal.simd.ExpPolynomial.C4;
import static io.github.avm4j.internal.simd.ExpPolynomial.C5;
import static io.github.avm4j.internal.simd.ExpPolynomial.C6;
import static io.github.avm4j.internal.simd.ExpPolynomial.C7;
import static io.github.avm4j.internal.simd.ExpPolynomial.C8;
import static io.github.avm4j.internal.simd.ExpPolynomial.C9;
import static io.github.avm4j.internal.simd.ExpPolynomial.LIMIT_BITS;
import static io.github.avm4j.internal.simd.ExpPolynomial.LN2_HIGH;
import static io.github.avm4j.internal.simd.ExpPolynomial.LN2_LOW;
import static io.github.avm4j.internal.simd.ExpPolynomial.LOG2_E;
import static io.github.avm4j.internal.simd.ExpPolynomial.MAGIC;
import static io.github.avm4j.internal.simd.ExpPolynomial.SHIFT;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * {@link ExpPolynomial} on vectors.
 *
 * <p>One vector per turn and no helper methods in the loops: each Vector API call costs the
 * compiler hundreds of nodes, and past its limit (NodeCountInliningCutoff) it stops inlining ours,
 * after which every vector is an object on the heap. These methods are meant to be too long to be
 * inlined themselves (FreqInlineSize), so that callers do not run into that limit either.
 */
final class PanamaExp {

  private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_PREFERRED;

  private PanamaExp() {}

  /** out = exp(−factor·in) on whole vectors. */
  static void expOfMinus(double[] in, double factor, double[] out, int bound) {
    DoubleVector gamma = DoubleVector.broadcast(DOUBLES, factor);
    DoubleVector log2e = DoubleVector.broadcast(DOUBLES, -LOG2_E);
    DoubleVector magic = DoubleVector.broadcast(DOUBLES, MAGIC);
    DoubleVector ln2High = DoubleVector.broadcast(DOUBLES, LN2_HIGH);
    DoubleVector ln2Low = DoubleVector.broadcast(DOUBLES, LN2_LOW);
    DoubleVector c11 = DoubleVector.broadcast(DOUBLES, -C11);
    DoubleVector c10 = DoubleVector.broadcast(DOUBLES, C10);
    DoubleVector c9 = DoubleVector.broadcast(DOUBLES, -C9);
    DoubleVector c8 = DoubleVector.broadcast(DOUBLES, C8);
    DoubleVector c7 = DoubleVector.broadcast(DOUBLES, -C7);
    DoubleVector c6 = DoubleVector.broadcast(DOUBLES, C6);
    DoubleVector c5 = DoubleVector.broadcast(DOUBLES, -C5);
    DoubleVector c4 = DoubleVector.broadcast(DOUBLES, C4);
    DoubleVector c3 = DoubleVector.broadcast(DOUBLES, -C3);
    DoubleVector c2 = DoubleVector.broadcast(DOUBLES, C2);
    DoubleVector minusOne = DoubleVector.broadcast(DOUBLES, -1.0);
    DoubleVector one = DoubleVector.broadcast(DOUBLES, 1.0);
    LongVector limit = LongVector.broadcast(LONGS, LIMIT_BITS);
    for (int i = 0; i < bound; i += DOUBLES.length()) {
      DoubleVector q = DoubleVector.fromArray(DOUBLES, in, i).mul(gamma);
      DoubleVector c = q.reinterpretAsLongs().min(limit).reinterpretAsDoubles();
      DoubleVector t = c.fma(log2e, magic);
      DoubleVector n = t.sub(magic);
      DoubleVector r = n.fma(ln2Low, n.fma(ln2High, c));
      DoubleVector p = r.fma(c11, c10);
      p = p.fma(r, c9);
      p = p.fma(r, c8);
      p = p.fma(r, c7);
      p = p.fma(r, c6);
      p = p.fma(r, c5);
      p = p.fma(r, c4);
      p = p.fma(r, c3);
      p = p.fma(r, c2);
      p = p.fma(r, minusOne);
      p = p.fma(r, one);
      LongVector power = t.reinterpretAsLongs().lanewise(VectorOperators.LSHL, SHIFT);
      p.mul(power.reinterpretAsDoubles()).intoArray(out, i);
    }
  }

  /** Σ weights·exp(−factor·in) over whole vectors. */
  static double weightedExpOfMinus(double[] in, double factor, double[] weights, int bound) {
    DoubleVector gamma = DoubleVector.broadcast(DOUBLES, factor);
    DoubleVector log2e = DoubleVector.broadcast(DOUBLES, -LOG2_E);
    DoubleVector magic = DoubleVector.broadcast(DOUBLES, MAGIC);
    DoubleVector ln2High = DoubleVector.broadcast(DOUBLES, LN2_HIGH);
    DoubleVector ln2Low = DoubleVector.broadcast(DOUBLES, LN2_LOW);
    DoubleVector c11 = DoubleVector.broadcast(DOUBLES, -C11);
    DoubleVector c10 = DoubleVector.broadcast(DOUBLES, C10);
    DoubleVector c9 = DoubleVector.broadcast(DOUBLES, -C9);
    DoubleVector c8 = DoubleVector.broadcast(DOUBLES, C8);
    DoubleVector c7 = DoubleVector.broadcast(DOUBLES, -C7);
    DoubleVector c6 = DoubleVector.broadcast(DOUBLES, C6);
    DoubleVector c5 = DoubleVector.broadcast(DOUBLES, -C5);
    DoubleVector c4 = DoubleVector.broadcast(DOUBLES, C4);
    DoubleVector c3 = DoubleVector.broadcast(DOUBLES, -C3);
    DoubleVector c2 = DoubleVector.broadcast(DOUBLES, C2);
    DoubleVector minusOne = DoubleVector.broadcast(DOUBLES, -1.0);
    DoubleVector one = DoubleVector.broadcast(DOUBLES, 1.0);
    LongVector limit = LongVector.broadcast(LONGS, LIMIT_BITS);
    DoubleVector total = DoubleVector.zero(DOUBLES);
    for (int i = 0; i < bound; i += DOUBLES.length()) {
      DoubleVector q = DoubleVector.fromArray(DOUBLES, in, i).mul(gamma);
      DoubleVector c = q.reinterpretAsLongs().min(limit).reinterpretAsDoubles();
      DoubleVector t = c.fma(log2e, magic);
      DoubleVector n = t.sub(magic);
      DoubleVector r = n.fma(ln2Low, n.fma(ln2High, c));
      DoubleVector p = r.fma(c11, c10);
      p = p.fma(r, c9);
      p = p.fma(r, c8);
      p = p.fma(r, c7);
      p = p.fma(r, c6);
      p = p.fma(r, c5);
      p = p.fma(r, c4);
      p = p.fma(r, c3);
      p = p.fma(r, c2);
      p = p.fma(r, minusOne);
      p = p.fma(r, one);
      LongVector power = t.reinterpretAsLongs().lanewise(VectorOperators.LSHL, SHIFT);
      DoubleVector e = p.mul(power.reinterpretAsDoubles());
      total = e.fma(DoubleVector.fromArray(DOUBLES, weights, i), total);
    }
    // Not reduceLanes: its order differs between compiled and interpreted code, and so would bits.
    double sum = total.lane(0) + total.lane(1);
    if (DOUBLES.length() > 2) {
      sum += total.lane(2) + total.lane(3);
    }
    if (DOUBLES.length() > 4) {
      sum += total.lane(4) + total.lane(5) + (total.lane(6) + total.lane(7));
    }
    return sum;
  }
}
