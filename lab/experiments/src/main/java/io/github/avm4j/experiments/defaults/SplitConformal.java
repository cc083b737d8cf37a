// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.defaults;

import io.github.avm4j.evaluation.CoverageScore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Split conformal prediction: the threshold of a level is the quantile of the scores of rows 1,001
 * to 2,000, and stays. The score is |y − f(x)|, or 1 − p of the label.
 */
final class SplitConformal {
  private static final int FIRST = 1000;

  /** Rows before the first that it predicts. */
  static final int LAST = 2000;

  private final List<Double> levels;
  private final double[] calibration = new double[LAST - FIRST];
  private final double[] thresholds;
  private final long[] held;
  private final long[] inWindow;
  private final double[] sizes;
  private final double[] worst;
  private int seen;

  SplitConformal(List<Double> levels) {
    this.levels = levels;
    int n = levels.size();
    thresholds = new double[n];
    held = new long[n];
    inWindow = new long[n];
    sizes = new double[n];
    worst = new double[n];
    Arrays.fill(worst, Double.NaN);
  }

  /** Takes in a residual. */
  void add(double residual) {
    for (int i = 0; seen >= LAST && i < thresholds.length; i++) {
      count(i, residual <= thresholds[i], 2 * thresholds[i]);
    }
    next(residual);
  }

  /** Takes in the probabilities of all classes, and the index of the label; −1 if unknown. */
  void add(double[] probabilities, int classes, int label) {
    double score = label < 0 ? 1 : 1 - probabilities[label];
    for (int i = 0; seen >= LAST && i < thresholds.length; i++) {
      int size = 0;
      for (int j = 0; j < classes; j++) {
        size += 1 - probabilities[j] <= thresholds[i] ? 1 : 0;
      }
      count(i, score <= thresholds[i], size);
    }
    next(score);
  }

  private void count(int i, boolean holds, double size) {
    held[i] += holds ? 1 : 0;
    inWindow[i] += holds ? 1 : 0;
    sizes[i] += size;
    if ((seen + 1 - LAST) % CoverageScore.WINDOW == 0) {
      double share = inWindow[i] / (double) CoverageScore.WINDOW;
      inWindow[i] = 0;
      if (!(Math.abs(share - levels.get(i)) <= Math.abs(worst[i] - levels.get(i)))) {
        worst[i] = share;
      }
    }
  }

  private void next(double score) {
    if (seen >= FIRST && seen < LAST) {
      calibration[seen - FIRST] = score;
    }
    seen++;
    if (seen == LAST) {
      double[] sorted = calibration.clone();
      Arrays.sort(sorted);
      for (int i = 0; i < thresholds.length; i++) {
        int rank = (int) Math.ceil(levels.get(i) * (sorted.length + 1));
        thresholds[i] = sorted[Math.min(sorted.length, rank) - 1];
      }
    }
  }

  List<CoverageScore.Figures> figures() {
    List<CoverageScore.Figures> figures = new ArrayList<>();
    double count = Math.max(1, seen - LAST);
    for (int i = 0; i < thresholds.length; i++) {
      figures.add(
          new CoverageScore.Figures(
              levels.get(i), seen - LAST, held[i] / count, worst[i], sizes[i] / count));
    }
    return figures;
  }
}
