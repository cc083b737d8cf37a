// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.baselines.comparison;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.OnlineLearner;
import java.util.List;

/**
 * A regressor that learns its target brought to [0, 1], as the paper's experiments do, and predicts
 * in the target's own unit. Steps and losses of the paper's methods are made for such targets.
 */
public final class UnitTarget implements OnlineLearner {
  private final OnlineLearner learner;
  private final double low;
  private final double width;

  private UnitTarget(OnlineLearner learner, double low, double width) {
    this.learner = learner;
    this.low = low;
    this.width = width;
  }

  /**
   * {@return the learner, its target's range being that of {@code first}}
   *
   * @param learner the learner
   * @param first targets at the beginning of the stream
   */
  public static UnitTarget of(OnlineLearner learner, List<Double> first) {
    if (learner.task() != Task.REGRESSION) {
      throw new IllegalArgumentException("classes have no range");
    }
    double low = first.stream().mapToDouble(y -> y).min().orElse(0);
    double high = first.stream().mapToDouble(y -> y).max().orElse(1);
    return new UnitTarget(learner, low, high > low ? high - low : 1);
  }

  private double unit(double y) {
    return (y - low) / width;
  }

  private double own(double y) {
    return low + width * y;
  }

  @Override
  public void learn(FeatureVector x, double y, double weight) {
    learner.learn(x, unit(y), weight);
  }

  @Override
  public double predictThenLearn(FeatureVector x, double y, double weight, double[] scores) {
    double prediction = own(learner.predictThenLearn(x, unit(y), weight, scores));
    if (scores.length > 0) {
      scores[0] = prediction;
    }
    return prediction;
  }

  @Override
  public double predict(FeatureVector x) {
    return own(learner.predict(x));
  }

  @Override
  public double score(FeatureVector x) {
    return own(learner.score(x));
  }

  @Override
  public void scores(FeatureVector x, double[] out) {
    learner.scores(x, out);
    out[0] = own(out[0]);
  }

  @Override
  public Task task() {
    return Task.REGRESSION;
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
  public long instances() {
    return learner.instances();
  }

  @Override
  public long modelBytes() {
    return learner.modelBytes();
  }
}
