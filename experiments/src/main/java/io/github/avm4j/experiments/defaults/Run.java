// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.defaults;

import io.github.avm4j.baselines.TrivialAnswer;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.OnlineLearner;
import java.lang.management.ManagementFactory;
import java.util.function.UnaryOperator;

/**
 * One prequential pass: every row is answered, then learned from.
 *
 * @param error mistakes in %, or the root of the mean squared error
 * @param micros processor time an instance
 */
record Run(double error, double micros) {

  static Run of(StreamData data, int[] order, OnlineLearner learner) {
    return of(data, order, learner, UnaryOperator.identity());
  }

  static Run of(
      StreamData data, int[] order, OnlineLearner learner, UnaryOperator<FeatureVector> scaling) {
    boolean classes = data.task() == Task.CLASSIFICATION;
    double sum = 0;
    long begin = cpu();
    for (int row : order) {
      double y = data.y().get(row);
      double answer = learner.predictThenLearn(scaling.apply(data.x().get(row)), y, 1);
      sum += classes ? (answer == y ? 0 : 1) : (answer - y) * (answer - y);
    }
    double micros = (cpu() - begin) / 1e3 / order.length;
    double mean = sum / order.length;
    return new Run(classes ? 100 * mean : Math.sqrt(mean), micros);
  }

  /** The better of most frequent or mean, and no change. */
  static double trivial(StreamData data, int[] order) {
    double frequent = of(data, order, TrivialAnswer.mostFrequent(data.task())).error;
    double same = of(data, order, TrivialAnswer.noChange(data.task())).error;
    return Math.min(frequent, same);
  }

  private static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
