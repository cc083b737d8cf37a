// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.feature;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The instance x: a dense or sparse vector of finite doubles.
 *
 * <p>A vector is a <em>view</em>: it keeps the arrays it was given and copies nothing, so a reader
 * may refill one array for every row of a stream. Learners copy what they keep and never write to
 * it. Values are checked for NaN and infinity by the learner or model that receives them, because
 * only there is the content final.
 *
 * <p>Not safe for use by other threads while the owner refills the arrays.
 */
public final class FeatureVector {
  private final double[] values;
  private final int @Nullable [] indices;
  private final int count;

  private FeatureVector(double[] values, int @Nullable [] indices, int count) {
    this.values = values;
    this.indices = indices;
    this.count = count;
  }

  /**
   * {@return a dense view of {@code values}; feature j is {@code values[j]}} O(1).
   *
   * @param values the values, not copied
   */
  public static FeatureVector dense(double... values) {
    Objects.requireNonNull(values, "x is null: an instance's features are needed");
    return new FeatureVector(values, null, values.length);
  }

  /**
   * {@return a sparse view: feature {@code indices[k]} (0-based) is {@code values[k]}, all others
   * are 0}
   *
   * @param indices ascending 0-based indices, not copied
   * @param values their values, not copied
   * @throws IllegalArgumentException if lengths differ or indices are negative or not ascending
   */
  public static FeatureVector sparse(int[] indices, double[] values) {
    if (indices.length != values.length) {
      throw new IllegalArgumentException(
          "indices and values must have one length, were "
              + indices.length
              + " and "
              + values.length);
    }
    return sparse(indices, values, indices.length);
  }

  /**
   * {@return a sparse view of the first {@code count} entries of larger, reusable arrays} O(count).
   *
   * @param indices ascending 0-based indices, not copied
   * @param values their values, not copied
   * @param count number of entries in use
   */
  public static FeatureVector sparse(int[] indices, double[] values, int count) {
    if (count < 0 || count > indices.length || count > values.length) {
      throw new IllegalArgumentException(
          "count must be in 0.." + Math.min(indices.length, values.length) + ", was " + count);
    }
    int previous = -1;
    for (int k = 0; k < count; k++) {
      if (indices[k] <= previous) {
        throw new IllegalArgumentException(
            "indices must be ascending and >= 0, found "
                + indices[k]
                + " after "
                + previous
                + " at position "
                + k);
      }
      previous = indices[k];
    }
    if (previous == Integer.MAX_VALUE) {
      throw new IllegalArgumentException("index must be < 2147483647");
    }
    return new FeatureVector(values, indices, count);
  }

  /** {@return whether only listed features are non-zero} */
  public boolean isSparse() {
    return indices != null;
  }

  /** {@return the number of stored values: all features when dense, the listed ones when sparse} */
  public int count() {
    return count;
  }

  /**
   * {@return the number of features when dense; one more than the largest listed index when sparse}
   */
  public int dimension() {
    return indices == null ? count : count == 0 ? 0 : indices[count - 1] + 1;
  }

  /** {@return the stored values, not a copy; entries from {@link #count()} on are undefined} */
  public double[] values() {
    return values;
  }

  /** {@return the listed indices, not a copy} */
  public int[] indices() {
    if (indices == null) {
      throw new IllegalStateException("a dense vector lists no indices");
    }
    return indices;
  }

  /**
   * {@return the value of feature {@code j}; O(1) when dense, O(log count) when sparse}
   *
   * @param j index of the feature, from 0
   */
  public double get(int j) {
    if (j < 0) {
      throw new IllegalArgumentException("feature index must be >= 0, was " + j);
    }
    if (indices == null) {
      return j < count ? values[j] : 0;
    }
    int k = Arrays.binarySearch(indices, 0, count, j);
    return k >= 0 ? values[k] : 0;
  }

  /** {@return ‖x‖²} */
  public double squaredNorm() {
    double sum = 0;
    for (int k = 0; k < count; k++) {
      sum += values[k] * values[k];
    }
    return sum;
  }

  /** {@return a copy that shares nothing with the arrays behind this view} */
  public FeatureVector copy() {
    return new FeatureVector(
        Arrays.copyOf(values, count),
        indices == null ? null : Arrays.copyOf(indices, count),
        count);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(indices == null ? "dense[" : "sparse[");
    for (int k = 0; k < Math.min(count, 20); k++) {
      text.append(k == 0 ? "" : " ");
      text.append(indices == null ? "" : indices[k] + ":").append(values[k]);
    }
    return text.append(count > 20 ? " …]" : "]").toString();
  }
}
