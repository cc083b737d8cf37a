// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.loss;

/** The ℓ1 loss |y − f|. */
public record AbsoluteLoss() implements Loss {
  @Override
  public double value(double score, double target) {
    return Math.abs(target - score);
  }

  /** sign(f − y), 0 at f = y. */
  @Override
  public double derivative(double score, double target) {
    return Math.signum(score - target);
  }

  @Override
  public double curvature(double score, double target) {
    return 0;
  }

  @Override
  public boolean forClassification() {
    return false;
  }
}
