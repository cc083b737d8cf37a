// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.newton;

/**
 * How closely a second-order engine follows its targets. Where residuals are below a tenth of the
 * targets' size, the targets have more detail than their noise hides: nearer instances become core
 * points, and an instance weighs more against λ.
 */
final class Fineness {
  /** How much farther an instance must be to have one of the second half of the budget. */
  private static final double SECOND_HALF = 10;

  /** Residuals below this share of the targets' size call for more core points. */
  private static final double NOISY = 0.1;

  /** Smaller shares count as this: an instance weighs at most 16 times its weight. */
  private static final double LEAST_SHARE = 0.25;

  /** Where so many steps or more have come to one core point, not every instance is measured. */
  private static final int STEPS_PER_POINT = 4;

  /** One instance in so many is always measured. */
  private static final int RAREST = 8;

  /** Nearer instances make the Gram matrix too ill-conditioned. */
  private static final double FINEST = 1e-5;

  private Fineness() {}

  /**
   * Least squared distance to the span of the core points that makes an instance one of them. The
   * second half of the budget is for what is farther: where the first half nearly suffices.
   */
  static double novelty(SecondOrderEngine engine) {
    double residuals = engine.residuals.level();
    double targets = engine.targets.level();
    double least = engine.config().novelty();
    if (residuals < NOISY * targets) {
      double share = residuals / (NOISY * targets);
      least = Math.max(Math.min(least, FINEST), share * share * least);
    }
    return engine.set.size() < engine.config().budget() / 2
        ? least
        : Math.max(least, Math.min(0.5, SECOND_HALF * least));
  }

  /**
   * Whether to measure how far an instance is from the span of the core points, which costs as much
   * as a step: each at first, and fewer the fewer of them have become core points.
   */
  static boolean isMeasured(SecondOrderEngine engine) {
    int size = engine.set.size();
    long steps = size == 0 ? 0 : engine.learned - engine.exchange.since(0);
    long stride = steps / ((long) STEPS_PER_POINT * Math.max(1, size));
    return stride < 2 || engine.learned % Math.min(RAREST, stride) == 0;
  }

  /**
   * The weight of an instance against λ, which is set for targets with noise: where there is less,
   * more by the inverse of the residuals' variance, to a power of two so that rounding does not
   * matter.
   */
  static double worth(SecondOrderEngine engine, double weight) {
    double residuals = engine.residuals.level();
    double targets = engine.targets.level();
    if (residuals >= NOISY * targets) {
      return weight;
    }
    double share = Math.max(LEAST_SHARE, residuals / (NOISY * targets));
    int power = Math.getExponent(1 / (share * share));
    return Math.min(ExpansionEngine.LARGEST_WEIGHT, Math.scalb(weight, power));
  }
}
