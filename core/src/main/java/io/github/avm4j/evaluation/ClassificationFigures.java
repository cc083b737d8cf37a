// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.evaluation;

/**
 * Figures of a classifier. Rates and statistics are in percent; NaN where they are not defined.
 *
 * @param instances number of instances
 * @param weight sum of their weights
 * @param mistakeRate percent of wrong predictions
 * @param majority percent of mistakes of the majority baseline, which predicts the most frequent
 *     class so far
 * @param noChange percent of mistakes of the no-change baseline, which predicts the previous label;
 *     NaN after {@link Score#freeze}, since a test set has no order
 * @param kappa Cohen's κ: 100 for perfect predictions, 0 for chance with the same frequencies
 * @param kappaM the same against the majority so far
 * @param kappaT the same against no change
 */
public record ClassificationFigures(
    long instances,
    double weight,
    double mistakeRate,
    double majority,
    double noChange,
    double kappa,
    double kappaM,
    double kappaT)
    implements Figures {

  /** From sums of weights; {@code chance} is Σ (weight of class c)·(weight of predictions of c). */
  static ClassificationFigures of(
      long instances,
      double weight,
      double right,
      double byMajority,
      double byNoChange,
      double chance) {
    double p = right / weight;
    return new ClassificationFigures(
        instances,
        weight,
        100 * (1 - p),
        100 * (1 - byMajority / weight),
        100 * (1 - byNoChange / weight),
        above(p, chance / weight / weight),
        above(p, byMajority / weight),
        above(p, byNoChange / weight));
  }

  private static double above(double p, double reference) {
    return reference >= 1 ? Double.NaN : 100 * (p - reference) / (1 - reference);
  }

  @Override
  public double error() {
    return mistakeRate;
  }

  @Override
  public double baseline() {
    return Double.isNaN(noChange) ? majority : Math.min(majority, noChange);
  }

  @Override
  public double errorSince(Figures earlier) {
    double before = earlier.weight() == 0 ? 0 : earlier.error() * earlier.weight();
    return Math.max(0, (mistakeRate * weight - before) / (weight - earlier.weight()));
  }
}
