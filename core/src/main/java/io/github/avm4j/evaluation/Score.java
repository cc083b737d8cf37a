// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.evaluation;

import io.github.avm4j.config.Task;
import io.github.avm4j.model.Predictor;

/**
 * Compares answers with the truth, beside two trivial answers on the same instances: without these
 * an error says nothing. Adding an instance allocates nothing. For one thread.
 */
public sealed interface Score permits ClassificationScore, RegressionScore {
  /** Size of the window unless told otherwise. */
  int DEFAULT_WINDOW = 1000;

  /** A score for the task that looks at the last {@code window} instances too. */
  static Score of(Task task, int window) {
    return task == Task.CLASSIFICATION
        ? new ClassificationScore(window)
        : new RegressionScore(window);
  }

  /** Scores one answer; a weight of 0 changes nothing. */
  void add(double actual, double answer, double weight);

  /**
   * Scores one answer and what the predictor thought of each class.
   *
   * @param scores what {@link Predictor#scores} said; not changed
   * @param known number of classes the predictor knew when it answered
   */
  void add(
      double actual, double answer, double weight, Predictor predictor, double[] scores, int known);

  /** Lets the trivial answers see a target that is not scored. */
  void observe(double actual, double weight);

  /** From now on the trivial answers learn nothing, as a model under test does not. */
  void freeze();

  /** All instances so far. */
  Figures cumulative();

  /** The last instances. O(window). */
  Figures window();

  /** Checks the weight and says whether it counts. */
  static boolean counts(double weight) {
    if (!(weight >= 0) || weight == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("weight must be >= 0 and finite, was " + weight);
    }
    return weight > 0;
  }
}
