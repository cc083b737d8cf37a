// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.evaluation;

import io.github.avm4j.internal.linear.CompensatedSum;
import io.github.avm4j.model.Predictor;

/**
 * Squared and absolute error, bias and R² of a regressor, beside the mean so far and no change; the
 * baselines begin with 0. A prediction that is not finite makes the errors infinite.
 */
public final class RegressionScore implements Score {
  private final CompensatedSum weights = new CompensatedSum();
  private final CompensatedSum squares = new CompensatedSum();
  private final CompensatedSum absolutes = new CompensatedSum();
  private final CompensatedSum misses = new CompensatedSum();
  private final CompensatedSum meanSquares = new CompensatedSum();
  private final CompensatedSum noChangeSquares = new CompensatedSum();
  private long instances;
  private long notFinite;

  private double scoredWeight;
  private double scoredMean;
  private double scoredSpread;

  private boolean frozen;
  private double meanWeight;
  private double mean;
  private double previous;

  private final double[] ringActual;
  private final double[] ringMiss;
  private final double[] ringMeanMiss;
  private final double[] ringNoChangeMiss;
  private final double[] ringWeight;

  /** A score with a window of {@link Score#DEFAULT_WINDOW}. */
  public RegressionScore() {
    this(DEFAULT_WINDOW);
  }

  /**
   * A score that looks at the last {@code window} instances too.
   *
   * @param window number of last instances to look at, ≥ 1
   */
  public RegressionScore(int window) {
    if (window < 1) {
      throw new IllegalArgumentException("window must be >= 1, was " + window);
    }
    ringActual = new double[window];
    ringMiss = new double[window];
    ringMeanMiss = new double[window];
    ringNoChangeMiss = new double[window];
    ringWeight = new double[window];
  }

  @Override
  public void add(double actual, double prediction, double weight) {
    checkTarget(actual);
    if (!Score.counts(weight)) {
      return;
    }
    double miss = prediction - actual;
    int slot = (int) (instances % ringActual.length);
    instances++;
    ringActual[slot] = actual;
    ringMiss[slot] = miss;
    ringMeanMiss[slot] = mean - actual;
    ringNoChangeMiss[slot] = previous - actual;
    ringWeight[slot] = weight;
    weights.add(weight);
    if (Double.isFinite(miss)) {
      squares.add(weight * miss * miss);
      absolutes.add(weight * Math.abs(miss));
      misses.add(weight * miss);
    } else {
      notFinite++;
    }
    meanSquares.add(weight * (mean - actual) * (mean - actual));
    noChangeSquares.add(weight * (previous - actual) * (previous - actual));
    scoredWeight += weight;
    double shift = actual - scoredMean;
    scoredMean += shift * weight / scoredWeight;
    scoredSpread += weight * shift * (actual - scoredMean);
    observe(actual, weight);
  }

  private static void checkTarget(double actual) {
    if (!Double.isFinite(actual)) {
      throw new IllegalArgumentException("the actual number must be finite, was " + actual);
    }
  }

  @Override
  public void add(
      double actual,
      double prediction,
      double weight,
      Predictor predictor,
      double[] scores,
      int known) {
    add(actual, prediction, weight);
  }

  @Override
  public void observe(double actual, double weight) {
    checkTarget(actual);
    if (!frozen && Score.counts(weight)) {
      meanWeight += weight;
      mean += (actual - mean) * weight / meanWeight;
      previous = actual;
    }
  }

  @Override
  public void freeze() {
    frozen = true;
  }

  @Override
  public RegressionFigures cumulative() {
    double weight = weights.value();
    boolean bad = notFinite > 0;
    double sse = bad ? Double.POSITIVE_INFINITY : squares.value();
    return new RegressionFigures(
        instances,
        weight,
        Math.sqrt(sse / weight),
        bad ? Double.POSITIVE_INFINITY : absolutes.value() / weight,
        bad ? Double.NaN : misses.value() / weight,
        explained(sse, scoredSpread),
        Math.sqrt(meanSquares.value() / weight),
        noChange(noChangeSquares.value() / weight));
  }

  private double noChange(double square) {
    return frozen ? Double.NaN : Math.sqrt(square);
  }

  private static double explained(double sse, double spread) {
    return spread > 0 ? 1 - sse / spread : Double.NaN;
  }

  @Override
  public RegressionFigures window() {
    int count = (int) Math.min(instances, ringActual.length);
    double weight = 0;
    double sum = 0;
    for (int i = 0; i < count; i++) {
      weight += ringWeight[i];
      sum += ringWeight[i] * ringActual[i];
    }
    double spread = 0;
    boolean bad = false;
    double absolute = 0;
    double miss = 0;
    for (int i = 0; i < count; i++) {
      double shift = ringActual[i] - sum / weight;
      spread += ringWeight[i] * shift * shift;
      bad |= !Double.isFinite(ringMiss[i]);
      absolute += ringWeight[i] * Math.abs(ringMiss[i]);
      miss += ringWeight[i] * ringMiss[i];
    }
    double sse = bad ? Double.POSITIVE_INFINITY : squares(ringMiss, count);
    return new RegressionFigures(
        count,
        weight,
        Math.sqrt(sse / weight),
        bad ? Double.POSITIVE_INFINITY : absolute / weight,
        bad ? Double.NaN : miss / weight,
        explained(sse, spread),
        Math.sqrt(squares(ringMeanMiss, count) / weight),
        noChange(squares(ringNoChangeMiss, count) / weight));
  }

  private double squares(double[] ring, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += ringWeight[i] * ring[i] * ring[i];
    }
    return sum;
  }
}
