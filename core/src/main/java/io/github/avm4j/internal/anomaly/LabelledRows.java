// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.anomaly;

import java.util.Arrays;

/**
 * Instances that a person said to be anomalies or normal; the last {@value #MOST}. A score moves
 * towards what was said of the most similar one.
 */
public final class LabelledRows {
  /** Most instances that are kept. */
  public static final int MOST = 64;

  /** The instances, as they were given. */
  public final double[][] rows = new double[MOST][];

  /** What was said of each. */
  public final boolean[] anomalous = new boolean[MOST];

  /** Instances taken in so far; the newest replaces the oldest. */
  private long count;

  /** None yet. */
  public LabelledRows() {}

  /** Number of instances that are kept. */
  public int size() {
    return (int) Math.min(count, MOST);
  }

  /** Instances taken in so far. */
  public long count() {
    return count;
  }

  /** Goes on with so many, of which the last have been added. */
  public void restore(long saved) {
    count = saved;
  }

  /** Takes in a copy of x. */
  public void add(double[] x, boolean isAnomalous) {
    int slot = (int) (count % MOST);
    rows[slot] = x.clone();
    anomalous[slot] = isAnomalous;
    count++;
  }

  /**
   * How far the score of an instance is to move towards what was said: 1 where an equal one was an
   * anomaly, −1 where it was normal, 0 far from all.
   *
   * @param z the instance, scaled
   * @param gamma γ of the kernel exp(−γ‖·‖) that says how similar instances are
   */
  double opinion(double[] z, Marginals marginals, double gamma) {
    double nearest = Double.POSITIVE_INFINITY;
    boolean said = false;
    for (long k = count - 1; k >= count - size(); k--) {
      int i = (int) (k % MOST); // newest first: it is right where several are as near
      double squared = 0;
      for (int j = 0; j < z.length; j++) {
        double difference = z[j] - marginals.apply(j, rows[i][j]);
        squared += difference * difference;
      }
      if (squared < nearest) {
        nearest = squared;
        said = anomalous[i];
      }
    }
    double similarity = Math.exp(-gamma * Math.sqrt(nearest));
    return said ? similarity : -similarity;
  }

  @Override
  public String toString() {
    return "LabelledRows" + Arrays.toString(Arrays.copyOf(anomalous, size()));
  }
}
