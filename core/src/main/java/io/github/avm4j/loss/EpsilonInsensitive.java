// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.loss;

/**
 * max(0, |y − f| − ε).
 *
 * @param epsilon ε, half the width of the band without loss
 */
public record EpsilonInsensitive(double epsilon) implements Loss {

  /**
   * Checks ε ≥ 0 and finite.
   *
   * @param epsilon ε, half the width of the band without loss
   */
  public EpsilonInsensitive {
    if (!(epsilon >= 0 && epsilon < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("epsilon must be >= 0 and finite, was " + epsilon);
    }
  }

  @Override
  public double value(double score, double target) {
    return Math.max(0, Math.abs(target - score) - epsilon);
  }

  /** sign(f − y) if |y − f| &gt; ε, else 0. */
  @Override
  public double derivative(double score, double target) {
    return Math.abs(target - score) > epsilon ? Math.signum(score - target) : 0;
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
