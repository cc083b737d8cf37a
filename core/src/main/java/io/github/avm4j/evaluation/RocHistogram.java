// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.evaluation;

/**
 * The area under the ROC curve in bounded memory: weights of both classes in 32768 bins of the
 * margin, each 1/256 of an octave wide between 2⁻⁴⁰ and 2²⁴, the outer ones open. Margins in one
 * bin count as ties, so the error is at most half the product of the classes' shares there, summed.
 */
final class RocHistogram {
  private static final int MANTISSA_BITS = 8;
  private static final int SMALLEST = -40;
  private static final int HALF = 64 << MANTISSA_BITS;

  private final double[] negative = new double[2 * HALF];
  private final double[] positive = new double[2 * HALF];
  private long count;

  void add(double margin, boolean isPositive, double weight) {
    (isPositive ? positive : negative)[bin(margin)] += weight;
    count++;
  }

  long count() {
    return count;
  }

  /** Bins ascend with the margin: below zero downwards from HALF − 1, from zero on upwards. */
  static int bin(double margin) {
    long bits = Double.doubleToRawLongBits(Math.abs(margin)) >>> (52 - MANTISSA_BITS);
    long offset = bits - ((long) (1023 + SMALLEST) << MANTISSA_BITS);
    int size = (int) Math.max(0, Math.min(HALF - 1, offset));
    return margin < 0 ? HALF - 1 - size : HALF + size;
  }

  /** P(margin of a positive > margin of a negative) + ½ P(equal); NaN with one class only. */
  double area() {
    double below = 0;
    double wins = 0;
    double positives = 0;
    for (int b = 0; b < positive.length; b++) {
      wins += positive[b] * (below + negative[b] / 2);
      below += negative[b];
      positives += positive[b];
    }
    return positives * below == 0 ? Double.NaN : wins / (positives * below);
  }

  /** How far {@link #area} can be from that of the exact margins. */
  double error() {
    double shared = 0;
    double negatives = 0;
    double positives = 0;
    for (int b = 0; b < positive.length; b++) {
      shared += positive[b] * negative[b] / 2;
      negatives += negative[b];
      positives += positive[b];
    }
    return positives * negatives == 0 ? Double.NaN : shared / (positives * negatives);
  }
}
