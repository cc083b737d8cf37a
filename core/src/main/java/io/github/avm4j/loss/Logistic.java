// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.loss;

/** log(1 + exp(−y·f)); safe for every finite f. */
public record Logistic() implements Loss {
  @Override
  public double value(double score, double target) {
    double a = target * score;
    return a > 0 ? Math.log1p(Math.exp(-a)) : -a + Math.log1p(Math.exp(a));
  }

  /** −y/(1 + exp(y·f)). */
  @Override
  public double derivative(double score, double target) {
    return -target / (1 + Math.exp(target * score));
  }

  /** p(1−p) with p = 1/(1 + exp(−y·f)). */
  @Override
  public double curvature(double score, double target) {
    double e = Math.exp(-Math.abs(score));
    return e / ((1 + e) * (1 + e));
  }

  @Override
  public boolean forClassification() {
    return true;
  }

  /** 1, as the paper has it; ¼ would do. */
  @Override
  public double smoothness() {
    return 1;
  }

  /**
   * {@return the probability P(y = +1 | f) = 1/(1 + exp(−f))}
   *
   * @param score the score f
   */
  public static double probability(double score) {
    if (score >= 0) {
      return 1 / (1 + Math.exp(-score));
    }
    double e = Math.exp(score);
    return e / (1 + e);
  }
}
