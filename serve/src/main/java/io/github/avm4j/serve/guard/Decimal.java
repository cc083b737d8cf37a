// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.guard;

import java.math.BigInteger;

/**
 * Decimal fractions as doubles, correctly rounded: w·10⁻ᵏ for w &lt; 10¹⁸ and k ≤ {@link #PLACES}.
 *
 * <p>Up to 2⁵³ both w and 10ᵏ are doubles, and one division rounds once. Beyond, w is multiplied by
 * the first 64 bits of 5⁻ᵏ (the method of Eisel and Lemire, "Number parsing at a gigabyte per
 * second", 2021). The true product exceeds the computed one by less than two units of its upper
 * word, which decides the rounding unless half a unit of the result lies within them.
 */
final class Decimal {
  /** Most digits after the point. */
  static final int PLACES = 22;

  /** Most digits of w. */
  static final int DIGITS = 18;

  /** More than the largest w. */
  static final long MOST = 1_000_000_000_000_000_000L;

  private static final long EXACT = 1L << 53;
  private static final double[] POWERS = new double[PLACES + 1];

  /** 5⁻ᵏ is RECIPROCALS[k]·2^−SHIFTS[k], rounded down; the word's first bit is set. */
  private static final long[] RECIPROCALS = new long[PLACES + 1];

  private static final int[] SHIFTS = new int[PLACES + 1];

  static {
    BigInteger five = BigInteger.ONE;
    for (int k = 0; k <= PLACES; k++) {
      POWERS[k] = Double.parseDouble("1e" + k);
      SHIFTS[k] = 63 + (k == 0 ? 0 : five.bitLength());
      RECIPROCALS[k] = BigInteger.ONE.shiftLeft(SHIFTS[k]).divide(five).longValue();
      five = five.multiply(BigInteger.valueOf(5));
    }
  }

  private Decimal() {}

  /** w·10⁻ᵏ for 0 ≤ w &lt; 10¹⁸ and 0 ≤ k ≤ {@link #PLACES}; NaN in the rare undecided case. */
  static double of(long w, int k) {
    if (w <= EXACT) {
      return w / POWERS[k];
    }
    int zeros = Long.numberOfLeadingZeros(w);
    long upper = upperProduct(w << zeros, RECIPROCALS[k]);
    int dropped = upper < 0 ? 11 : 10;
    long rest = upper & ((1L << dropped) - 1);
    long half = 1L << (dropped - 1);
    if (rest == half || rest == half - 1) {
      return Double.NaN;
    }
    long mantissa = (upper >>> dropped) + (rest > half ? 1 : 0);
    int exponent = dropped + 64 - zeros - SHIFTS[k] - k;
    return mantissa * Double.longBitsToDouble((long) (exponent + Double.MAX_EXPONENT) << 52);
  }

  /** Bits 64 to 127 of the product of two words without a sign whose first bit is set. */
  private static long upperProduct(long a, long b) {
    return Math.multiplyHigh(a, b) + a + b;
  }
}
