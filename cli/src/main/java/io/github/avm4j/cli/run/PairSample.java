// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.run;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Reservoir sample of targets and predictions, with a fixed seed. */
public final class PairSample {
  private static final int MOST = 20_000;

  private final double[] actual = new double[MOST];
  private final double[] prediction = new double[MOST];
  private final SplittableRandom random = new SplittableRandom(1);
  private long seen;

  PairSample() {}

  void add(double target, double predicted) {
    long slot = seen < MOST ? seen : random.nextLong(seen + 1);
    seen++;
    if (slot < MOST) {
      actual[(int) slot] = target;
      prediction[(int) slot] = predicted;
    }
  }

  public int size() {
    return (int) Math.min(seen, MOST);
  }

  public double actual(int i) {
    return actual[i];
  }

  public double prediction(int i) {
    return prediction[i];
  }

  /** Targets in ascending order. */
  public double[] sortedTargets() {
    double[] sorted = Arrays.copyOf(actual, size());
    Arrays.sort(sorted);
    return sorted;
  }

  /** Prediction − target in ascending order. */
  public double[] sortedResiduals() {
    double[] residuals = new double[size()];
    for (int i = 0; i < residuals.length; i++) {
      residuals[i] = prediction[i] - actual[i];
    }
    Arrays.sort(residuals);
    return residuals;
  }
}
