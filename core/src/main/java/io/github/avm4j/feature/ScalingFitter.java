// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.feature;

import java.util.Arrays;
import java.util.List;

/** Fits a {@link Scaling} to the first instances of a stream; looks at features only. */
public final class ScalingFitter {
  /** A feature reaching this many deviations above its mean has a heavy tail. */
  private static final double HEAVY = 10;

  /** Sparse values up to this count as scaled already. */
  private static final double SCALED = 1.5;

  /** Features whose spread is a smaller share of their magnitude vary by rounding alone. */
  private static final double CONSTANT = 1e-14;

  /** A smaller spread has no inverse. */
  private static final double SMALLEST = 1e-300;

  /**
   * Values more than this many times as far from the median as 199 of 200, at most one in 200 and
   * one at least, say nothing about the rest of a feature.
   */
  private static final double OUTLIER = 20;

  /** Fewer instances cannot tell an outlier. */
  private static final int ENOUGH = 10;

  /**
   * Sparse vectors of more features are left as they are: a number each would outgrow the model.
   */
  static final int MOST_SPARSE = 1 << 20;

  private ScalingFitter() {}

  /**
   * {@return the scaling of the given instances, all dense of one length or all sparse}
   *
   * @param instances the sample, not empty
   * @param mode which scaling to fit
   */
  public static Scaling fit(List<FeatureVector> instances, ScalingMode mode) {
    return fit(instances, mode, MOST_SPARSE);
  }

  /**
   * {@return the scaling of the given instances; it leaves sparse vectors of more than {@code most}
   * features as they are}
   *
   * @param instances the sample, not empty
   * @param mode which scaling to fit
   * @param most largest number of features that are scaled
   */
  public static Scaling fit(List<FeatureVector> instances, ScalingMode mode, int most) {
    if (mode == ScalingMode.NONE || instances.isEmpty()) {
      return Scaling.none();
    }
    return instances.get(0).isSparse()
        ? fitSparse(instances, mode, Math.min(most, MOST_SPARSE))
        : fitDense(instances, mode);
  }

  private static Scaling fitDense(List<FeatureVector> instances, ScalingMode mode) {
    int d = instances.get(0).count();
    double[] shift = new double[d];
    double[] scale = new double[d];
    boolean[] logarithm = new boolean[d];
    for (int j = 0; j < d; j++) {
      double[] values = values(instances, j);
      Moments plain = moments(values, false);
      Moments used = plain;
      if (mode == ScalingMode.AUTOMATIC && plain.isHeavy()) {
        Moments logs = moments(values, true);
        logarithm[j] = logs.reach() < plain.reach();
        used = logarithm[j] ? logs : plain;
      }
      boolean indicator = mode == ScalingMode.AUTOMATIC && plain.indicator;
      if (mode == ScalingMode.MIN_MAX) {
        shift[j] = used.smallest;
        scale[j] = inverse(used.largest - used.smallest, used.magnitude());
      } else {
        shift[j] = indicator ? 0 : used.mean;
        scale[j] = indicator ? 1 : inverse(used.deviation(), used.magnitude());
      }
    }
    return new Scaling(shift, scale, logarithm, false);
  }

  /** 1/spread, or 1 for a feature that does not vary but for rounding. */
  private static double inverse(double spread, double largest) {
    return spread > CONSTANT * largest && spread >= SMALLEST ? 1 / spread : 1;
  }

  private static final class Moments {
    double count;
    double mean;
    double squares;
    double smallest = Double.POSITIVE_INFINITY;
    double largest = Double.NEGATIVE_INFINITY;
    boolean indicator = true;

    /** A power of two that values are multiplied by before they are squared. */
    final double unit;

    Moments(double unit) {
      this.unit = unit;
    }

    void add(double value) {
      double change = value - mean;
      count++;
      mean += change / count;
      squares += (unit * change) * (unit * (value - mean));
      smallest = Math.min(smallest, value);
      largest = Math.max(largest, value);
      indicator &= value == 0 || value == 1;
    }

    double deviation() {
      return Math.sqrt(squares / count) / unit;
    }

    double magnitude() {
      return Math.max(Math.abs(smallest), Math.abs(largest));
    }

    double reach() {
      double deviation = deviation();
      return deviation == 0 ? 0 : Math.max(largest - mean, mean - smallest) / deviation;
    }

    boolean isHeavy() {
      return !indicator && reach() > HEAVY;
    }
  }

  private static Moments moments(double[] values, boolean logarithm) {
    double magnitude = 0;
    for (double value : values) {
      magnitude = Math.max(magnitude, Math.abs(value));
    }
    Moments moments = new Moments(logarithm ? 1 : unit(magnitude));
    for (double value : values) {
      moments.add(logarithm ? Math.copySign(Math.log1p(Math.abs(value)), value) : value);
    }
    return moments;
  }

  private static double unit(double magnitude) {
    int exponent = magnitude == 0 ? 0 : Math.getExponent(magnitude);
    return Math.scalb(1.0, -Math.max(-1000, Math.min(1000, exponent)));
  }

  /** The values of feature j without outliers. */
  private static double[] values(List<FeatureVector> instances, int j) {
    double[] values = instances.stream().mapToDouble(x -> x.values()[j]).toArray();
    int n = values.length;
    if (n < ENOUGH) {
      return values;
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    double median = sorted[n / 2];
    double[] distances = Arrays.stream(sorted).map(value -> Math.abs(value - median)).toArray();
    Arrays.sort(distances);
    double usual = distances[n - 2 - n / 200];
    return usual == 0 || distances[n - 1] <= OUTLIER * usual
        ? values
        : Arrays.stream(values)
            .filter(value -> Math.abs(value - median) <= OUTLIER * usual)
            .toArray();
  }

  private static Scaling fitSparse(List<FeatureVector> instances, ScalingMode mode, int most) {
    int d = 0;
    double largest = 0;
    for (FeatureVector x : instances) {
      d = Math.max(d, x.dimension());
      for (int k = 0; k < x.count(); k++) {
        largest = Math.max(largest, Math.abs(x.values()[k]));
      }
    }
    if (d > most || (mode == ScalingMode.AUTOMATIC && largest <= SCALED)) {
      return Scaling.none();
    }
    double[] spread = new double[d];
    for (FeatureVector x : instances) {
      for (int k = 0; k < x.count(); k++) {
        double value = Math.abs(x.values()[k]);
        int j = x.indices()[k];
        spread[j] =
            mode == ScalingMode.STANDARD
                ? spread[j] + value * value / instances.size()
                : Math.max(spread[j], value);
      }
    }
    double[] scale = new double[d];
    for (int j = 0; j < d; j++) {
      double size = mode == ScalingMode.STANDARD ? Math.sqrt(spread[j]) : spread[j];
      scale[j] = size >= SMALLEST ? 1 / size : 0;
    }
    fillUnseen(scale);
    return new Scaling(new double[d], scale, new boolean[d], true);
  }

  /** Features that were never seen are scaled as those that were, by their median. */
  private static void fillUnseen(double[] scale) {
    double[] seen = Arrays.stream(scale).filter(value -> value > 0).sorted().toArray();
    double usual = seen.length == 0 ? 1 : seen[seen.length / 2];
    for (int j = 0; j < scale.length; j++) {
      scale[j] = scale[j] > 0 ? scale[j] : usual;
    }
  }
}
