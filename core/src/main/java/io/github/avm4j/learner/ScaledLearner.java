// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import io.github.avm4j.config.LearnerConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.format.FileSize;
import io.github.avm4j.internal.format.LearnerFormat;
import io.github.avm4j.model.Model;

/**
 * The paper's learner behind a fixed scaling of the features and, for regression, a fixed
 * intercept: it learns y − intercept from the scaled x. Both are part of its models and files.
 *
 * <p>γ and δ of its configuration are in units of the scaled features, λ and ε in those of the
 * target.
 */
public final class ScaledLearner implements Learner {
  private final KernelLearner learner;
  private final Scaling scaling;
  private final double intercept;
  private final Scaling.Scaler scaler;

  /**
   * Takes ownership of {@code learner}.
   *
   * @param learner the learner of scaled features; must not be used otherwise
   * @param scaling of features; see {@link io.github.avm4j.feature.ScalingFitter}
   * @param intercept prediction of a regressor that has learned nothing; 0 for classification
   * @throws IllegalArgumentException if the intercept is not finite, or not 0 for classification
   */
  public ScaledLearner(KernelLearner learner, Scaling scaling, double intercept) {
    if (!Double.isFinite(intercept)) {
      throw new IllegalArgumentException("intercept must be finite, was " + intercept);
    }
    if (learner.task() == Task.CLASSIFICATION && intercept != 0) {
      throw new IllegalArgumentException(
          "intercept must be 0 for classification, was " + intercept);
    }
    this.learner = learner;
    this.scaling = scaling;
    this.intercept = intercept;
    this.scaler = new Scaling.Scaler(scaling);
  }

  /** {@return the learner of scaled vectors} */
  public KernelLearner unscaled() {
    return learner;
  }

  /** {@return the scaling of features} */
  public Scaling scaling() {
    return scaling;
  }

  /** {@return what a regressor predicts before it has learned; 0 for classification} */
  public double intercept() {
    return intercept;
  }

  @Override
  public void learn(FeatureVector x, double y, double weight) {
    learner.learn(scaler.scale(x), y - intercept, weight);
  }

  @Override
  public double predictThenLearn(FeatureVector x, double y, double weight, double[] scores) {
    double prediction =
        learner.predictThenLearn(scaler.scale(x), y - intercept, weight, scores) + intercept;
    if (scores.length > 0) {
      scores[0] += intercept;
    }
    return prediction;
  }

  @Override
  public double predict(FeatureVector x) {
    return learner.predict(scaler.scale(x)) + intercept;
  }

  @Override
  public double score(FeatureVector x) {
    return learner.score(scaler.scale(x)) + intercept;
  }

  @Override
  public void scores(FeatureVector x, double[] out) {
    learner.scores(scaler.scale(x), out);
    out[0] += intercept;
  }

  @Override
  public Task task() {
    return learner.task();
  }

  @Override
  public int classes() {
    return learner.classes();
  }

  @Override
  public double label(int index) {
    return learner.label(index);
  }

  @Override
  public int size() {
    return learner.size();
  }

  @Override
  public LearnerConfig config() {
    return learner.config();
  }

  @Override
  public long instances() {
    return learner.instances();
  }

  @Override
  public long absorbed() {
    return learner.absorbed();
  }

  @Override
  public Model snapshot() {
    return learner.snapshot().with(scaling, intercept);
  }

  @Override
  public long modelBytes() {
    return FileSize.of(learner.engine) + FileSize.of(scaling);
  }

  @Override
  public byte[] toBytes() {
    return LearnerFormat.write(learner.engine, snapshot());
  }

  @Override
  public String toString() {
    return learner + ", features scaled";
  }
}
