// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.tuning;

import io.github.avm4j.internal.contest.Contest;
import io.github.avm4j.internal.secondorder.LossStep;

/**
 * Adaptive inverse temperature of the scores: 1, 2 or 4, chosen by recent log loss.
 *
 * <p>A learner that skips what it predicts well stays less confident of it than it could be. The
 * predicted class is the same whatever the factor; probabilities are not. Factors are powers of
 * two, which multiply without rounding, so that a saved learner resumes bit for bit.
 */
public final class Temperature {
  /** Number of factors to choose from: 1, 2, 4. */
  public static final int FACTORS = 3;

  /** Every so many instances are observed, and means are taken over so many observations. */
  private static final int STRIDE = 4;

  private static final int WINDOW = 2500;

  /** Observations before the first choice, and between choices. */
  private static final int PAUSE = 100;

  private final double[] losses = new double[FACTORS];

  /** Entrant p multiplies scores by 2^p. */
  final Contest contest;

  private long met;

  /** A factor of 1, until log losses speak for another. */
  public Temperature() {
    this(new Contest(FACTORS, WINDOW), 0);
  }

  /** Goes on with a contest that was {@link #contest() saved} after so many instances. */
  public Temperature(Contest contest, long met) {
    this.contest = contest;
    this.met = met;
  }

  /** The contest among the factors. */
  public Contest contest() {
    return contest;
  }

  /** Instances seen. */
  public long met() {
    return met;
  }

  /** What scores are to be multiplied by. */
  public double factor() {
    return 1 << contest.incumbent();
  }

  /** Takes in the scores, without the factor, that were predicted for an instance of a label. */
  public void observe(double[] columns, int count, int label) {
    if (met++ % STRIDE != 0) {
      return;
    }
    for (int p = 0; p < FACTORS; p++) {
      losses[p] = LossStep.logLoss(columns, count, label, 1 << p);
    }
    contest.observe(losses);
    if (contest.seen() % PAUSE == 0) {
      contest.lead(contest.best(0, 0));
    }
  }
}
