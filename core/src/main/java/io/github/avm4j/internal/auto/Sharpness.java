// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

/**
 * How sure the answers are. A learner that skips what it knows stays less sure of it than it could
 * be, so its scores are multiplied by 1, 2 or 4, whichever made the log loss smallest lately. The
 * winner is the same whatever the factor; probabilities are not. Powers of two, because they
 * multiply without rounding: a saved learner goes on to the bit.
 */
public final class Sharpness {
  public static final int FACTORS = 3;

  /** Every so many instances are looked at, and means taken over so many looks. */
  private static final int STRIDE = 4;

  private static final int WINDOW = 2500;

  /** Looks before the factor is first chosen, and between choices. */
  private static final int PAUSE = 100;

  public final double[] losses = new double[FACTORS];
  public long seen;
  public int power;

  public Sharpness() {}

  public Sharpness(Sharpness other) {
    System.arraycopy(other.losses, 0, losses, 0, FACTORS);
    seen = other.seen;
    power = other.power;
  }

  public double factor() {
    return 1 << power;
  }

  /** A label was met with these columns, without the factor. */
  public void met(double[] columns, int count, int label) {
    if (seen++ % STRIDE != 0) {
      return;
    }
    long looks = seen / STRIDE + 1;
    double rate = Math.max(1.0 / looks, 1.0 / WINDOW);
    for (int p = 0; p < FACTORS; p++) {
      losses[p] += rate * (loss(columns, count, label, 1 << p) - losses[p]);
    }
    if (looks % PAUSE == 0) {
      power = 0;
      for (int p = 1; p < FACTORS; p++) {
        power = losses[p] < losses[power] ? p : power;
      }
    }
  }

  /** The log loss of scores times a factor. */
  public static double loss(double[] columns, int count, int label, double factor) {
    if (count == 1) {
      double margin = factor * (label == 0 ? -columns[0] : columns[0]);
      return Math.max(0, -margin) + Math.log1p(Math.exp(-Math.abs(margin)));
    }
    double sum = 0;
    for (int j = 0; j < count; j++) {
      sum += Math.exp(factor * (columns[j] - columns[label]));
    }
    return Math.min(Math.log(sum), Double.MAX_VALUE);
  }
}
