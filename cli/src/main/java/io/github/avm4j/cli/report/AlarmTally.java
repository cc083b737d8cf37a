// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.report;

import java.util.Arrays;
import java.util.Locale;

/**
 * Counts of alarms, and on rows with labels how good they were. Keeps the scores of these rows, 8
 * bytes each, for the AUC.
 */
public final class AlarmTally {
  private double[][] scores = {new double[1024], new double[1024]};
  private final int[] rows = new int[2];
  private final long[] alarms = new long[2];
  private long all;
  private long allAlarms;

  public AlarmTally() {}

  /** Counts a row without a label. */
  public void add(boolean alarm) {
    all++;
    allAlarms += alarm ? 1 : 0;
  }

  /** Counts a row that is known to be an anomaly or normal. */
  public void add(double score, boolean alarm, boolean anomalous) {
    add(alarm);
    int kind = anomalous ? 1 : 0;
    if (rows[kind] == scores[kind].length) {
      scores[kind] = Arrays.copyOf(scores[kind], 2 * rows[kind]);
    }
    scores[kind][rows[kind]++] = score;
    alarms[kind] += alarm ? 1 : 0;
  }

  /** Whether there were rows of both kinds. */
  public boolean isJudged() {
    return rows[0] > 0 && rows[1] > 0;
  }

  /** Probability that an anomaly has a larger score than a normal row, ties counting half. */
  public double auc() {
    double[] normal = Arrays.copyOf(scores[0], rows[0]);
    double[] anomalous = Arrays.copyOf(scores[1], rows[1]);
    Arrays.sort(normal);
    Arrays.sort(anomalous);
    double sum = 0;
    int below = 0;
    int upTo = 0;
    for (double score : anomalous) {
      while (below < normal.length && normal[below] < score) {
        below++;
      }
      upTo = Math.max(upTo, below);
      while (upTo < normal.length && normal[upTo] <= score) {
        upTo++;
      }
      sum += (below + upTo) / 2.0;
    }
    return sum / ((double) normal.length * anomalous.length);
  }

  /** One or two lines. */
  public String summary() {
    String counted =
        String.format(
            Locale.ROOT, "%,d rows, %,d alarms (%s)", all, allAlarms, share(allAlarms, all));
    if (!isJudged()) {
      return counted;
    }
    return counted
        + String.format(
            Locale.ROOT,
            "%n%,d anomalies by their labels: AUC %.4f; alarms on %s of them and on %s of the normal"
                + " rows",
            rows[1],
            auc(),
            share(alarms[1], rows[1]),
            share(alarms[0], rows[0]));
  }

  private static String share(long part, long whole) {
    return String.format(Locale.ROOT, "%.2f %%", whole == 0 ? 0 : 100.0 * part / whole);
  }
}
