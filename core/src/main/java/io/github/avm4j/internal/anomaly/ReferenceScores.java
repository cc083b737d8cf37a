// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.anomaly;

import java.util.Arrays;

/**
 * The last scores of instances that count as normal, and the p-value of another: the share of them
 * that is at least as large, as in conformal prediction.
 *
 * <p>Beyond the {@link #cut}, which an exponential tail fitted to the largest tenth passes with
 * probability ε, scores are extreme. Extreme scores are not among the reference, so the tail is
 * fitted as one that was truncated there. P-values below the cut do not make room for normal
 * instances beyond, of which there are ε at most if the tail is right: most that is beyond are
 * anomalies.
 */
public final class ReferenceScores {
  /** With fewer scores nothing is extreme. */
  static final int ENOUGH = 100;

  /** Share of the scores that the tail is fitted to. */
  private static final double TAIL = 0.1;

  /** Differences that are a smaller share of the scores are rounding. */
  private static final double ROUNDING = 1e-6;

  /** The scores in order of arrival, the oldest at {@link #next} once it is full. */
  private final double[] ring;

  private int size;
  private int next;

  private final double[] sorted;
  private final double epsilon;
  private final double reach;
  private double start;
  private double scale;

  /**
   * No scores yet.
   *
   * @param capacity how many are kept
   * @param epsilon share of normal instances beyond the cut; 0 for no cut
   */
  public ReferenceScores(int capacity, double epsilon) {
    ring = new double[capacity];
    sorted = new double[capacity];
    this.epsilon = epsilon;
    reach = epsilon == 0 ? 0 : Math.log(TAIL / epsilon);
  }

  /** Takes in a score, in place of the oldest when there is no room. */
  void add(double score) {
    if (size == ring.length) {
      int at = firstAtLeast(ring[next]);
      System.arraycopy(sorted, at + 1, sorted, at, size - at - 1);
      size--;
    }
    ring[next] = score;
    next = (next + 1) % ring.length;
    int at = firstAtLeast(score);
    System.arraycopy(sorted, at, sorted, at + 1, size - at);
    sorted[at] = score;
    size++;
    fitTail();
  }

  /** Goes on with saved scores. */
  public void restore(double[] scores, int oldest) {
    size = scores.length;
    next = oldest;
    System.arraycopy(scores, 0, ring, 0, size);
    System.arraycopy(scores, 0, sorted, 0, size);
    Arrays.sort(sorted, 0, size);
    fitTail();
  }

  /** The scores that are kept, a copy; the oldest is at {@link #oldest} once they are all. */
  public double[] scores() {
    return Arrays.copyOf(ring, size);
  }

  /** Where the next score goes. */
  public int oldest() {
    return next;
  }

  /** How many scores are kept. */
  public int capacity() {
    return ring.length;
  }

  private void fitTail() {
    if (size < ENOUGH) {
      return;
    }
    int from = (int) ((1 - TAIL) * size);
    start = sorted[from];
    double sum = 0;
    for (int i = from; i < size; i++) {
      sum += sorted[i] - start;
    }
    double mean = sum / (size - from);
    // E[X | X < T] of an exponential of scale σ is σ − T/(exp(T/σ) − 1), and here T = reach·σ.
    double truncated = reach == 0 ? 1 : 1 - reach / Math.expm1(reach);
    scale = Math.max(mean / truncated, ROUNDING * (1 + Math.abs(start)));
  }

  /** The score beyond which an instance is extreme; infinite where there is no cut. */
  double cut() {
    return epsilon == 0 || size < ENOUGH ? Double.POSITIVE_INFINITY : start + reach * scale;
  }

  /** P-value of a score, in (0, 1]. */
  double pValue(double score) {
    double share = (1.0 + size - firstAtLeast(score)) / (size + 1.0);
    double cut = cut();
    if (cut == Double.POSITIVE_INFINITY) {
      return share;
    }
    return score > cut
        ? Math.max(Double.MIN_NORMAL, Math.min(share, epsilon * Math.exp((cut - score) / scale)))
        : share;
  }

  /** A score that is extreme: beyond the cut and all scores. */
  double high() {
    double cut = cut();
    double largest = size == 0 ? 0 : sorted[size - 1];
    return 1 + (cut == Double.POSITIVE_INFINITY ? largest : Math.max(largest, cut));
  }

  /** The median. */
  double middle() {
    return size == 0 ? 0 : sorted[size / 2];
  }

  private int firstAtLeast(double score) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted[middle] < score) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
