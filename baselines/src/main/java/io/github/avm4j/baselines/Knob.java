// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.baselines;

import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** A parameter that the paper searches, with its range (Section 9.3, "Hyperparameters setting"). */
public enum Knob {
  /** γ ∈ {2⁻⁸, 2⁻⁴, 2⁻², 2⁰, 2², 2⁴, 2⁸}. */
  GAMMA,
  /** η ∈ {16, 8, 4, 2, 0.2, 0.02, 0.002, 0.0002}. */
  ETA,
  /** λ ∈ {2⁻⁴/N, 2⁻²/N, …, 2¹⁶/N}. */
  LAMBDA,
  /** C ∈ {2⁻⁵, 2⁻³, …, 2¹⁵}. */
  C;

  /**
   * {@return the values the paper tries, for n training instances}
   *
   * @param n number of instances
   */
  public double[] range(long n) {
    return switch (this) {
      case GAMMA -> powers(IntStream.of(-8, -4, -2, 0, 2, 4, 8), 1);
      case ETA -> DoubleStream.of(16, 8, 4, 2, 0.2, 0.02, 0.002, 0.0002).toArray();
      case LAMBDA -> powers(IntStream.rangeClosed(0, 10).map(i -> 2 * i - 4), n);
      case C -> powers(IntStream.rangeClosed(0, 10).map(i -> 2 * i - 5), 1);
    };
  }

  private static double[] powers(IntStream exponents, double divisor) {
    return exponents.mapToDouble(e -> Math.scalb(1.0, e) / divisor).toArray();
  }
}
