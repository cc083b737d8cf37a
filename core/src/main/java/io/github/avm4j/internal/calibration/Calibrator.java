// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.calibration;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Thresholds that a given share of the instances stays within, one for each level, found on the
 * predictions made before each instance was learned from.
 *
 * <p>An instance has a score: |y − f(x)| in units of what {@link Residuals} expect, or (1 − p)/p
 * for the probability p of its label. Threshold q of level 1 − α goes up by the factor exp(η(1 −
 * α)) when a score is above it, and down by exp(−ηα) when it is not: the quantile tracking of
 * Angelopoulos, Candès and Tibshirani (Conformal PID control, NeurIPS 2023) on the logarithm of
 * scores, which makes it independent of their unit. So, whatever the stream,
 *
 * <pre>|misses − α·T| ≤ (largest ln q − smallest ln q)/η + 1</pre>
 *
 * <p>in any T instances after the first ones, over which η goes down. Logarithms stay within ±
 * {@value #LARGEST_LOG}; of labels above 0, where a set holds one class and no threshold could make
 * it smaller, and at the top a set holds all classes.
 */
public final class Calibrator {
  /** Largest logarithm of a threshold. */
  public static final double LARGEST_LOG = 40;

  /** η of a regression and of classification; at least 1/√t at instance t. */
  private static final double RATE = 0.02;

  private static final double RATE_OF_ODDS = 0.05;

  private static final double ROUNDING = 1e-9;

  /** Levels, ascending. */
  public final double[] levels;

  /** ln q for each level. */
  public final double[] logs;

  /** Of a regression; null for classification. */
  public final @Nullable Residuals residuals;

  /** Instances seen. */
  private long observed;

  /**
   * Begins with nothing.
   *
   * @param levels in (0, 1), ascending
   * @param residuals for regression, null for classification
   */
  public Calibrator(double[] levels, @Nullable Residuals residuals) {
    this(levels, new double[levels.length], residuals, 0);
  }

  /** Goes on with thresholds that were saved. */
  public Calibrator(double[] levels, double[] logs, @Nullable Residuals residuals, long observed) {
    this.levels = levels;
    this.logs = logs;
    this.residuals = residuals;
    this.observed = observed;
  }

  /** Instances seen. */
  public long observed() {
    return observed;
  }

  /** An equal one that shares nothing that changes. */
  public Calibrator copy() {
    Residuals own = residuals;
    return new Calibrator(levels, logs.clone(), own == null ? null : own.copy(), observed);
  }

  /** The smallest ln q. */
  public double least() {
    return residuals == null ? 0 : -LARGEST_LOG;
  }

  /**
   * The index of a level.
   *
   * @throws IllegalArgumentException if it is none of those set, naming them
   */
  public int indexOf(double level) {
    for (int i = 0; i < levels.length; i++) {
      if (levels[i] == level) {
        return i;
      }
    }
    throw new IllegalArgumentException(
        levels.length == 0
            ? "there are no levels of coverage: set them when the learner is built"
            : "level must be one of %s, was %s; levels are set when the learner is built"
                .formatted(Arrays.toString(levels), level));
  }

  /** Whether too few instances were seen to say anything: fewer than 1/α − 1. */
  private boolean isEarly(int level) {
    return (observed + 1) * (1 - levels[level]) < 1 - ROUNDING;
  }

  /** Half the width of an interval around a prediction; infinite for too few instances. */
  public double halfWidth(double prediction, int level) {
    double tracked = tracked(prediction, level);
    return isEarly(level) ? Double.POSITIVE_INFINITY : tracked;
  }

  private double tracked(double prediction, int level) {
    Residuals expected = residuals;
    if (expected == null) {
      throw new IllegalStateException("a classifier has prediction sets, no intervals");
    }
    return Math.exp(logs[level]) * expected.at(prediction);
  }

  /** The smallest probability of a class in a prediction set, if it is not the predicted one. */
  public double leastProbability(int level) {
    if (residuals != null) {
      throw new IllegalStateException("a regression has intervals, no prediction sets");
    }
    return isEarly(level) ? 0 : tracked(level);
  }

  private double tracked(int level) {
    double log = logs[level];
    return log >= LARGEST_LOG ? 0 : 1 / (1 + Math.exp(log));
  }

  /** Takes in a number and the prediction made for it. */
  public void observeNumber(double prediction, double y) {
    Residuals expected = residuals;
    if (expected == null) {
      throw new IllegalStateException("numbers are of a regression");
    }
    double residual = Math.abs(y - prediction);
    double rate = rate();
    for (int i = 0; i < levels.length; i++) {
      move(i, residual > tracked(prediction, i), rate);
    }
    expected.observe(prediction, residual, observed);
    observed++;
  }

  /**
   * Takes in a label.
   *
   * @param probability that was predicted for it; NaN if it was not known
   * @param predicted whether it was the predicted one
   */
  public void observeLabel(double probability, boolean predicted) {
    double rate = rate();
    for (int i = 0; i < levels.length; i++) {
      move(i, !predicted && !(probability >= tracked(i)), rate);
    }
    observed++;
  }

  private double rate() {
    double least = residuals == null ? RATE_OF_ODDS : RATE;
    return Math.max(least, 1 / Math.sqrt(observed + 1.0));
  }

  private void move(int i, boolean miss, double rate) {
    double log = logs[i] + rate * ((miss ? 1 : 0) - (1 - levels[i]));
    logs[i] = Math.max(least(), Math.min(LARGEST_LOG, log));
  }
}
