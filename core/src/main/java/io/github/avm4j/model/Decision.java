// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.model;

import io.github.avm4j.config.Task;

/** From the raw columns of an expansion to scores a class and the class that wins. */
public final class Decision {
  private Decision() {}

  /**
   * {@return the index of the largest of the first n, the earliest on ties}
   *
   * @param scores one score per class
   * @param n number of values
   */
  public static int argmax(double[] scores, int n) {
    int best = 0;
    for (int j = 1; j < n; j++) {
      if (scores[j] > scores[best]) {
        best = j;
      }
    }
    return best;
  }

  /** The label for raw column values: one margin for up to two classes, else one a class. */
  static double label(Predictor predictor, double[] columns, int count) {
    int classes = predictor.classes();
    if (classes == 0) {
      return Double.NaN;
    }
    int winner = count == 1 ? (columns[0] > 0 && classes > 1 ? 1 : 0) : argmax(columns, count);
    return predictor.label(winner);
  }

  /**
   * {@return the prediction of {@link Predictor#predict} for raw column values}
   *
   * @param predictor the model or learner
   * @param columns raw column values
   * @param count number of columns
   */
  public static double answer(Predictor predictor, double[] columns, int count) {
    return predictor.task() == Task.REGRESSION ? columns[0] : label(predictor, columns, count);
  }

  /**
   * The scores of {@link Predictor#scores} for raw column values.
   *
   * @param predictor the model or learner
   * @param columns raw column values
   * @param count number of columns
   * @param out receives one score per class
   */
  public static void spread(Predictor predictor, double[] columns, int count, double[] out) {
    int needed = Math.max(predictor.classes(), predictor.task() == Task.REGRESSION ? 1 : 0);
    if (out.length < needed) {
      throw new IllegalArgumentException(
          "out must have room for " + needed + " scores, had " + out.length);
    }
    if (predictor.task() == Task.REGRESSION || count > 1) {
      System.arraycopy(columns, 0, out, 0, count);
      return;
    }
    for (int j = 0; j < needed; j++) {
      out[j] = (j == 0 ? -columns[0] : columns[0]) / 2;
    }
  }

  /**
   * exp(s_j)/Σ exp(s_i) in place, safe for every finite score.
   *
   * @param scores one score per class
   * @param n number of values
   */
  public static void softmax(double[] scores, int n) {
    if (n == 0) {
      return;
    }
    double largest = scores[argmax(scores, n)];
    double sum = 0;
    for (int j = 0; j < n; j++) {
      scores[j] = Math.exp(scores[j] - largest);
      sum += scores[j];
    }
    for (int j = 0; j < n; j++) {
      scores[j] /= sum;
    }
  }
}
