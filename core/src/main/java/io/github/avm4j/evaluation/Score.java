// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.evaluation;

import io.github.avm4j.config.Task;
import io.github.avm4j.model.Predictor;

/**
 * Compares predictions with the truth, beside two baselines on the same instances: without these an
 * error says nothing. Adding an instance allocates nothing. For one thread.
 */
public sealed interface Score permits ClassificationScore, RegressionScore {
  /** Size of the window by default. */
  int DEFAULT_WINDOW = 1000;

  /**
   * {@return a score for the task that also looks at the last {@code window} instances}
   *
   * @param task classification or regression
   * @param window number of last instances to look at, ≥ 1
   */
  static Score of(Task task, int window) {
    return task == Task.CLASSIFICATION
        ? new ClassificationScore(window)
        : new RegressionScore(window);
  }

  /**
   * Scores one prediction; a weight of 0 changes nothing.
   *
   * @param actual label or target of the instance
   * @param prediction the prediction; NaN for none
   * @param weight weight of the instance, ≥ 0
   */
  void add(double actual, double prediction, double weight);

  /**
   * Scores one prediction with the scores of all classes.
   *
   * @param actual label or target of the instance
   * @param prediction the prediction; NaN for none
   * @param weight weight of the instance, ≥ 0
   * @param predictor the model or learner
   * @param scores what {@link Predictor#scores} said; not changed
   * @param known number of classes the predictor knew when it predicted
   */
  void add(
      double actual,
      double prediction,
      double weight,
      Predictor predictor,
      double[] scores,
      int known);

  /**
   * Shows the baselines a target that is not scored.
   *
   * @param actual label or target of the instance
   * @param weight weight of the instance, ≥ 0
   */
  void observe(double actual, double weight);

  /** Stops the baselines from learning, as a model under test does not learn. */
  void freeze();

  /** {@return the figures of all instances so far} */
  Figures cumulative();

  /** {@return the figures of the last instances, in O(window)} */
  Figures window();

  /**
   * Checks the weight and says whether it counts.
   *
   * @param weight weight of the instance, ≥ 0
   * @return whether it is positive
   */
  static boolean counts(double weight) {
    if (!(weight >= 0) || weight == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("weight must be >= 0 and finite, was " + weight);
    }
    return weight > 0;
  }
}
