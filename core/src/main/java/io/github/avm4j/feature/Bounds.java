// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.feature;

import java.util.Arrays;
import java.util.Objects;

/**
 * The range of each feature in what has been learned. A value beyond its range by up to a tenth of
 * the range's width passes; one by up to half of it is cut to that tenth; one that is farther
 * counts as missing and becomes the feature's mean. Of few values the share that passes is larger.
 *
 * <p>Far from all core points every kernel value is 0, so a far value would turn the prediction
 * into that of a model without core points, even in a column that does not matter. Cut to the end
 * of its range it would still stand where few rows are; therefore what is farther becomes the mean.
 * Where a range is of few values, or has no width, everything passes.
 *
 * <p>NaN and infinities pass unchanged, and so do features that were never met.
 */
public final class Bounds {
  /** No feature is bounded. */
  public static final Bounds NONE =
      new Bounds(new double[0], new double[0], new double[0], new long[0], new long[0], true);

  /** What passes beyond a range, as a share of its width; more while fewer values are known. */
  private static final double SLACK = 0.1;

  private static final double SLACK_OF_FIRST = 30;

  /** Values before anything is cut: two that are near each other say nothing about a range. */
  private static final int FIRST = 20;

  /** What is cut and not missing beyond that, in the same unit. */
  private static final double REACH = 4;

  private final double[] lowest;
  private final double[] highest;
  private final double[] mean;
  private final long[] count;
  private final long[] cut;
  private final boolean sparse;

  /**
   * Takes ownership of the arrays, all of one length.
   *
   * @param lowest lower end of the range, per feature
   * @param highest upper end of the range, per feature
   * @param mean what stands for values that are missing, per feature
   * @param count number of values that were learned, per feature; 0 where none was
   * @param cut number of those that were cut or missing, per feature
   * @param sparse whether it is of sparse vectors, whose ranges hold 0
   * @throws IllegalArgumentException if lengths differ, or numbers do not fit together
   */
  public Bounds(
      double[] lowest, double[] highest, double[] mean, long[] count, long[] cut, boolean sparse) {
    int d = lowest.length;
    if (highest.length != d || mean.length != d || count.length != d || cut.length != d) {
      throw new IllegalArgumentException("all numbers of a bound must have one length");
    }
    for (int j = 0; j < d; j++) {
      boolean fits = lowest[j] <= highest[j] && mean[j] >= lowest[j] && mean[j] <= highest[j];
      fits &= !sparse || (lowest[j] <= 0 && highest[j] >= 0);
      if (!fits
          || highest[j] - lowest[j] == Double.POSITIVE_INFINITY
          || cut[j] < 0
          || count[j] < cut[j]) {
        throw new IllegalArgumentException(
            "feature %d cannot have the range %s..%s, the mean %s and %d of %d values cut"
                .formatted(j, lowest[j], highest[j], mean[j], cut[j], count[j]));
      }
    }
    this.lowest = lowest;
    this.highest = highest;
    this.mean = mean;
    this.count = count;
    this.cut = cut;
    this.sparse = sparse;
  }

  /** {@return the number of features that have a range} */
  public int dimension() {
    return lowest.length;
  }

  /** {@return whether they are of sparse vectors, whose ranges hold 0} */
  public boolean isSparse() {
    return sparse;
  }

  /**
   * {@return the smallest value of feature j that has been learned, after it was bounded}
   *
   * @param j index of the feature, from 0
   */
  public double lowest(int j) {
    return lowest[j];
  }

  /**
   * {@return the largest value of feature j that has been learned, after it was bounded}
   *
   * @param j index of the feature, from 0
   */
  public double highest(int j) {
    return highest[j];
  }

  /**
   * {@return the mean of feature j over what has been learned, after it was bounded}
   *
   * @param j index of the feature, from 0
   */
  public double mean(int j) {
    return mean[j];
  }

  /**
   * {@return the number of values of feature j that were learned}
   *
   * @param j index of the feature, from 0
   */
  public long count(int j) {
    return count[j];
  }

  /**
   * {@return the number of values of feature j that were cut or counted as missing when they were
   * learned; 0 for a feature without a range}
   *
   * @param j index of the feature, from 0
   */
  public long cut(int j) {
    return j < cut.length ? cut[j] : 0;
  }

  /**
   * {@return how far beyond its range a value of feature j passes unchanged; infinite if every
   * value does}
   *
   * @param j index of the feature, from 0
   */
  public double slack(int j) {
    double width = highest[j] - lowest[j];
    return width > 0 && count[j] >= FIRST
        ? width * Math.max(SLACK, SLACK_OF_FIRST / count[j])
        : Double.POSITIVE_INFINITY;
  }

  /**
   * {@return the value of feature j below which a value counts as missing}
   *
   * @param j index of the feature, from 0
   */
  public double missingBelow(int j) {
    return lowest[j] - (1 + REACH) * slack(j);
  }

  /**
   * {@return the value of feature j above which a value counts as missing}
   *
   * @param j index of the feature, from 0
   */
  public double missingAbove(int j) {
    return highest[j] + (1 + REACH) * slack(j);
  }

  /**
   * {@return value x of feature j, bounded}
   *
   * @param j index of the feature, from 0
   * @param x value of the feature
   */
  public double apply(int j, double x) {
    boolean passes =
        j >= lowest.length || (x >= lowest[j] && x <= highest[j]) || !Double.isFinite(x);
    if (passes) {
      return x;
    }
    double slack = slack(j);
    if (slack == Double.POSITIVE_INFINITY) {
      return x;
    }
    if (x < missingBelow(j) || x > missingAbove(j)) {
      return mean[j];
    }
    return Math.max(lowest[j] - slack, Math.min(highest[j] + slack, x));
  }

  /**
   * {@return the bounded {@code x}: itself if it is within all ranges, else a new vector} One that
   * is sparse becomes dense where the ranges are of dense vectors.
   *
   * @param x a vector
   */
  public FeatureVector apply(FeatureVector x) {
    Objects.requireNonNull(x, "x is null: an instance's features are needed");
    if (x.isSparse() && !sparse && x.dimension() <= lowest.length) {
      double[] all = new double[lowest.length];
      for (int k = 0; k < x.count(); k++) {
        all[x.indices()[k]] = x.values()[k];
      }
      return apply(FeatureVector.dense(all));
    }
    double[] values = x.values();
    for (int k = 0; k < x.count(); k++) {
      double value = values[k];
      double bounded = apply(x.isSparse() ? x.indices()[k] : k, value);
      if (bounded != value && !Double.isNaN(value)) {
        values = values == x.values() ? Arrays.copyOf(values, x.count()) : values;
        values[k] = bounded;
      }
    }
    if (values == x.values()) {
      return x;
    }
    return x.isSparse()
        ? FeatureVector.sparse(x.indices(), values, x.count()).copy()
        : FeatureVector.dense(values);
  }
}
