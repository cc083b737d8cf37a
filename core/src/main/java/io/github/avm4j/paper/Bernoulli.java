// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.paper;

/**
 * p_t = max(0, 1 − β/t^ρ).
 *
 * @param beta β, the factor of p_t
 * @param rho ρ, the exponent of p_t
 */
public record Bernoulli(double beta, double rho) implements Approximation {

  /**
   * Checks β ≥ 0 and ρ &gt; 0, both finite.
   *
   * @param beta β, the factor of p_t
   * @param rho ρ, the exponent of p_t
   */
  public Bernoulli {
    if (!(beta >= 0 && beta < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("beta must be >= 0 and finite, was " + beta);
    }
    if (!(rho > 0 && rho < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("rho must be > 0 and finite, was " + rho);
    }
  }

  /**
   * {@return p_t = P(Z_t = 1)}
   *
   * @param t number of the step, ≥ 1
   */
  public double probability(long t) {
    return Math.max(0, 1 - beta / Math.pow(t, rho));
  }

  @Override
  public boolean approximate(long t, double margin, double uniform) {
    return uniform < probability(t);
  }

  @Override
  public boolean isRandom() {
    return true;
  }
}
