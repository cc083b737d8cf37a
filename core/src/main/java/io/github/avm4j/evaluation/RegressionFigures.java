// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.evaluation;

/**
 * Figures of a regressor; NaN where a figure is not defined, infinite errors if a prediction was
 * not finite.
 *
 * @param instances number of instances
 * @param weight sum of their weights
 * @param rmse root mean squared error
 * @param mae mean absolute error
 * @param bias mean of prediction − target
 * @param r2 1 − (squared error)/(squared deviation of the targets from their mean)
 * @param mean root mean squared error of the mean baseline, which predicts the mean so far
 * @param noChange root mean squared error of the no-change baseline, which predicts the previous
 *     target; NaN after {@link Score#freeze}, since a test set has no order
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
  public double baseline() {
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
