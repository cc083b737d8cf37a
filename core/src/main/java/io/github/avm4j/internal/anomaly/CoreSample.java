// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.anomaly;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.paper.SplitMix64;
import java.util.Arrays;

/**
 * The core points of a detector: a random sample of the learned instances in which recent ones are
 * more likely, as they were and scaled.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>Scaled core points are those given, scaled by the marginals at hand: whenever the marginals
 *       change, all are scaled again.
 *   <li>Nothing is allocated once the sample is full.
 * </ol>
 */
public final class CoreSample {
  /**
   * Marginals are estimated anew at 1, 2, 4, 8 … core points and, once the sample is full, when
   * this share of it was replaced.
   */
  private static final int SHARE = 4;

  private static final double LARGEST_GAMMA = 1e6;

  public final int dimension;
  public final int budget;

  /** The core points as they were, one after the other. */
  private double[] raw;

  public final Marginals marginals;

  /** The core points scaled. */
  private final CoreSet scaled;

  /** The γ that was set, or 1/(mean distance of scaled core points); 1 where they are all equal. */
  private double gamma;

  /** How far each scaled core point is from its neighbours; 1/γ where γ was set. */
  final Spreads spreads = new Spreads();

  /** Core points taken since the marginals were estimated. */
  private int fresh;

  private final boolean estimated;
  private final double[] column;
  private final FeatureVector row;

  /**
   * No core points yet.
   *
   * @param gamma γ of all core points; 0 to estimate it, and a spread for each
   */
  public CoreSample(int dimension, int budget, double gamma) {
    this.dimension = dimension;
    this.budget = budget;
    estimated = gamma == 0;
    this.gamma = estimated ? 1 : gamma;
    raw = new double[dimension * Math.min(budget, 8)];
    marginals = new Marginals(new double[dimension], new double[dimension]);
    scaled = CoreSet.dense(dimension);
    column = new double[budget];
    row = FeatureVector.dense(new double[dimension]);
  }

  /** Number of core points. */
  public int size() {
    return scaled.size();
  }

  /** Value of feature j of core point i, as it was given. */
  public double value(int i, int j) {
    return raw[i * dimension + j];
  }

  /** The core points as they were, one after the other; a copy. */
  public double[] values() {
    return Arrays.copyOf(raw, size() * dimension);
  }

  /** The core points scaled. */
  CoreSet scaled() {
    return scaled;
  }

  /** Value of feature j of core point i, scaled. */
  public double coordinate(int i, int j) {
    return scaled.coordinate(i, j);
  }

  /** The γ that was set, or 1/(mean distance of scaled core points); 1 where they are all equal. */
  public double gamma() {
    return gamma;
  }

  /** How far each scaled core point is from its neighbours, a copy; 1/γ where γ was set. */
  public double[] spreads() {
    return Arrays.copyOf(spreads.values, size());
  }

  /** Core points taken since the marginals were estimated. */
  public int fresh() {
    return fresh;
  }

  /** Writes the scaled x into {@code out}. */
  public void scale(double[] x, double[] out) {
    for (int j = 0; j < dimension; j++) {
      out[j] = marginals.apply(j, x[j]);
    }
  }

  /**
   * Makes x a core point, or not, by chance.
   *
   * @param learned instances learned so far, this one included
   * @param horizon instances that are remembered
   */
  void offer(double[] x, double learned, double horizon, SplitMix64 random) {
    if (size() == budget && random.nextDouble() * Math.min(learned, horizon) >= budget) {
      return;
    }
    take(x, random);
  }

  /** Makes x a core point, in place of one chosen by chance when the sample is full. */
  void take(double[] x, SplitMix64 random) {
    boolean full = size() == budget;
    int slot = full ? (int) (random.nextDouble() * budget) : size();
    if ((slot + 1) * dimension > raw.length) {
      raw = Arrays.copyOf(raw, Math.min(budget, 2 * (slot + 1)) * dimension);
    }
    System.arraycopy(x, 0, raw, slot * dimension, dimension);
    scale(x, row.values());
    if (full) {
      scaled.replace(slot, row, true);
    } else {
      scaled.append(row, true);
    }
    spreads.reserve(size(), budget);
    spread(slot);
    fresh++;
    if (full ? fresh >= Math.max(1, budget / SHARE) : isRung(size())) {
      fit();
    }
  }

  private boolean isRung(int size) {
    return size == budget || Integer.bitCount(size) == 1;
  }

  private void fit() {
    int n = size();
    for (int j = 0; j < dimension; j++) {
      for (int i = 0; i < n; i++) {
        column[i] = raw[i * dimension + j];
      }
      marginals.fit(j, column, n);
    }
    rescale();
    if (estimated) {
      gamma = inverseMeanDistance();
    }
    for (int i = 0; i < n; i++) {
      spread(i);
    }
    fresh = 0;
  }

  private void spread(int i) {
    if (!estimated) {
      spreads.set(i, gamma);
      return;
    }
    for (int j = 0; j < dimension; j++) {
      row.values()[j] = scaled.coordinate(i, j);
    }
    spreads.estimate(i, row, scaled, gamma);
  }

  private void rescale() {
    for (int i = 0; i < size(); i++) {
      for (int j = 0; j < dimension; j++) {
        row.values()[j] = marginals.apply(j, raw[i * dimension + j]);
      }
      scaled.replace(i, row, true);
    }
  }

  /** Goes on with saved core points and their spreads; the marginals are set already. */
  public void restore(double[] values, double[] saved, double savedGamma, int savedFresh) {
    raw = values;
    gamma = savedGamma;
    fresh = savedFresh;
    int n = saved.length;
    spreads.reserve(n, budget);
    System.arraycopy(saved, 0, spreads.values, 0, n);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < dimension; j++) {
        row.values()[j] = marginals.apply(j, raw[i * dimension + j]);
      }
      scaled.append(row, true);
    }
  }

  private double inverseMeanDistance() {
    int n = size();
    double sum = 0;
    for (int i = 0; i < n; i++) {
      int other = (i + n / 2) % n;
      double squared = 0;
      for (int j = 0; j < dimension; j++) {
        double difference = scaled.coordinate(i, j) - scaled.coordinate(other, j);
        squared += difference * difference;
      }
      sum += Math.sqrt(squared);
    }
    return sum == 0 ? 1 : Math.min(LARGEST_GAMMA, n / sum);
  }
}
