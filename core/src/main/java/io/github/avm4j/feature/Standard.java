// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.feature;

/**
 * What is done to a number before it becomes a feature of a sparse vector, where {@link Scaling}
 * cannot shift: (g(x) − shift)·scale, cut to ±{@link Scaling#LIMIT}, g being the identity or
 * sign(x)·log(1+|x|).
 *
 * @param shift what is subtracted
 * @param scale what is multiplied by; 0 for a number that is passed as it is
 * @param logarithm whether the logarithm is taken first
 */
public record Standard(double shift, double scale, boolean logarithm) {
  /** Passes numbers as they are. */
  public static final Standard NONE = new Standard(0, 0, false);

  /**
   * Checks that both numbers are finite.
   *
   * @param shift what is subtracted
   * @param scale what is multiplied by; 0 for a number that is passed as it is
   * @param logarithm whether the logarithm is taken first
   */
  public Standard {
    if (!Double.isFinite(shift) || !Double.isFinite(scale)) {
      throw new IllegalArgumentException(
          "shift and scale must be finite, were " + shift + " and " + scale);
    }
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
    return Math.max(-Scaling.LIMIT, Math.min(Scaling.LIMIT, (g - shift) * scale));
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
