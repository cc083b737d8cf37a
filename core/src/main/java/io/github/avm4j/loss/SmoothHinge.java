// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.loss;

/**
 * The τ-smooth hinge: quadratic on 1−τ ≤ y·f ≤ 1, linear below, 0 above.
 *
 * @param tau τ, the width of the quadratic part
 */
public record SmoothHinge(double tau) implements Loss {

  /**
   * Checks 0 &lt; τ ≤ 1.
   *
   * @param tau τ, the width of the quadratic part
   */
  public SmoothHinge {
    if (!(tau > 0 && tau <= 1)) {
      throw new IllegalArgumentException("tau must be in (0, 1], was " + tau);
    }
  }

  @Override
  public double value(double score, double target) {
    double a = target * score;
    if (a > 1) {
      return 0;
    }
    return a < 1 - tau ? 1 - a - tau / 2 : (1 - a) * (1 - a) / (2 * tau);
  }

  @Override
  public double derivative(double score, double target) {
    double a = target * score;
    if (a > 1) {
      return 0;
    }
    return a < 1 - tau ? -target : (a - 1) / tau * target;
  }

  @Override
  public double curvature(double score, double target) {
    double a = target * score;
    return a > 1 - tau && a < 1 ? 1 / tau : 0;
  }

  @Override
  public boolean forClassification() {
    return true;
  }

  /** 2, as the paper has it; 1 would do. */
  @Override
  public double growthB(double yMax) {
    return 2;
  }

  @Override
  public double smoothness() {
    return 1 / tau;
  }
}
