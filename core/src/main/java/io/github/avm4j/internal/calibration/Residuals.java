// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.calibration;

import java.util.Arrays;

/**
 * How large the residuals of a regression usually are, by the size of the prediction: means of |y −
 * f(x)| over {@value #BINS} intervals of f(x), which follow the mean and the standard deviation of
 * the predictions.
 */
public final class Residuals {
  /** Intervals of predictions. */
  public static final int BINS = 16;

  /** Intervals per standard deviation of the predictions; the outermost have no end. */
  private static final double PER_DEVIATION = 2.5;

  /** Instances that means are taken over: of the predictions, and of the residuals in a bin. */
  private static final int PREDICTIONS = 5000;

  private static final int WINDOW = 1000;

  /** Instances that the mean over all bins counts as in each. */
  private static final double PRIOR = 10;

  /** Residuals count as at most so many times what was expected. */
  private static final double LARGEST = 20;

  /** Mean of |y − f(x)|; 0 until one is above 0. */
  private double overall;

  /** Mean and variance of predictions. */
  private double centre;

  private double variance;

  /** Sums of |y − f(x)| by bin, and numbers of instances, both over an exponential window. */
  public final double[] sums;

  public final double[] counts;

  /** No residuals yet. */
  public Residuals() {
    this(0, 0, 0, new double[BINS], new double[BINS]);
  }

  /** Goes on with what was saved. */
  public Residuals(double overall, double centre, double variance, double[] sums, double[] counts) {
    this.overall = overall;
    this.centre = centre;
    this.variance = variance;
    this.sums = sums;
    this.counts = counts;
  }

  /** Mean of |y − f(x)|; 0 until one is above 0. */
  public double overall() {
    return overall;
  }

  /** Mean of predictions. */
  public double centre() {
    return centre;
  }

  /** Variance of predictions. */
  public double variance() {
    return variance;
  }

  /** An equal one that shares nothing with this. */
  Residuals copy() {
    return new Residuals(overall, centre, variance, sums.clone(), counts.clone());
  }

  /** The residual to expect of a prediction. */
  double at(double prediction) {
    int bin = bin(prediction);
    return (PRIOR * overall + sums[bin]) / (PRIOR + counts[bin]);
  }

  private int bin(double prediction) {
    double from = (prediction - centre) / Math.sqrt(variance);
    // A variance of 0 makes this infinite or NaN, and NaN becomes 0.
    int steps = (int) Math.floor(PER_DEVIATION * from);
    return Math.max(0, Math.min(BINS - 1, Math.max(-BINS, Math.min(BINS, steps)) + BINS / 2));
  }

  /**
   * Takes in a residual.
   *
   * @param observed instances before
   */
  void observe(double prediction, double residual, long observed) {
    int bin = bin(prediction);
    double most = LARGEST * Math.max(overall, at(prediction));
    double size = overall == 0 ? residual : Math.min(residual, most);
    overall += (size - overall) / Math.min(observed + 1.0, WINDOW);
    sums[bin] += size - sums[bin] / WINDOW;
    counts[bin] += 1 - counts[bin] / WINDOW;
    double share = 1 / Math.min(observed + 1.0, PREDICTIONS);
    double change = prediction - centre;
    centre += share * change;
    variance = (1 - share) * (variance + share * change * change);
  }

  @Override
  public String toString() {
    return "Residuals[%s, %s ± %s, %s / %s]"
        .formatted(
            overall, centre, Math.sqrt(variance), Arrays.toString(sums), Arrays.toString(counts));
  }
}
