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

/**
 * {@link ExpPolynomial} in plain Java, in two loops: the compiler vectorises the polynomial, which
 * is nothing but sums and products, and would not if the bits of 2^n were made in the same loop.
 */
final class ScalarExp {
  private static final double LIMIT = Double.longBitsToDouble(LIMIT_BITS);

  private ScalarExp() {}

  /** out = exp(factor·in); the arrays are distinct. */
  static void exp(double[] in, double factor, double[] out, int n) {
    polynomial(in, factor, out, n);
    scale(in, factor, out, n);
  }

  private static void polynomial(double[] in, double factor, double[] out, int n) {
    for (int i = 0; i < n; i++) {
      double q = factor * in[i];
      double m = (q * LOG2_E + MAGIC) - MAGIC;
      double r = (q - m * LN2_HIGH) - m * LN2_LOW;
      double p = r * C11 + C10;
      p = p * r + C9;
      p = p * r + C8;
      p = p * r + C7;
      p = p * r + C6;
      p = p * r + C5;
      p = p * r + C4;
      p = p * r + C3;
      p = p * r + C2;
      p = p * r + 1;
      out[i] = p * r + 1;
    }
  }

  private static void scale(double[] in, double factor, double[] out, int n) {
    for (int i = 0; i < n; i++) {
      double q = factor * in[i];
      long power = Double.doubleToRawLongBits(q * LOG2_E + MAGIC) << SHIFT;
      out[i] = q > -LIMIT ? out[i] * Double.longBitsToDouble(power) : 0;
    }
  }
}
