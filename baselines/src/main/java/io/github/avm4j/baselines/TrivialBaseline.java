// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.baselines;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import java.util.Arrays;

/**
 * Predicts without looking: the most frequent class or the mean so far, or the previous target. A
 * method that does not beat both has learned nothing. O(classes).
 */
public final class TrivialBaseline extends ColumnLearner {
  private final boolean previous;
  private double[] weights = new double[2];
  private double sum;
  private double total;
  private int last = NONE;

  private TrivialBaseline(Task task, boolean previous) {
    super(task);
    this.previous = previous;
  }

  /**
   * {@return a baseline that predicts the majority class, the earliest on ties, or the mean}
   *
   * @param task classification or regression
   */
  public static TrivialBaseline mostFrequent(Task task) {
    return new TrivialBaseline(task, false);
  }

  /**
   * {@return a baseline that predicts the target of the instance before}
   *
   * @param task classification or regression
   */
  public static TrivialBaseline noChange(Task task) {
    return new TrivialBaseline(task, true);
  }

  @Override
  protected void begin(FeatureVector first) {}

  @Override
  protected void represent(FeatureVector x) {}

  @Override
  protected double score(int j) {
    if (total == 0) {
      return 0;
    }
    if (task() == Task.REGRESSION) {
      return sum / total;
    }
    return columns() == 1 ? share(1) - share(0) : share(j);
  }

  private double share(int label) {
    return previous ? (label == last ? 1 : 0) : weights[label] / total;
  }

  @Override
  protected void step(FeatureVector x, double y, double weight) {
    if (previous) {
      sum = y;
      total = 1;
    } else {
      sum += weight * y;
      total += weight;
    }
    if (task() == Task.CLASSIFICATION) {
      last = columns() > 1 ? column() : sign() < 0 ? 0 : 1;
      weights[last] += weight;
    }
  }

  @Override
  protected void setColumns(int count) {
    weights = Arrays.copyOf(weights, count);
  }

  /** 0: there are no core points. */
  @Override
  public int size() {
    return 0;
  }

  @Override
  public long modelBytes() {
    return 8L * weights.length;
  }
}
