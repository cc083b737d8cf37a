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
   * @param labels labels to check
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

  /** {@return the task: classification or regression} */
  Task task();

  /** {@return the kernel k(‖x − x′‖²), with k(0) = 1} */
  Kernel kernel();

  /** {@return the loss, which fits the task} */
  Loss loss();

  /** {@return the regularisation λ, in [1e-12, 1e12]} */
  double lambda();

  /** {@return the largest number of core points; 0 for no limit} */
  int budget();

  /** {@return the number of features, 0 to take it from the first dense instance} */
  int features();

  /** {@return the classes known in advance, in order; more may appear at any time} */
  List<Double> labels();

  /** {@return all settings by name, in a fixed order} */
  Map<String, Object> toMap();

  /**
   * {@return the same configuration with other classes known in advance}
   *
   * @param known distinct finite labels
   */
  LearnerConfig withLabels(List<Double> known);
}
