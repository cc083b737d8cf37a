// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.lab.baselines;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.simd.VectorOps;
import io.github.avm4j.internal.simd.VectorOpsProvider;

/**
 * Two support vectors made one: z = h·x_m + (1−h)·x_n with the coefficients that keep most of
 * a_mΦ(x_m) + a_nΦ(x_n) (Wang, Crammer and Vucetic 2012, Section 4.3).
 *
 * <p>With k = K(x_m, x_n), K(x_m, z) = k^((1−h)²) and K(x_n, z) = k^(h²); a_z = a_m·K(x_m, z) +
 * a_n·K(x_n, z), and the loss is ‖a_m‖² + ‖a_n‖² + 2k·a_mᵀa_n − ‖a_z‖². h is found by golden
 * section for all partners at once.
 */
final class Merge {
  private static final VectorOps OPS = VectorOpsProvider.get();
  private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;
  private static final int SECTIONS = 20;

  private final Expansion expansion;
  private final double gamma;
  private int freed;

  private double[] low = {};
  private double[] high = {};
  private double[] left = {};
  private double[] right = {};
  private double[] leftKept = {};
  private double[] rightKept = {};
  private double[] nearM = {};
  private double[] nearN = {};
  private double[] cross = {};
  private double[] squared = {};

  Merge(Expansion expansion, double gamma) {
    this.expansion = expansion;
    this.gamma = gamma;
  }

  /** The slot that was given up by {@link #into}. */
  int freed() {
    return freed;
  }

  /** Merges the support vector {@code m} with its best partner; false if there is none. */
  boolean into(int m) {
    int n = expansion.size();
    reserve(n);
    double[] kernel = expansion.kernelOf(m);
    double[] distances = expansion.squaredOf();
    for (int i = 0; i < n; i++) {
      cross[i] = dot(m, i);
      squared[i] = expansion.squaredNorm(i);
    }
    search(distances, squared[m], n);
    int best = -1;
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < n; i++) {
      double kept = Math.max(leftKept[i], rightKept[i]);
      double loss = squared[m] + squared[i] + 2 * kernel[i] * cross[i] - kept;
      if (i != m && cross[i] > 0 && loss < least) {
        least = loss;
        best = i;
      }
    }
    if (best < 0) {
      return false;
    }
    double h = leftKept[best] > rightKept[best] ? left[best] : right[best];
    join(m, best, h, distances[best]);
    return true;
  }

  private void reserve(int n) {
    if (n > low.length) {
      int room = VectorOps.padded(n + n / 2);
      low = new double[room];
      high = new double[room];
      left = new double[room];
      right = new double[room];
      leftKept = new double[room];
      rightKept = new double[room];
      nearM = new double[room];
      nearN = new double[room];
      cross = new double[room];
      squared = new double[room];
    }
  }

  private double dot(int m, int i) {
    double sum = 0;
    for (int j = 0; j < expansion.columns(); j++) {
      sum += expansion.coefficient(j, m) * expansion.coefficient(j, i);
    }
    return sum;
  }

  private void search(double[] distances, double own, int n) {
    for (int i = 0; i < n; i++) {
      low[i] = 0;
      high[i] = 1;
      left[i] = 1 - GOLDEN;
      right[i] = GOLDEN;
    }
    kept(left, leftKept, distances, own, n);
    kept(right, rightKept, distances, own, n);
    for (int section = 0; section < SECTIONS; section++) {
      for (int i = 0; i < n; i++) {
        if (leftKept[i] > rightKept[i]) {
          high[i] = right[i];
        } else {
          low[i] = left[i];
        }
        left[i] = high[i] - GOLDEN * (high[i] - low[i]);
        right[i] = low[i] + GOLDEN * (high[i] - low[i]);
      }
      kept(left, leftKept, distances, own, n);
      kept(right, rightKept, distances, own, n);
    }
  }

  /** out[i] = ‖a_z‖² for partner i and h[i]. */
  private void kept(double[] h, double[] out, double[] distances, double own, int n) {
    for (int i = 0; i < n; i++) {
      nearM[i] = (1 - h[i]) * (1 - h[i]) * distances[i];
      nearN[i] = h[i] * h[i] * distances[i];
    }
    OPS.exp(nearM, -gamma, nearM, n);
    OPS.exp(nearN, -gamma, nearN, n);
    for (int i = 0; i < n; i++) {
      out[i] =
          nearM[i] * nearM[i] * own
              + nearN[i] * nearN[i] * squared[i]
              + 2 * nearM[i] * nearN[i] * cross[i];
    }
  }

  private void join(int m, int n, double h, double distance) {
    double toM = Math.exp(-gamma * (1 - h) * (1 - h) * distance);
    double toN = Math.exp(-gamma * h * h * distance);
    double[] merged = new double[expansion.columns()];
    for (int j = 0; j < merged.length; j++) {
      merged[j] = toM * expansion.coefficient(j, m) + toN * expansion.coefficient(j, n);
    }
    FeatureVector z = between(expansion.set().point(m), expansion.set().point(n), h);
    expansion.replace(m, z);
    for (int j = 0; j < merged.length; j++) {
      expansion.setCoefficient(j, m, merged[j]);
    }
    freed = n;
  }

  /** h·a + (1−h)·b, sparse if both are. */
  static FeatureVector between(FeatureVector a, FeatureVector b, double h) {
    if (!a.isSparse()) {
      double[] values = new double[a.count()];
      for (int j = 0; j < values.length; j++) {
        values[j] = h * a.values()[j] + (1 - h) * b.values()[j];
      }
      return FeatureVector.dense(values);
    }
    int[] indices = new int[a.count() + b.count()];
    double[] values = new double[indices.length];
    int count = 0;
    int p = 0;
    int q = 0;
    while (p < a.count() || q < b.count()) {
      int i = p < a.count() ? a.indices()[p] : Integer.MAX_VALUE;
      int j = q < b.count() ? b.indices()[q] : Integer.MAX_VALUE;
      indices[count] = Math.min(i, j);
      values[count++] = (i <= j ? h * a.values()[p] : 0) + (j <= i ? (1 - h) * b.values()[q] : 0);
      p += i <= j ? 1 : 0;
      q += j <= i ? 1 : 0;
    }
    return FeatureVector.sparse(indices, values, count);
  }
}
