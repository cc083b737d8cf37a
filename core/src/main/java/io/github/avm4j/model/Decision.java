// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.model;

import io.github.avm4j.config.Task;

/** From the raw columns of an expansion to scores a class and the class that wins. */
public final class Decision {
  /** By how much the score of a class that was not met is lower: odds of about 1 : 1000. */
  private static final double UNMET = 7;

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

  /**
   * {@return the largest of the first n scores less the second; 0 if there are no two}
   *
   * @param scores one score per class
   * @param n number of values
   */
  public static double margin(double[] scores, int n) {
    double largest = Double.NEGATIVE_INFINITY;
    double second = Double.NEGATIVE_INFINITY;
    for (int j = 0; j < n; j++) {
      second = Math.max(second, Math.min(largest, scores[j]));
      largest = Math.max(largest, scores[j]);
    }
    return n < 2 ? 0 : largest - second;
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
  public static double predict(Predictor predictor, double[] columns, int count) {
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
   * Scores of the classes that a cell has met, as scores of all classes. A class that it has not
   * met gets {@link #UNMET} less than the lowest.
   *
   * @param met scores of the classes met
   * @param places the index of each among all classes
   * @param classes number of classes
   * @param out receives one score per class
   */
  public static void place(double[] met, int[] places, int classes, double[] out) {
    double lowest = places.length == 0 ? 0 : Double.POSITIVE_INFINITY;
    for (int j = 0; j < places.length; j++) {
      lowest = Math.min(lowest, met[j]);
    }
    for (int j = 0; j < classes; j++) {
      out[j] = lowest - UNMET;
    }
    for (int j = 0; j < places.length; j++) {
      out[places[j]] = met[j];
    }
  }

  /**
   * The value of {@link Predictor#score} for scores of the classes that a cell has met: the margin
   * of two classes, positive for the second, or the largest score of more.
   *
   * @param met scores of the classes met
   * @param places the index of each among all classes
   * @param classes number of all classes
   * @return the score
   */
  public static double score(double[] met, int[] places, int classes) {
    int best = argmax(met, places.length);
    if (classes != 2) {
      return places.length == 0 ? -UNMET : met[best];
    }
    double margin = places.length == 2 ? Math.abs(met[1] - met[0]) : UNMET;
    return places.length == 0 ? 0 : places[best] == 1 ? margin : -margin;
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
