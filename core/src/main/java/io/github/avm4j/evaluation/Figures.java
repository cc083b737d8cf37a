// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.evaluation;

/** What a score says of some instances: all so far, or the last ones. */
public sealed interface Figures permits ClassificationFigures, RegressionFigures {
  /** Number of instances. */
  long instances();

  /** Sum of their weights. */
  double weight();

  /** The number to compare learners by: percent of mistakes, or the root mean squared error. */
  double error();

  /** The same of the better of the two trivial answers. */
  double trivial();

  /**
   * The same of the instances that came since {@code earlier}, given that both count from one
   * start.
   */
  double errorSince(Figures earlier);
}
