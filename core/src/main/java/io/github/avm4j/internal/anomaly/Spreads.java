// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.anomaly;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.coreset.CoreSet;
import java.util.Arrays;

/**
 * The spread of each core point: the distance within which three eighths of the others are.
 * Distances over spreads compare a narrow cluster with a wide one, each by its own measure.
 */
public final class Spreads {
  /**
   * Share of the core points that are within the spread of another. Of two clusters that are
   * equally large each has its own measure, and a rare one does not: it is measured by its distance
   * to the others.
   */
  private static final double SHARE = 0.375;

  /** No spread is a smaller share of the mean distance, so that equal core points have one. */
  private static final double LEAST = 0.05;

  /** The limits of a spread, also of one that follows from a γ that was set. */
  public static final double SMALLEST = 1e-8;

  public static final double LARGEST = 1e12;

  /** The spread of each core point. */
  double[] values = new double[0];

  private double[] squared = new double[0];

  /** No core points yet. */
  Spreads() {}

  /** Makes room for n core points of at most {@code budget}. */
  void reserve(int n, int budget) {
    if (n > values.length) {
      int room = (Math.min(budget, 2 * n) + 31) & -32;
      values = Arrays.copyOf(values, room);
      squared = new double[room];
    }
  }

  /** Core point i is as wide as a kernel of this γ. */
  void set(int i, double gamma) {
    values[i] = Math.max(SMALLEST, Math.min(LARGEST, 1 / gamma));
  }

  /**
   * Estimates the spread of core point i.
   *
   * @param z core point i
   * @param gamma 1/(mean distance)
   */
  void estimate(int i, FeatureVector z, CoreSet scaled, double gamma) {
    int n = scaled.size();
    if (n < 2) {
      values[i] = Marginals.STEP; // any other value is one spread away
      return;
    }
    scaled.squaredDistances(z, squared);
    squared[i] = 0; // the nearest to itself, whatever rounding says
    double distance = Math.sqrt(select(squared, n, Math.max(1, (int) (SHARE * n))));
    values[i] = Math.max(SMALLEST, Math.max(distance, LEAST / gamma));
  }

  /**
   * The value that would be at index k if the first n were sorted; their order is changed. O(n) on
   * average.
   */
  static double select(double[] values, int n, int k) {
    int low = 0;
    int high = n - 1;
    while (low < high) {
      double pivot = values[(low + high) >>> 1];
      int i = low;
      int j = high;
      while (i <= j) {
        while (values[i] < pivot) {
          i++;
        }
        while (values[j] > pivot) {
          j--;
        }
        if (i <= j) {
          double swapped = values[i];
          values[i++] = values[j];
          values[j--] = swapped;
        }
      }
      if (k <= j) {
        high = j;
      } else if (k >= i) {
        low = i;
      } else {
        return values[k];
      }
    }
    return values[k];
  }
}
