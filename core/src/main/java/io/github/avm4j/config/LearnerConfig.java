// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.config;

import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.loss.Loss;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** What the configurations of all learners have in common; enough to use a model. */
public sealed interface LearnerConfig permits AvmConfig, SecondOrderConfig {
  /** Most features that may be declared. */
  int MAX_FEATURES = Integer.MAX_VALUE - 1;

  /** Most classes. */
  int MAX_CLASSES = 100_000;

  /**
   * Checks that labels are finite, distinct and not too many. 0.0 and −0.0 are one label.
   *
   * @throws IllegalArgumentException naming the first label that is not acceptable
   */
  static void checkLabels(double[] labels) {
    Checks.require(labels.length <= MAX_CLASSES, "labels", "at most " + MAX_CLASSES, labels.length);
    double[] sorted = new double[labels.length];
    for (int i = 0; i < labels.length; i++) {
      if (!Double.isFinite(labels[i])) {
        throw new IllegalArgumentException("labels must be finite, was " + labels[i]);
      }
      sorted[i] = labels[i] + 0.0;
    }
    Arrays.sort(sorted);
    for (int i = 1; i < sorted.length; i++) {
      if (sorted[i] == sorted[i - 1]) {
        throw new IllegalArgumentException("labels must be distinct, was " + sorted[i] + " twice");
      }
    }
  }

  /** Classes or numbers. */
  Task task();

  /** k(‖x−x′‖²), k(0) = 1. */
  Kernel kernel();

  /** The loss; fits the task. */
  Loss loss();

  /** λ of the regulariser. */
  double lambda();

  /** Most core points kept, 0 for no limit. */
  int budget();

  /** Number of features, 0 to take it from the first dense instance. */
  int features();

  /** Classes known in advance, in order; more may appear at any time. */
  List<Double> labels();

  /** All settings by name, in a fixed order. */
  Map<String, Object> toMap();

  /** The same configuration with other classes known in advance. */
  LearnerConfig withLabels(List<Double> known);
}
