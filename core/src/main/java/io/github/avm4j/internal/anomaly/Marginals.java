// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.anomaly;

import io.github.avm4j.feature.FeatureVector;
import java.util.Arrays;

/**
 * A centre and a unit for each feature, estimated on core points: medians and trimmed mean absolute
 * deviations, which a few outliers do not move. Feature j becomes z = g((x_j − centre_j)/unit_j),
 * where g is the identity within ±3 and grows as a logarithm beyond.
 *
 * <p>A feature of one value has no unit: any other value is {@value #STEP} away, however near, so
 * that a small change after constant data counts. The two values of an indicator are {@value
 * #BETWEEN} apart, however rare one is.
 */
public final class Marginals {
  /** How far another value is from the only one seen. */
  static final double STEP = 4;

  /** How far the values of a feature with two of them are apart. */
  static final double BETWEEN = 2;

  /** Up to so many units g is the identity. */
  private static final double LINEAR = 3;

  private static final double LARGEST = 40;

  /** Larger values count as this. */
  public static final double LARGEST_VALUE = 1e300;

  /** Spreads that are a smaller share of the magnitude are rounding. */
  private static final double ROUNDING = 1e-14;

  /** A smaller unit has no inverse. */
  private static final double SMALLEST = 1e-300;

  /** One core point in so many is left out at either end. */
  private static final int TRIMMED = 50;

  /** Standard deviation over mean absolute deviation of a normal distribution. */
  private static final double DEVIATION = 1.2533141373155003;

  /** The centre of each feature: the only value, the lower of two, or the median. */
  public final double[] centre;

  /** The unit of each feature; 0 for a feature of one value. */
  public final double[] unit;

  /** Takes ownership of the arrays. */
  public Marginals(double[] centre, double[] unit) {
    this.centre = centre;
    this.unit = unit;
  }

  /** The same, in arrays of its own. */
  public Marginals copy() {
    return new Marginals(centre.clone(), unit.clone());
  }

  /**
   * Writes the features of x into {@code out}, not scaled; a missing one is its centre.
   *
   * @throws IllegalArgumentException if x has another number of features or an infinite one
   */
  public void read(FeatureVector x, double[] out) {
    int features = centre.length;
    boolean fits = x.isSparse() ? x.dimension() <= features : x.count() == features;
    if (!fits) {
      throw new IllegalArgumentException(
          "x has "
              + x.dimension()
              + " features, this detector has "
              + features
              + ": set features when it is built");
    }
    Arrays.fill(out, 0);
    for (int k = 0; k < x.count(); k++) {
      int j = x.isSparse() ? x.indices()[k] : k;
      out[j] = finite(x.values()[k], j);
    }
  }

  private double finite(double value, int j) {
    if (Double.isInfinite(value)) {
      throw new IllegalArgumentException(
          "feature " + j + " is " + value + "; features must be finite, or NaN if missing");
    }
    return Double.isNaN(value)
        ? centre[j]
        : Math.max(-LARGEST_VALUE, Math.min(LARGEST_VALUE, value));
  }

  /** Value x of feature j, scaled; within ±{@value #LARGEST}. */
  public double apply(int j, double x) {
    double from = x - centre[j];
    if (unit[j] == 0) {
      boolean same = Math.abs(from) <= ROUNDING * Math.abs(centre[j]);
      return same ? 0 : Math.copySign(STEP, from);
    }
    double z = from / unit[j];
    double size = Math.abs(z);
    return size <= LINEAR
        ? z
        : Math.copySign(Math.min(LARGEST, LINEAR + Math.log(size - LINEAR + 1)), z);
  }

  /**
   * Estimates feature j on n values.
   *
   * @param values in any order; sorted afterwards
   */
  void fit(int j, double[] values, int n) {
    Arrays.sort(values, 0, n);
    double low = values[0];
    double high = values[n - 1];
    double rounding = ROUNDING * Math.max(Math.abs(low), Math.abs(high));
    centre[j] = values[n / 2];
    if (high - low <= rounding || high - low < SMALLEST) {
      unit[j] = 0;
      return;
    }
    if (isTwoValued(values, n)) {
      centre[j] = low;
      unit[j] = (high - low) / BETWEEN;
      return;
    }
    double trimmed = deviation(values, n / TRIMMED, n - n / TRIMMED, centre[j]);
    double spread = trimmed > rounding ? trimmed : deviation(values, 0, n, centre[j]);
    unit[j] = Math.max(SMALLEST, DEVIATION * spread);
  }

  private static boolean isTwoValued(double[] sorted, int n) {
    int i = 0;
    while (sorted[i] == sorted[0]) {
      i++;
    }
    return sorted[i] == sorted[n - 1];
  }

  private static double deviation(double[] values, int from, int to, double centre) {
    double sum = 0;
    for (int i = from; i < to; i++) {
      sum += Math.abs(values[i] - centre);
    }
    return sum / (to - from);
  }
}
