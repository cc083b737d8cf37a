// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.arena;

import java.util.Arrays;

/**
 * Ranks of k learners over N streams, and how far apart mean ranks must be to differ (Demšar,
 * Statistical comparisons of classifiers over multiple data sets, JMLR 7, 2006).
 */
final class Friedman {
  private final double[] ranks;
  private final int streams;

  /** Mean ranks R_j over N streams. */
  Friedman(double[] ranks, int streams) {
    this.ranks = ranks.clone();
    this.streams = streams;
  }

  /** Mean ranks of errors[stream][learner]; an infinite error shares the last ranks. */
  static Friedman of(double[][] errors) {
    if (errors.length == 0 || errors[0].length < 2) {
      throw new IllegalArgumentException("ranks need a stream and two learners");
    }
    double[] mean = new double[errors[0].length];
    for (double[] row : errors) {
      double[] ranks = ranks(row);
      for (int j = 0; j < mean.length; j++) {
        mean[j] += ranks[j] / errors.length;
      }
    }
    return new Friedman(mean, errors.length);
  }

  /** The ranks of errors, the least 1; equal ones share the mean of their ranks. */
  static double[] ranks(double[] errors) {
    double[] ranks = new double[errors.length];
    for (int j = 0; j < errors.length; j++) {
      int less = 0;
      int equal = 0;
      for (double other : errors) {
        less += other < errors[j] ? 1 : 0;
        equal += other == errors[j] ? 1 : 0;
      }
      ranks[j] = less + (equal + 1) / 2.0;
    }
    return ranks;
  }

  /** R_j, 1 the best. */
  double rank(int learner) {
    return ranks[learner];
  }

  /** N. */
  int streams() {
    return streams;
  }

  /** k. */
  int learners() {
    return ranks.length;
  }

  /** χ²_F = 12N/(k(k+1)) · (Σ R_j² − k(k+1)²/4), with k−1 degrees of freedom. */
  double chiSquared() {
    double k = learners();
    double squares = Arrays.stream(ranks).map(rank -> rank * rank).sum();
    return 12 * streams / (k * (k + 1)) * (squares - k * (k + 1) * (k + 1) / 4);
  }

  /** F_F = (N−1)χ²_F / (N(k−1) − χ²_F) of Iman and Davenport, with k−1 and (k−1)(N−1). */
  double f() {
    double chi = chiSquared();
    return (streams - 1) * chi / (streams * (learners() - 1.0) - chi);
  }

  /** Nemenyi's difference of mean ranks: q·√(k(k+1)/(6N)), at a level such as 0.05. */
  double criticalDifference(double level) {
    double k = learners();
    double q = StudentizedRange.quantile(learners(), 1 - level) / Math.sqrt(2);
    return q * Math.sqrt(k * (k + 1) / (6 * streams));
  }
}
