// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import io.github.avm4j.config.Task;
import java.util.Locale;

/**
 * The mean error of about the last thousand predictions that were made before their instance was
 * learned: for people who print a learner. No file has it: a learner that was read begins anew.
 */
final class RecentError {
  private static final int LAST = 1000;

  private long observed;
  private double mean;

  void observe(Task task, double prediction, double y) {
    double error = task == Task.CLASSIFICATION ? (prediction == y ? 0 : 1) : square(prediction - y);
    observed++;
    mean += (error - mean) / Math.min(observed, LAST);
  }

  private static double square(double value) {
    return value * value;
  }

  /** Mistakes in per cent, or the root of the mean squared error. */
  String text(Task task) {
    if (observed == 0) {
      return "not known";
    }
    return task == Task.CLASSIFICATION
        ? String.format(Locale.ROOT, "%.2f %%", 100 * mean)
        : String.format(Locale.ROOT, "%.4g (RMSE)", Math.sqrt(mean));
  }
}
