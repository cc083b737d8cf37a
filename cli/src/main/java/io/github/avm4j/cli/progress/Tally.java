// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.progress;

import io.github.avm4j.config.Task;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The error of answers given before their labels were seen, beside that of the trivial answer: the
 * most frequent class, or the mean, so far.
 */
public final class Tally {
  private final boolean classes;
  private final Map<Double, Long> counts = new HashMap<>();
  private double majority = Double.NaN;
  private double mean;
  private long rows;
  private double loss;
  private double trivialLoss;

  public Tally(Task task) {
    classes = task == Task.CLASSIFICATION;
  }

  /** Counts one answer and its truth. */
  public void add(double answer, double truth) {
    if (classes) {
      loss += answer == truth ? 0 : 1;
      trivialLoss += majority == truth ? 0 : 1;
      long count = counts.merge(truth, 1L, Long::sum);
      if (count > counts.getOrDefault(majority, 0L)) {
        majority = truth;
      }
    } else {
      loss += (answer - truth) * (answer - truth);
      trivialLoss += (mean - truth) * (mean - truth);
      mean += (truth - mean) / (rows + 1);
    }
    rows++;
  }

  /** Answers counted. */
  public long rows() {
    return rows;
  }

  /** Sum of errors, or of squared errors. */
  double loss() {
    return loss;
  }

  /** Share of wrong answers, or root mean squared error. */
  public double error() {
    return measure(loss, rows);
  }

  /** The same of the trivial answer. */
  public double trivialError() {
    return measure(trivialLoss, rows);
  }

  /** The error of {@code count} answers with that loss. */
  double measure(double sum, long count) {
    double average = count == 0 ? Double.NaN : sum / count;
    return classes ? average : Math.sqrt(average);
  }

  /** What the error is called. */
  String measureName() {
    return classes ? "error" : "RMSE";
  }

  /** What the trivial answer is. */
  String trivialName() {
    return classes ? "the most frequent class so far" : "the mean so far";
  }

  /** An error as people read it. */
  public String format(double error) {
    if (Double.isNaN(error)) {
      return "-";
    }
    return classes
        ? String.format(Locale.ROOT, "%.2f %%", 100 * error)
        : String.format(Locale.ROOT, "%.5g", error);
  }

  /** "error 15.9 % (predicting the most frequent class so far: 24.1 %)". */
  public String summary() {
    return String.format(
        Locale.ROOT,
        "%s %s (predicting %s: %s)",
        measureName(),
        format(error()),
        trivialName(),
        format(trivialError()));
  }
}
