// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import java.util.List;

/** What a foreign runtime said of some rows, as far as it says it. */
final class Answers {
  private final List<String> labels;
  private final double[][] scores;
  private final double[][] probabilities;

  Answers(List<String> labels, double[][] scores, double[][] probabilities) {
    this.labels = labels;
    this.scores = scores;
    this.probabilities = probabilities;
  }

  /** The class of each row; empty for regression. */
  List<String> labels() {
    return labels;
  }

  /** One row of scores each; one number for regression. */
  double[][] scores() {
    return scores;
  }

  /** One row of probabilities each. */
  double[][] probabilities() {
    return probabilities;
  }
}
