// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import io.github.avm4j.feature.Bounds;
import java.util.Arrays;

/**
 * The {@link Bounds} of a model for the features that are written; infinite where there is none.
 *
 * @param lower what smaller values are cut to, per feature
 * @param upper what larger values are cut to, per feature
 * @param below smaller values become the mean, per feature
 * @param above larger values become the mean, per feature
 * @param mean what stands for values that are missing, per feature
 */
@SuppressWarnings("ArrayRecordComponent") // read by writers, never compared
record BoundTable(double[] lower, double[] upper, double[] below, double[] above, double[] mean) {
  /** A table of so many features without bounds. */
  static BoundTable none(int dimension) {
    double[] lowest = new double[dimension];
    double[] highest = new double[dimension];
    Arrays.fill(lowest, Double.NEGATIVE_INFINITY);
    Arrays.fill(highest, Double.POSITIVE_INFINITY);
    return new BoundTable(lowest, highest, lowest.clone(), highest.clone(), new double[dimension]);
  }

  /** Takes over feature {@code j} of a model, which is written in {@code place}. */
  void set(int place, Bounds bounds, int j) {
    lower[place] = bounds.lowest(j) - bounds.slack(j);
    upper[place] = bounds.highest(j) + bounds.slack(j);
    below[place] = bounds.missingBelow(j);
    above[place] = bounds.missingAbove(j);
    mean[place] = bounds.mean(j);
  }

  /** Whether a feature is bounded. */
  boolean is(int place) {
    return upper[place] < Double.POSITIVE_INFINITY;
  }

  /** Whether any feature is. */
  boolean isAny() {
    for (int j = 0; j < upper.length; j++) {
      if (is(j)) {
        return true;
      }
    }
    return false;
  }
}
