// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.simd;

/**
 * exp(−q) = 2^n · p(−r), with n = round(−q/ln 2) and r = q + n·ln 2, so |r| ≤ ln(2)/2.
 *
 * <p>{@code C2…C11} are minimax coefficients of p(r) = 1 + r + C2·r² + …; relative error 4e-18.
 * Adding {@code MAGIC} = 1.5·2^52 + 1023 rounds to an integer and leaves the biased exponent of 2^n
 * in the low bits, so a left shift makes 2^n. At {@code LIMIT} that exponent is 0, which reads as
 * 0.0: clamping q to LIMIT is all the underflow handling there is.
 *
 * <p>q is clamped as a long: on non-negative doubles the order of the bits is the numeric order.
 */
final class ExpPolynomial {

  static final double LOG2_E = 1.4426950408889634;
  static final double LN2_HIGH = 0x1.62e42fee00000p-1;
  static final double LN2_LOW = 0x1.a39ef35793c76p-33;
  static final double MAGIC = 0x1.8p52 + 1023;
  static final long LIMIT_BITS = Double.doubleToRawLongBits(1023 * 0.6931471805599453);
  static final int SHIFT = 52;

  static final double C2 = 0x1.000000000000ap-1;
  static final double C3 = 0x1.55555555554f9p-3;
  static final double C4 = 0x1.555555555083fp-5;
  static final double C5 = 0x1.1111111127d19p-7;
  static final double C6 = 0x1.6c16c18438939p-10;
  static final double C7 = 0x1.a01a012a0ad66p-13;
  static final double C8 = 0x1.a01999e2a9f5cp-16;
  static final double C9 = 0x1.71df25be26102p-19;
  static final double C10 = 0x1.28ad9b4a599e7p-22;
  static final double C11 = 0x1.ad7f2bbf8a653p-26;

  private ExpPolynomial() {}

  /** exp(−q) by the vector code's operations in its order. Slow where the CPU has no fma. */
  static double expOfMinus(double q) {
    double c = Double.longBitsToDouble(Math.min(Double.doubleToRawLongBits(q), LIMIT_BITS));
    double t = Math.fma(c, -LOG2_E, MAGIC);
    double n = t - MAGIC;
    double r = Math.fma(n, LN2_LOW, Math.fma(n, LN2_HIGH, c));
    double p = Math.fma(r, -C11, C10);
    p = Math.fma(p, r, -C9);
    p = Math.fma(p, r, C8);
    p = Math.fma(p, r, -C7);
    p = Math.fma(p, r, C6);
    p = Math.fma(p, r, -C5);
    p = Math.fma(p, r, C4);
    p = Math.fma(p, r, -C3);
    p = Math.fma(p, r, C2);
    p = Math.fma(p, r, -1);
    p = Math.fma(p, r, 1);
    return p * Double.longBitsToDouble(Double.doubleToRawLongBits(t) << SHIFT);
  }
}
