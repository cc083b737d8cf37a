// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.feature;

import java.util.List;

/** Fits a {@link Scaling} to the first instances of a stream; looks at features only. */
public final class ScalingFitter {
  /** A feature reaching this many deviations above its mean has a heavy tail. */
  private static final double HEAVY = 10;

  /** Sparse values up to this count as scaled already. */
  private static final double SCALED = 1.5;

  /**
   * Sparse vectors of more features are left as they are: a number each would outgrow the model.
   */
  static final int MOST_SPARSE = 1 << 20;

  private ScalingFitter() {}

  /** The scaling of the given instances, all dense of one length or all sparse. */
  public static Scaling fit(List<FeatureVector> instances, ScalingMode mode) {
    return fit(instances, mode, MOST_SPARSE);
  }

  /** The same, which leaves sparse vectors of more than {@code most} features as they are. */
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
      Moments plain = moments(instances, j, false);
      Moments used = plain;
      if (mode == ScalingMode.AUTOMATIC && plain.isHeavy()) {
        Moments logs = moments(instances, j, true);
        logarithm[j] = logs.reach() < plain.reach();
        used = logarithm[j] ? logs : plain;
      }
      boolean indicator = mode == ScalingMode.AUTOMATIC && plain.indicator;
      if (mode == ScalingMode.MIN_MAX) {
        shift[j] = used.smallest;
        scale[j] = inverse(used.largest - used.smallest);
      } else {
        shift[j] = indicator ? 0 : used.mean;
        scale[j] = indicator ? 1 : inverse(used.deviation());
      }
    }
    return new Scaling(shift, scale, logarithm, false);
  }

  /** 1/spread, or 1 for a feature that does not vary. */
  private static double inverse(double spread) {
    return spread > 1e-12 ? 1 / spread : 1;
  }

  private static final class Moments {
    double count;
    double mean;
    double squares;
    double smallest = Double.POSITIVE_INFINITY;
    double largest = Double.NEGATIVE_INFINITY;
    boolean indicator = true;

    void add(double value) {
      double change = value - mean;
      count++;
      mean += change / count;
      squares += change * (value - mean);
      smallest = Math.min(smallest, value);
      largest = Math.max(largest, value);
      indicator &= value == 0 || value == 1;
    }

    double deviation() {
      return Math.sqrt(squares / count);
    }

    double reach() {
      double deviation = deviation();
      return deviation == 0 ? 0 : Math.max(largest - mean, mean - smallest) / deviation;
    }

    boolean isHeavy() {
      return !indicator && reach() > HEAVY;
    }
  }

  private static Moments moments(List<FeatureVector> instances, int j, boolean logarithm) {
    Moments moments = new Moments();
    for (FeatureVector x : instances) {
      double value = x.values()[j];
      moments.add(logarithm ? Math.copySign(Math.log1p(Math.abs(value)), value) : value);
    }
    return moments;
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
      scale[j] = inverse(mode == ScalingMode.STANDARD ? Math.sqrt(spread[j]) : spread[j]);
    }
    return new Scaling(new double[d], scale, new boolean[d], true);
  }
}
