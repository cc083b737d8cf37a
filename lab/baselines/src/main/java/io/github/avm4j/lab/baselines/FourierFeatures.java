// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.lab.baselines;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.simd.VectorOps;
import io.github.avm4j.internal.simd.VectorOpsProvider;
import java.util.Arrays;
import java.util.Random;

/**
 * Random Fourier features of the Gaussian kernel: z(x) = D^−½·(cos u_1ᵀx … cos u_Dᵀx, sin u_1ᵀx …
 * sin u_Dᵀx) with u ~ N(0, 2γI), so that E[z(x)ᵀz(x′)] = exp(−γ‖x−x′‖²).
 *
 * <p>A. Rahimi and B. Recht, "Random Features for Large-Scale Kernel Machines", NIPS 2007.
 *
 * <p>The frequencies of a feature depend on the seed and the feature's index alone, so sparse and
 * dense vectors agree and the number of features need not be known. O(D·count), memory D a feature.
 */
final class FourierFeatures {
  private static final VectorOps OPS = VectorOpsProvider.get();

  /** Most frequencies kept: 1 GB of doubles. */
  static final long LARGEST = 1L << 27;

  private final int frequencies;
  private final double deviation;
  private final long seed;
  private final double[] angles;
  private final double[] values;
  private double[][] rows = {};

  FourierFeatures(int frequencies, double gamma, long seed) {
    this.frequencies = frequencies;
    this.deviation = Math.sqrt(2 * gamma);
    this.seed = seed;
    this.angles = new double[frequencies];
    this.values = new double[2 * frequencies];
  }

  /** Refuses a vector whose frequencies would not fit in memory. */
  void check(FeatureVector x) {
    if ((long) x.dimension() * frequencies > LARGEST) {
      throw new IllegalArgumentException(
          "feature "
              + (x.dimension() - 1)
              + " is beyond what "
              + frequencies
              + " random frequencies a feature allow; lower D below "
              + LARGEST / x.dimension());
    }
  }

  /** Number of features 2D. */
  int size() {
    return values.length;
  }

  /** z(x); the scratch itself, valid until the next call. */
  double[] of(FeatureVector x) {
    reserve(x.dimension());
    Arrays.fill(angles, 0);
    for (int k = 0; k < x.count(); k++) {
      double[] row = rows[x.isSparse() ? x.indices()[k] : k];
      OPS.addScaled(x.values()[k], row, angles, frequencies);
    }
    SinCos.fill(angles, frequencies, 1 / Math.sqrt(frequencies), values);
    return values;
  }

  private void reserve(int features) {
    int known = rows.length;
    if (features > known) {
      rows = Arrays.copyOf(rows, features);
      for (int j = known; j < features; j++) {
        rows[j] = row(j);
      }
    }
  }

  private double[] row(int feature) {
    Random random = new Random((seed + feature) * 0x9E3779B97F4A7C15L);
    double[] row = new double[frequencies];
    for (int i = 0; i < frequencies; i++) {
      row[i] = deviation * random.nextGaussian();
    }
    return row;
  }

  long bytes() {
    return 8L * frequencies * rows.length;
  }
}
