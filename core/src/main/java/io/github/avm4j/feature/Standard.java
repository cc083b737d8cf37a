// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.feature;

/**
 * What is done to a number before it becomes a feature: (g(x) − shift)·scale, cut to ±limit, g
 * being the identity or sign(x)·log(1+|x|). Sparse vectors need it, where {@link Scaling} cannot
 * shift, and columns whose first numbers came late.
 *
 * @param shift what is subtracted
 * @param scale what is multiplied by; 0 for a number that is passed as it is
 * @param logarithm whether the logarithm is taken first
 * @param limit what the result is cut to, on both sides; infinite for no cut
 */
public record Standard(double shift, double scale, boolean logarithm, double limit) {
  /** Passes numbers as they are. */
  public static final Standard NONE = new Standard(0, 0, false);

  /**
   * Checks the ranges.
   *
   * @param shift what is subtracted
   * @param scale what is multiplied by; 0 for a number that is passed as it is
   * @param logarithm whether the logarithm is taken first
   * @param limit what the result is cut to, on both sides; infinite for no cut
   */
  public Standard {
    if (!Double.isFinite(shift) || !Double.isFinite(scale) || !(limit > 0)) {
      throw new IllegalArgumentException(
          "shift and scale must be finite and limit > 0, were "
              + shift
              + ", "
              + scale
              + " and "
              + limit);
    }
  }

  /**
   * Standardises, with the cut of {@link Scaling#LIMIT}.
   *
   * @param shift what is subtracted
   * @param scale what is multiplied by; 0 for a number that is passed as it is
   * @param logarithm whether the logarithm is taken first
   */
  public Standard(double shift, double scale, boolean logarithm) {
    this(shift, scale, logarithm, Scaling.LIMIT);
  }

  /** Shifts, and nothing else. */
  static Standard shift(double shift) {
    return new Standard(shift, 1, false, Double.POSITIVE_INFINITY);
  }

  /** {@return whether numbers are passed as they are} */
  public boolean isNone() {
    return scale == 0;
  }

  /**
   * {@return the feature that stands for {@code x}}
   *
   * @param x value of the feature
   */
  public double apply(double x) {
    if (isNone()) {
      return x;
    }
    double g = logarithm ? Math.copySign(Math.log1p(Math.abs(x)), x) : x;
    return Math.max(-limit, Math.min(limit, (g - shift) * scale));
  }

  /** The number that {@link #apply} makes {@code z} of, within its limits. */
  double invert(double z) {
    if (isNone()) {
      return z;
    }
    double g = z / scale + shift;
    return logarithm ? Math.copySign(Math.expm1(Math.abs(g)), g) : g;
  }
}
