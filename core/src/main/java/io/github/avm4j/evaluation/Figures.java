// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.evaluation;

/** Error and baselines of some instances: of all so far, or of the last ones. */
public sealed interface Figures permits ClassificationFigures, RegressionFigures {
  /** {@return the number of instances} */
  long instances();

  /** {@return the sum of the weights of the instances} */
  double weight();

  /**
   * {@return the figure to compare learners by: percent of mistakes, or the root mean squared
   * error}
   */
  double error();

  /** {@return the error of the better of the two baselines} */
  double baseline();

  /**
   * The same of the instances that came since {@code earlier}, given that both count from one
   * start.
   *
   * @param earlier figures of the same score, taken before
   * @return the error of those instances alone
   */
  double errorSince(Figures earlier);
}
