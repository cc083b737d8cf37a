// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.lab.baselines;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.model.Decision;
import io.github.avm4j.model.Predictor;

/** A trained classifier that is a column of scores a class; one column for two classes. */
abstract class FixedClassifier implements Predictor {
  private final double[] labels;

  FixedClassifier(double[] labels) {
    this.labels = labels;
  }

  /** The labels in order of first appearance, at least two. */
  static double[] labels(double[] y) {
    double[] distinct = java.util.Arrays.stream(y).distinct().toArray();
    if (distinct.length < 2) {
      throw new IllegalArgumentException("two classes are needed, found " + distinct.length);
    }
    return distinct;
  }

  /** The scores of x, one a column. */
  abstract double[] columns(FeatureVector x);

  @Override
  public final Task task() {
    return Task.CLASSIFICATION;
  }

  @Override
  public final int classes() {
    return labels.length;
  }

  @Override
  public final double label(int index) {
    return labels[index];
  }

  @Override
  public final double predict(FeatureVector x) {
    double[] columns = columns(x);
    return Decision.predict(this, columns, columns.length);
  }

  @Override
  public final double score(FeatureVector x) {
    double[] columns = columns(x);
    return columns[Decision.argmax(columns, columns.length)];
  }

  @Override
  public final void scores(FeatureVector x, double[] out) {
    double[] columns = columns(x);
    Decision.spread(this, columns, columns.length, out);
  }
}
