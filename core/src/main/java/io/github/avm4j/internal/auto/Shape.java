// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.kernel.Matern32;
import java.util.List;

/**
 * A kernel relative to the distances between rows: γ is a multiple of the inverse of the median
 * distance, squared for the Gaussian; unless γ is set.
 *
 * <p>The kernel is nearly settled by the median. Over the development streams the best of the four
 * in {@link #PRIOR} is 1 to 2 % from the best of any, the best single one 4 %; a search for γ took
 * more than half of the time and brought no more.
 *
 * @param gaussian Gaussian, else Matérn 3/2
 * @param factor the multiple
 * @param fixed whether the factor is γ itself
 */
record Shape(boolean gaussian, double factor, boolean fixed) {
  private static final Shape USUAL = new Shape(false, 1);

  /** For fields without detail: as good as linear, with few core points. */
  private static final Shape FLAT = new Shape(true, 0.02);

  private static final Shape SMOOTH = new Shape(true, 1.6);

  /** The entrants of the beginning. */
  static final List<Shape> PRIOR = List.of(USUAL, new Shape(false, 0.25), SMOOTH, FLAT);

  /** Entrants where the kernel must be Gaussian. */
  static final List<Shape> GAUSSIANS =
      List.of(new Shape(true, 0.4), SMOOTH, new Shape(true, 0.1), FLAT);

  /** Of a Matérn kernel as wide as a plain linear field over unweighed features asks for. */
  static final Shape NARROW = new Shape(false, 2);

  Shape(boolean gaussian, double factor) {
    this(gaussian, factor, false);
  }

  /** A Gaussian kernel of this γ. */
  static Shape ofGamma(double gamma) {
    return new Shape(true, gamma, true);
  }

  /** The kernel for a median of squared distances. */
  Kernel kernel(double median) {
    if (fixed) {
      return new Gaussian(factor);
    }
    return gaussian ? new Gaussian(factor / median) : new Matern32(factor / Math.sqrt(median));
  }

  /** Half as wide. */
  Shape half() {
    return fixed ? this : new Shape(gaussian, (gaussian ? 4 : 2) * factor);
  }

  /** Twice as wide. */
  Shape twice() {
    return fixed ? this : new Shape(gaussian, factor / (gaussian ? 4 : 2));
  }

  /** Whether it stands for its family where another is to be compared with it. */
  boolean representsFamily() {
    return !equals(FLAT);
  }

  /** What to compare with where no entrant of the other family is left. */
  Shape counterpart() {
    return gaussian ? USUAL : factor > 0.5 ? SMOOTH : new Shape(false, 4 * factor);
  }

  /** The distance at which a kernel has fallen. */
  static double width(Kernel kernel) {
    return kernel instanceof Gaussian gauss ? 1 / Math.sqrt(2 * gauss.gamma()) : 1 / kernel.gamma();
  }

  @Override
  public String toString() {
    return (gaussian ? "Gaussian " : "Matérn 3/2 ") + (fixed ? "γ = " : "") + factor;
  }
}
