// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.coreset;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.simd.VectorOps;
import io.github.avm4j.internal.simd.VectorOpsProvider;
import io.github.avm4j.kernel.Kernel;
import java.util.Arrays;

/**
 * What one instance needs of the core set: its squared distances, filled by one pass and read by
 * the kernel <em>and</em> the coverage, and its kernel values. Scratch that belongs to one learner
 * or one thread; grows with the set and allocates nothing otherwise.
 */
public final class CoreDistances {
  private static final VectorOps OPS = VectorOpsProvider.get();

  /** Up to this no squared distance overflows; larger values are refused where one would. */
  public static final double LARGEST = 1e150;

  private double[] squared = new double[32];
  private double[] kernel = new double[32];
  private FeatureVector point = FeatureVector.dense();
  private int size;

  /** No distances yet. */
  public CoreDistances() {}

  /**
   * Distances and kernel values of {@code x} to every point of {@code set}.
   *
   * @throws IllegalArgumentException if x holds a NaN, an infinity or a magnitude above 1e150
   */
  public void fill(CoreSet set, FeatureVector x, Kernel k) {
    measure(set, x);
    applyKernel(k);
  }

  /** Kernel values of the distances at hand. */
  public void applyKernel(Kernel k) {
    k.values(squared, kernel, size);
  }

  /**
   * Distances alone; the kernel values stay those of an earlier pass.
   *
   * @throws IllegalArgumentException if x holds a NaN, an infinity or a magnitude above 1e150
   */
  public void measure(CoreSet set, FeatureVector x) {
    size = set.size();
    reserve(size);
    if (size > 0) {
      set.squaredDistances(x, squared);
    }
    check(set, x);
  }

  /** The same for x, and for y in {@code other}, with the same bits. */
  public void measure(CoreSet set, FeatureVector x, FeatureVector y, CoreDistances other) {
    size = set.size();
    reserve(size);
    other.size = size;
    other.reserve(size);
    if (size > 0) {
      set.squaredDistances(x, y, squared, other.squared);
    }
    check(set, x);
    other.check(set, y);
  }

  private void check(CoreSet set, FeatureVector x) {
    if (size == 0) {
      requireFinite(x);
      return;
    }
    // A value that is not finite or too large makes ‖x‖², and in difference form every distance,
    // so.
    double witness = x.isSparse() || set.isOpenEnded() ? x.squaredNorm() : squared[0];
    if (!(witness < LARGEST * LARGEST)) {
      requireFinite(x);
    }
  }

  private void reserve(int needed) {
    if (needed > squared.length) {
      int room = (Math.max(needed, squared.length + squared.length / 2) + 31) & -32;
      squared = Arrays.copyOf(squared, room);
      kernel = Arrays.copyOf(kernel, room);
    }
  }

  /** Takes in that the instance itself was appended to the set: distance 0, kernel value 1. */
  public void appendSelf() {
    reserve(size + 1);
    squared[size] = 0;
    kernel[size++] = 1;
  }

  /** Takes in that the instance itself took place i of the set: distance 0, kernel value 1. */
  public void setSelf(int i) {
    squared[i] = 0;
    kernel[i] = 1;
  }

  /** Refuses NaN, infinities and magnitudes above {@link #LARGEST}. */
  public static void requireFinite(FeatureVector x) {
    for (int k = 0; k < x.count(); k++) {
      double value = x.values()[k];
      if (!(Math.abs(value) <= LARGEST)) {
        throw new IllegalArgumentException(
            "feature "
                + (x.isSparse() ? x.indices()[k] : k)
                + " is "
                + value
                + "; features must be finite and within ±1e150 (impute, drop or scale it)");
      }
    }
  }

  /** The same for point {@code i} of the set itself. Allocates only for an open-ended set. */
  public void fillFromPoint(CoreSet set, int i, Kernel k) {
    if (set.isOpenEnded()) {
      fill(set, set.point(i), k);
      return;
    }
    if (point.count() != set.dimension()) {
      point = FeatureVector.dense(new double[set.dimension()]);
    }
    for (int j = 0; j < set.dimension(); j++) {
      point.values()[j] = set.coordinate(i, j);
    }
    fill(set, point, k);
  }

  /** Number of points of the last pass. */
  public int size() {
    return size;
  }

  /** ‖x − c_i‖². */
  public double squared(int i) {
    return squared[i];
  }

  /**
   * ‖x − c_i‖² for i &lt; size(), then padding ≥ 0; the scratch itself, valid until the next pass.
   */
  public double[] squared() {
    return squared;
  }

  /** K(x, c_i) for i &lt; size(); the scratch itself, valid until the next pass. */
  public double[] kernel() {
    return kernel;
  }

  /** Squared distance to the nearest point, infinity if there is none. */
  public double nearestSquared() {
    int nearest = nearest();
    return nearest < 0 ? Double.POSITIVE_INFINITY : squared[nearest];
  }

  /** Index of the nearest point, the earliest on ties, or −1 if there is none. */
  public int nearest() {
    return OPS.nearest(squared, size);
  }

  /** The nearest point that is the centre of a cell, the earliest on ties, or −1. */
  public int nearestCentre(CoreSet set) {
    if (set.exactPoints() == 0) {
      return nearest();
    }
    int best = -1;
    for (int i = 0; i < size; i++) {
      if (set.isCentre(i) && (best < 0 || squared[i] < squared[best])) {
        best = i;
      }
    }
    return best;
  }
}
