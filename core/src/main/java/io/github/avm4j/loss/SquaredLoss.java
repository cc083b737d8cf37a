// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.loss;

/** The ℓ2 loss ½(y − f)². */
public record SquaredLoss() implements Loss {
  @Override
  public double value(double score, double target) {
    double r = target - score;
    return r * r / 2;
  }

  @Override
  public double derivative(double score, double target) {
    return score - target;
  }

  @Override
  public double curvature(double score, double target) {
    return 1;
  }

  @Override
  public boolean forClassification() {
    return false;
  }

  /**
   * y_max^½·λ^−¼ for λ ≤ 1, else y_max^½·(λ−1)^−½: the square root of the bound of ‖w_t‖ that the
   * projection (λ ≤ 1) or the theorem on ‖w_T‖ (λ &gt; 1) gives.
   */
  @Override
  public double growthA(double lambda, double yMax) {
    return lambda <= 1 ? Math.sqrt(yMax) * Math.pow(lambda, -0.25) : Math.sqrt(yMax / (lambda - 1));
  }

  @Override
  public double growthB(double yMax) {
    return yMax;
  }

  @Override
  public double smoothness() {
    return 1;
  }
}
