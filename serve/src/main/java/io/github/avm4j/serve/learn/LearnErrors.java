// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.learn;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The prequential error, all since the start and over the last 100 rows, beside that of a constant
 * prediction: the most frequent class, or the mean. For one thread.
 */
final class LearnErrors {
  private static final int RECENT = 100;

  private final boolean regression;
  private final double[] losses = new double[RECENT];
  private final double[] constant = new double[RECENT];
  private final Map<String, Integer> classes = new HashMap<>();
  private String majority = "";
  private double mean;
  private long judged;
  private long seen;
  private double loss;
  private double constantLoss;

  private final LearnCurve curve;

  LearnErrors(boolean regression) {
    this.regression = regression;
    curve = new LearnCurve(regression);
  }

  /**
   * The errors at one moment; NaN before the first.
   *
   * @param judged rows that were predicted before they were learned
   * @param loss mistakes among them, or the sum of squared errors
   * @param baselineLoss the same of the constant prediction
   * @param recent share of mistakes, or root mean squared error, of the last 100
   * @param recentBaseline the same of the constant prediction
   * @param curve how they went since the start
   */
  record Summary(
      long judged,
      double loss,
      double baselineLoss,
      double recent,
      double recentBaseline,
      List<LearnCurve.Point> curve) {}

  /** A class that was predicted before its row was learned. */
  void classes(String predicted, String truth) {
    add(predicted.equals(truth) ? 0 : 1, majority.equals(truth) ? 0 : 1);
  }

  /** The same for a number. */
  void numbers(double predicted, double truth) {
    add((predicted - truth) * (predicted - truth), (mean - truth) * (mean - truth));
  }

  private void add(double one, double ofConstant) {
    int at = (int) (judged++ % RECENT);
    losses[at] = one;
    constant[at] = ofConstant;
    loss += one;
    constantLoss += ofConstant;
    curve.add(one, ofConstant);
  }

  /** Every row, after its prediction was judged: the constant follows. */
  void see(Truth truth) {
    seen++;
    if (regression) {
      mean += ((double) truth.value() - mean) / seen;
      return;
    }
    String name = truth.className();
    int count = classes.merge(name, 1, Integer::sum);
    if (count > classes.getOrDefault(majority, 0) || majority.isEmpty()) {
      majority = name;
    }
  }

  Summary summary() {
    int n = (int) Math.min(RECENT, judged);
    return new Summary(
        judged, loss, constantLoss, recent(losses, n), recent(constant, n), curve.points());
  }

  private double recent(double[] of, int n) {
    double sum = 0;
    for (int k = 0; k < n; k++) {
      sum += of[k];
    }
    return regression ? Math.sqrt(sum / n) : sum / n;
  }
}
