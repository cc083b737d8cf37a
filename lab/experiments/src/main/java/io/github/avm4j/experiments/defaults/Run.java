// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.defaults;

import io.github.avm4j.baselines.TrivialBaseline;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.OnlineLearner;
import java.lang.management.ManagementFactory;
import java.util.function.UnaryOperator;

/**
 * One prequential pass: every row is predicted, then learned from.
 *
 * @param error mistakes in %, or the root of the mean squared error
 * @param late the same over the last fifth of the rows
 * @param micros processor time per instance
 */
record Run(double error, double late, double micros) {

  static Run of(StreamData data, int[] order, OnlineLearner learner) {
    return of(data, order, learner, UnaryOperator.identity());
  }

  static Run of(
      StreamData data, int[] order, OnlineLearner learner, UnaryOperator<FeatureVector> scaling) {
    boolean classes = data.task() == Task.CLASSIFICATION;
    int lateFrom = order.length - order.length / 5;
    double sum = 0;
    double early = 0;
    long begin = cpu();
    for (int t = 0; t < order.length; t++) {
      int row = order[t];
      early = t == lateFrom ? sum : early;
      double y = data.y().get(row);
      double prediction = learner.predictThenLearn(scaling.apply(data.x().get(row)), y, 1);
      sum += classes ? (prediction == y ? 0 : 1) : (prediction - y) * (prediction - y);
    }
    double micros = (cpu() - begin) / 1e3 / order.length;
    double late = (sum - early) / Math.max(1, order.length - lateFrom);
    return new Run(shown(classes, sum / order.length), shown(classes, late), micros);
  }

  private static double shown(boolean classes, double mean) {
    return classes ? 100 * mean : Math.sqrt(mean);
  }

  /** The better of most frequent or mean, and no change. */
  static double trivial(StreamData data, int[] order) {
    double frequent = of(data, order, TrivialBaseline.mostFrequent(data.task())).error;
    double same = of(data, order, TrivialBaseline.noChange(data.task())).error;
    return Math.min(frequent, same);
  }

  static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
