// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.paper;

/** The three cases of the regret theorems: what the decision Z_t may depend on. */
public enum Independence {
  /** i) Z_t is independent of w_t; it may depend on (x_t, y_t). */
  OF_MODEL,
  /** ii) Z_t is independent of w_t and of (x_t, y_t). */
  OF_MODEL_AND_DATA,
  /** iii) Nothing is known of Z_t. */
  NONE;

  /**
   * {@return the strongest case that holds for a policy}
   *
   * @param policy the policy Z_t
   */
  public static Independence of(Approximation policy) {
    boolean independent =
        policy instanceof Always || policy instanceof Never || policy instanceof Bernoulli;
    return independent ? OF_MODEL_AND_DATA : NONE;
  }

  /**
   * {@return the mean over t = from+1 … to of what multiplies δ_Φ·M^½·W^½: P(Z_t=1)^½, P(Z_t=1) or
   * 1} O(to − from) for a Bernoulli policy.
   *
   * @param policy the policy Z_t
   * @param from first step, exclusive
   * @param to last step
   */
  public double meanRate(Approximation policy, long from, long to) {
    if (from < 0 || to <= from) {
      throw new IllegalArgumentException("need 0 <= from < to, were " + from + " and " + to);
    }
    if (this == NONE || policy instanceof Always) {
      return 1;
    }
    if (policy instanceof Never) {
      return 0;
    }
    if (!(policy instanceof Bernoulli bernoulli)) {
      throw new IllegalArgumentException(policy + " has no known P(Z_t = 1)");
    }
    double sum = 0;
    for (long t = from + 1; t <= to; t++) {
      double p = bernoulli.probability(t);
      sum += this == OF_MODEL ? Math.sqrt(p) : p;
    }
    return sum / (to - from);
  }
}
