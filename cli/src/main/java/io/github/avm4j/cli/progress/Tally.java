// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.progress;

import io.github.avm4j.config.Task;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Prequential error beside that of a baseline, which predicts the most frequent class or the mean
 * so far.
 */
public final class Tally {
  private final boolean classes;
  private final Map<Double, Long> counts = new HashMap<>();
  private double majority = Double.NaN;
  private double mean;
  private long rows;
  private double loss;
  private double baselineLoss;

  public Tally(Task task) {
    classes = task == Task.CLASSIFICATION;
  }

  /** Adds a prediction and its target. */
  public void add(double prediction, double truth) {
    if (classes) {
      loss += prediction == truth ? 0 : 1;
      baselineLoss += majority == truth ? 0 : 1;
      long count = counts.merge(truth, 1L, Long::sum);
      if (count > counts.getOrDefault(majority, 0L)) {
        majority = truth;
      }
    } else {
      loss += (prediction - truth) * (prediction - truth);
      baselineLoss += (mean - truth) * (mean - truth);
      mean += (truth - mean) / (rows + 1);
    }
    rows++;
  }

  /** Number of predictions. */
  public long rows() {
    return rows;
  }

  /** Sum of errors, or of squared errors. */
  double loss() {
    return loss;
  }

  /** Share of wrong predictions, or root mean squared error. */
  public double error() {
    return measure(loss, rows);
  }

  /** Error of the baseline. */
  public double baselineError() {
    return measure(baselineLoss, rows);
  }

  /** Error of {@code count} predictions with this sum of losses. */
  double measure(double sum, long count) {
    double average = count == 0 ? Double.NaN : sum / count;
    return classes ? average : Math.sqrt(average);
  }

  /** Name of the error. */
  String measureName() {
    return classes ? "error" : "RMSE";
  }

  /** What the baseline predicts. */
  String baselineName() {
    return classes ? "the most frequent class so far" : "the mean so far";
  }

  /** Formats an error. */
  public String format(double error) {
    if (Double.isNaN(error)) {
      return "-";
    }
    return classes
        ? String.format(Locale.ROOT, "%.2f %%", 100 * error)
        : String.format(Locale.ROOT, "%.5g", error);
  }

  /** One line such as "error 15.9 % (predicting the most frequent class so far: 24.1 %)". */
  public String summary() {
    return String.format(
        Locale.ROOT,
        "%s %s (predicting %s: %s)",
        measureName(),
        format(error()),
        baselineName(),
        format(baselineError()));
  }
}
