// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.model.Predictor;

/**
 * Learns one instance at a time and can predict at any moment: what an evaluation needs of a
 * method.
 *
 * <p>For one thread, also for predictions.
 */
public interface OnlineLearner extends Predictor {
  /** Stands for no scores in {@link #predictThenLearn(FeatureVector, double, double, double[])}. */
  double[] NO_SCORES = {};

  /**
   * Learns from one instance: predict first if you evaluate prequentially.
   *
   * @param x read during the call and not kept
   * @param y a label for classification (a new one makes a new class), a target for regression
   * @param weight ≥ 0, multiplies the instance's loss; 0 changes nothing at all
   * @throws IllegalArgumentException if x, y or weight is not acceptable; nothing was learned then
   */
  void learn(FeatureVector x, double y, double weight);

  /**
   * {@link #scores} and {@link #predict(FeatureVector)}, then {@link #learn(FeatureVector, double,
   * double)}, with one distance pass.
   *
   * @param x features of the instance; read during the call and not kept
   * @param y label of the instance, or its target for regression
   * @param weight weight of the instance, ≥ 0; 0 changes nothing
   * @param scores receives the {@link #scores} before learning; empty to do without
   * @return the prediction, made before learning
   */
  double predictThenLearn(FeatureVector x, double y, double weight, double[] scores);

  /**
   * {@link #predict(FeatureVector)} and then {@link #learn(FeatureVector, double, double)}: a
   * prequential step. Same results as the two calls at little more than the cost of one.
   *
   * @param x features of the instance; read during the call and not kept
   * @param y label of the instance, or its target for regression
   * @param weight weight of the instance, ≥ 0; 0 changes nothing
   * @return the prediction, made before learning
   */
  default double predictThenLearn(FeatureVector x, double y, double weight) {
    return predictThenLearn(x, y, weight, NO_SCORES);
  }

  /**
   * Learns with weight 1.
   *
   * @param x features of the instance; read during the call and not kept
   * @param y label of the instance, or its target for regression
   */
  default void learn(FeatureVector x, double y) {
    learn(x, y, 1);
  }

  /**
   * Learns from a dense vector with weight 1.
   *
   * @param x features of the instance; read during the call and not kept
   * @param y label of the instance, or its target for regression
   */
  default void learn(double[] x, double y) {
    learn(FeatureVector.dense(x), y, 1);
  }

  /**
   * Learns from a dense vector.
   *
   * @param x features of the instance; read during the call and not kept
   * @param y label of the instance, or its target for regression
   * @param weight weight of the instance, ≥ 0; 0 changes nothing
   */
  default void learn(double[] x, double y, double weight) {
    learn(FeatureVector.dense(x), y, weight);
  }

  /**
   * {@link #predictThenLearn(FeatureVector, double, double)} with weight 1.
   *
   * @param x features of the instance; read during the call and not kept
   * @param y label of the instance, or its target for regression
   * @return the prediction, made before learning
   */
  default double predictThenLearn(FeatureVector x, double y) {
    return predictThenLearn(x, y, 1, NO_SCORES);
  }

  /**
   * {@link #predictThenLearn(FeatureVector, double)} of a dense vector.
   *
   * @param x features of the instance; read during the call and not kept
   * @param y label of the instance, or its target for regression
   * @return the prediction, made before learning
   */
  default double predictThenLearn(double[] x, double y) {
    return predictThenLearn(FeatureVector.dense(x), y, 1, NO_SCORES);
  }

  /**
   * {@link #predictThenLearn(FeatureVector, double, double)} of a dense vector.
   *
   * @param x features of the instance; read during the call and not kept
   * @param y label of the instance, or its target for regression
   * @param weight weight of the instance, ≥ 0; 0 changes nothing
   * @return the prediction, made before learning
   */
  default double predictThenLearn(double[] x, double y, double weight) {
    return predictThenLearn(FeatureVector.dense(x), y, weight, NO_SCORES);
  }

  /**
   * {@link #predictThenLearn(FeatureVector, double, double, double[])} of a dense vector.
   *
   * @param x features of the instance; read during the call and not kept
   * @param y label of the instance, or its target for regression
   * @param weight weight of the instance, ≥ 0; 0 changes nothing
   * @param scores receives the {@link #scores} before learning; empty to do without
   * @return the prediction, made before learning
   */
  default double predictThenLearn(double[] x, double y, double weight, double[] scores) {
    return predictThenLearn(FeatureVector.dense(x), y, weight, scores);
  }

  /** {@return the number of instances learned from, those of zero weight not counted} */
  long instances();

  /** {@return the number of bytes that hold what was learned} */
  long modelBytes();
}
