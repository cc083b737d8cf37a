// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.evaluation;

/**
 * How well numbers were answered; NaN where a figure is not defined, infinite errors if an answer
 * was not finite.
 *
 * @param instances number of instances
 * @param weight sum of their weights
 * @param rmse root mean squared error
 * @param mae mean absolute error
 * @param bias mean of answer − target
 * @param r2 1 − (squared error)/(squared deviation of the targets from their mean)
 * @param mean root mean squared error of who always says the mean so far
 * @param noChange root mean squared error of the no-change baseline, which predicts the previous
 *     target; NaN after {@link Score#freeze}, since rows held out have no order to follow
 */
public record RegressionFigures(
    long instances,
    double weight,
    double rmse,
    double mae,
    double bias,
    double r2,
    double mean,
    double noChange)
    implements Figures {
  @Override
  public double error() {
    return rmse;
  }

  @Override
  public double trivial() {
    return Double.isNaN(noChange) ? mean : Math.min(mean, noChange);
  }

  @Override
  public double errorSince(Figures earlier) {
    double before =
        earlier.weight() == 0 ? 0 : earlier.error() * earlier.error() * earlier.weight();
    double squares = rmse * rmse * weight - before;
    return Math.sqrt(Math.max(0, squares) / (weight - earlier.weight()));
  }
}
