// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.loss;

/**
 * Huber's loss: ½(y − f)² for errors up to κ, κ·|y − f| − κ²/2 beyond, so that no outlier pulls
 * harder than κ. Not in the paper; P. J. Huber, Annals of Mathematical Statistics 35 (1964).
 *
 * @param threshold κ, in the unit of the target: 1.345 times the standard deviation of the noise
 *     keeps 95 % of the squared loss's efficiency where the noise is normal
 */
public record Huber(double threshold) implements Loss {

  /**
   * Checks κ &gt; 0 and finite.
   *
   * @param threshold κ, in the unit of the target: 1.345 times the standard deviation of the noise
   *     keeps 95 % of the squared loss's efficiency where the noise is normal
   */
  public Huber {
    if (!(threshold > 0 && threshold < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("threshold must be > 0 and finite, was " + threshold);
    }
  }

  @Override
  public double value(double score, double target) {
    double r = Math.abs(target - score);
    return r <= threshold ? r * r / 2 : threshold * (r - threshold / 2);
  }

  /** f − y, clipped to ±κ. */
  @Override
  public double derivative(double score, double target) {
    return Math.max(-threshold, Math.min(threshold, score - target));
  }

  @Override
  public double curvature(double score, double target) {
    return Math.abs(target - score) < threshold ? 1 : 0;
  }

  @Override
  public boolean forClassification() {
    return false;
  }

  /** κ. */
  @Override
  public double growthB(double yMax) {
    return threshold;
  }

  /** κ. */
  @Override
  public double steepest(double yMax) {
    return threshold;
  }

  @Override
  public double smoothness() {
    return 1;
  }
}
