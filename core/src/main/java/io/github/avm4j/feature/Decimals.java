// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.feature;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/**
 * Decimal text to the nearest double, as {@link Double#parseDouble} rounds it, without making a
 * string for nearly all numbers people write.
 *
 * <p>Three ways, fastest first: a mantissa below 2^53 and a power of ten up to 22, both exact as
 * doubles, need one rounding (Clinger 1990); up to 19 digits and a power of ten up to 10^±60 go
 * through a 128-bit product (Lemire 2021), which knows when it is not sure; the rest is left to the
 * JDK.
 */
public final class Decimals {
  private static final int RANGE = 60;
  private static final long EXACT = 1L << 53;
  private static final long[] HIGH = new long[2 * RANGE + 1];
  private static final long[] LOW = new long[2 * RANGE + 1];
  private static final double[] TENS = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22
  };

  static {
    for (int q = -RANGE; q <= RANGE; q++) {
      BigInteger five = fiveTo128Bits(q);
      HIGH[q + RANGE] = five.shiftRight(64).longValue();
      LOW[q + RANGE] = five.longValue();
    }
  }

  private Decimals() {}

  /** 5^q scaled by a power of two into [2^127, 2^128): cut for q ≥ 0, rounded up for q &lt; 0. */
  private static BigInteger fiveTo128Bits(int q) {
    BigInteger power = BigInteger.valueOf(5).pow(Math.abs(q));
    if (q >= 0) {
      int shift = 128 - power.bitLength();
      return shift >= 0 ? power.shiftLeft(shift) : power.shiftRight(-shift);
    }
    int bits = power.subtract(BigInteger.ONE).bitLength();
    int scale = q >= -27 ? bits + 127 : 2 * bits + 128;
    BigInteger reciprocal = BigInteger.ONE.shiftLeft(scale).divide(power).add(BigInteger.ONE);
    return reciprocal.shiftRight(Math.max(0, reciprocal.bitLength() - 128));
  }

  /**
   * {@return the number that a text writes; NaN if it is none}
   *
   * @param text the text, without blanks around it
   */
  public static double parse(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return parse(bytes, 0, bytes.length);
  }

  /**
   * {@return the number written in {@code text[from, to)}: sign, digits with at most one point,
   * exponent; NaN if that is not what stands there; an infinity if it is too large for a double}
   *
   * @param text holds the text, in ASCII
   * @param from where it begins
   * @param to where it ends
   */
  public static double parse(byte[] text, int from, int to) {
    int i = from;
    boolean negative = false;
    if (i < to && (text[i] == '-' || text[i] == '+')) {
      negative = text[i++] == '-';
    }
    int start = i;
    long mantissa = 0;
    int d;
    while (i < to && (d = text[i] - '0') >= 0 && d <= 9) {
      mantissa = 10 * mantissa + d;
      i++;
    }
    int digits = i - start;
    int exponent = 0;
    if (i < to && text[i] == '.') {
      int point = ++i;
      while (i < to && (d = text[i] - '0') >= 0 && d <= 9) {
        mantissa = 10 * mantissa + d;
        i++;
      }
      exponent = point - i;
      digits -= exponent;
    }
    if (digits == 0) {
      return Double.NaN;
    }
    if (i < to) {
      int written = exponent(text, i, to);
      if (written == Integer.MIN_VALUE) {
        return Double.NaN;
      }
      exponent += written;
    }
    return digits <= 19 || significant(text, start, digits) <= 19
        ? value(mantissa, exponent, negative, text, from, to)
        : slow(text, from, to);
  }

  /** The exponent written from {@code i} on, kept within ±10^5; MIN_VALUE if there is none. */
  private static int exponent(byte[] text, int i, int to) {
    if ((text[i] | 0x20) != 'e' || ++i == to) {
      return Integer.MIN_VALUE;
    }
    boolean negative = text[i] == '-';
    if ((negative || text[i] == '+') && ++i == to) {
      return Integer.MIN_VALUE;
    }
    int value = 0;
    for (; i < to; i++) {
      int d = text[i] - '0';
      if (d < 0 || d > 9) {
        return Integer.MIN_VALUE;
      }
      value = Math.min(100_000, 10 * value + d);
    }
    return negative ? -value : value;
  }

  /** Digits after the leading zeros. */
  private static int significant(byte[] text, int start, int digits) {
    int left = digits;
    for (int i = start; left > 0 && (text[i] == '0' || text[i] == '.'); i++) {
      if (text[i] == '0') {
        left--;
      }
    }
    return left;
  }

  private static double value(
      long mantissa, int exponent, boolean negative, byte[] text, int from, int to) {
    if (mantissa >= 0 && mantissa <= EXACT && exponent >= -22 && exponent <= 22) {
      double value = exponent < 0 ? mantissa / TENS[-exponent] : mantissa * TENS[exponent];
      return negative ? -value : value;
    }
    if (mantissa == 0) {
      return negative ? -0.0 : 0.0;
    }
    double value =
        exponent >= -RANGE && exponent <= RANGE ? product(mantissa, exponent) : Double.NaN;
    if (Double.isNaN(value)) {
      return slow(text, from, to);
    }
    return negative ? -value : value;
  }

  /** The double nearest to w·10^q, or NaN when 128 bits do not decide it. */
  private static double product(long w, int q) {
    int zeros = Long.numberOfLeadingZeros(w);
    long shifted = w << zeros;
    long upper = multiplyHigh(shifted, HIGH[q + RANGE]);
    long lower = shifted * HIGH[q + RANGE];
    if ((upper & 0x1FF) == 0x1FF) {
      long more = multiplyHigh(shifted, LOW[q + RANGE]);
      lower += more;
      if (Long.compareUnsigned(lower, more) < 0) {
        upper++;
      }
    }
    if (lower == -1 && (q < -27 || q > 55)) {
      return Double.NaN;
    }
    int top = (int) (upper >>> 63);
    long bits = upper >>> (top + 9);
    long power = ((217_706L * q) >> 16) + 63 + top - zeros + 1023;
    boolean tie = lower >= 0 && lower <= 1 && q >= -4 && q <= 23 && (bits & 3) == 1;
    if (tie && bits << (top + 9) == upper) {
      bits &= ~1L;
    }
    bits = (bits + (bits & 1)) >>> 1;
    if (bits >= EXACT) {
      bits = EXACT >> 1;
      power++;
    }
    return Double.longBitsToDouble((bits & ((1L << 52) - 1)) | power << 52);
  }

  /** The upper half of an unsigned product; {@code a} and {@code b} have their top bits set. */
  private static long multiplyHigh(long a, long b) {
    return Math.multiplyHigh(a, b) + ((a >> 63) & b) + ((b >> 63) & a);
  }

  private static double slow(byte[] text, int from, int to) {
    return Double.parseDouble(new String(text, from, to - from, StandardCharsets.ISO_8859_1));
  }
}
