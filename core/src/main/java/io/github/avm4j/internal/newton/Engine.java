// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.newton;

import io.github.avm4j.config.LearnerConfig;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.model.Model;
import io.github.avm4j.model.Predictor;

/**
 * An online learner behind its public face: it learns one instance at a time and gives models. It
 * does not know that it can be saved; see package {@code internal.format}.
 *
 * <p>For one thread, also for predictions.
 */
public interface Engine extends Predictor {
  /** Learns from one instance; a weight of 0 changes nothing. */
  void learn(FeatureVector x, double y, double weight);

  /**
   * Predicts for x and then learns from it, with one distance pass.
   *
   * @param scores receives the scores before learning; empty to do without
   */
  double predictThenLearn(FeatureVector x, double y, double weight, double[] scores);

  /** The configuration in use, estimated parameters included. */
  LearnerConfig config();

  /** Instances learned from, those of zero weight not counted. */
  long instances();

  /** Instances outside every cell that the nearest core point took because the budget was full. */
  long absorbed();

  /** An immutable copy of what was learned. */
  Model snapshot();
}
