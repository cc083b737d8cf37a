// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.defaults;

import io.github.avm4j.Avm;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.LabelBudget;
import io.github.avm4j.model.Predictor;
import java.util.Random;

/**
 * One pass of the default learner over a stream of which it learns only some labels; every row is
 * predicted.
 *
 * @param error mistakes in %, or the root of the mean squared error
 * @param share labels asked for, as a share of the rows
 * @param fourth the error over the fourth fifth of the rows
 * @param last the error over the last fifth
 */
record LabelRun(double error, double share, double fourth, double last) {
  /** Which labels are asked for. */
  @FunctionalInterface
  interface Rule {
    /** Whether to ask for the label of row t. */
    boolean wants(Predictor learner, FeatureVector x, int t);
  }

  /** Rows at the beginning whose labels every rule asks for, as the budget does. */
  private static final int FIRST = 300;

  static LabelRun of(StreamData data, int[] order, int rows, Rule rule) {
    boolean classes = data.task() == Task.CLASSIFICATION;
    AutoLearner learner = (classes ? Avm.classifier() : Avm.regressor()).build();
    double[] sums = new double[5];
    long asked = 0;
    for (int t = 0; t < rows; t++) {
      FeatureVector x = data.x().get(order[t]);
      double y = data.y().get(order[t]);
      boolean wanted = rule.wants(learner, x, t);
      double prediction = learner.predictThenLearn(x, y, wanted ? 1 : 0);
      asked += wanted ? 1 : 0;
      double miss = prediction - y;
      sums[(int) (5L * t / rows)] += classes ? (prediction == y ? 0 : 1) : miss * miss;
    }
    double sum = 0;
    for (double fifth : sums) {
      sum += fifth;
    }
    return new LabelRun(
        shown(classes, sum / rows),
        (double) asked / rows,
        shown(classes, 5 * sums[3] / rows),
        shown(classes, 5 * sums[4] / rows));
  }

  private static double shown(boolean classes, double mean) {
    return classes ? 100 * mean : Math.sqrt(mean);
  }

  /** Asks for every label. */
  static Rule all() {
    return (learner, x, t) -> true;
  }

  /** What is measured. */
  static Rule budget(double share, long seed) {
    LabelBudget budget = LabelBudget.of(share, seed);
    return (learner, x, t) -> budget.wants(learner, x);
  }

  /** The first labels, and of the others as many at random as make up the share of the rows. */
  static Rule random(double share, int rows, long seed) {
    Random random = new Random(seed);
    double rate = (share * rows - FIRST) / (rows - FIRST);
    return (learner, x, t) -> t < FIRST || random.nextDouble() < rate;
  }

  /**
   * The rule of River's {@code EntropySampler}, after the first labels: ask with probability h^d,
   * where h is the entropy of the predicted probabilities, normalised by the number of classes
   * whose probability is above 0, and d the discount factor.
   */
  static Rule entropy(double discount, long seed) {
    Random random = new Random(seed);
    return (learner, x, t) -> {
      double h = 0;
      int possible = 0;
      for (double p : learner.probabilities(x)) {
        h -= p > 0 ? p * Math.log(p) : 0;
        possible += p > 0 ? 1 : 0;
      }
      double ask = possible < 2 ? 0 : Math.pow(h / Math.log(possible), discount);
      return random.nextDouble() < ask || t < FIRST;
    };
  }
}
