// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.anomaly;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Clusters of core points: connected parts of the level sets of their density, as long as the
 * valley between two of them is deeper than chance makes it. With n core points and k = ⌊log₂ n⌋:
 *
 * <ol>
 *   <li>The radius of a core point is the distance of the k-th nearest other: small where points
 *       are dense. Two core points are linked when each is within the radius of the other.
 *   <li>From dense to sparse, a core point joins the cluster of the densest point that it is linked
 *       to; where there is none, it is the peak of a new cluster. Its links to points of other
 *       clusters make it a pass between two peaks.
 *   <li>At a pass, the cluster of the lower peak becomes part of the other, unless the lower peak
 *       is significantly denser than the pass: in the ball in which the pass has k others, it has c
 *       with c − k ≥ 2·√(c + k), two deviations of the difference of two counts.
 *   <li>A cluster of fewer than k points, smallest first, becomes part of that of the nearest point
 *       outside.
 * </ol>
 *
 * O(n²·d) time for d features, and O(n) memory.
 */
public final class CoreClusters {
  /** By so many deviations a peak has more neighbours than the pass. */
  private static final double DEVIATIONS = 2;

  private final double[][] points;
  private final int neighbours;

  /** The square of each point's radius. */
  private final double[] radius;

  /** The points from dense to sparse. */
  private final int[] order;

  /** The next point on the path to the peak of the cluster; a peak leads to itself. */
  private final int[] towards;

  /** The peaks, that of the largest cluster first. */
  public final int[] peaks;

  /** The cluster of each point, an index of {@link #peaks}. */
  public final int[] clusters;

  /** The clusters of points, which are not changed. */
  public CoreClusters(double[][] points) {
    this.points = points;
    int n = points.length;
    neighbours = Math.max(1, 31 - Integer.numberOfLeadingZeros(Math.max(1, n)));
    radius = radii();
    order = Arrays.stream(indices(n)).boxed().sorted(byRadius()).mapToInt(i -> i).toArray();
    towards = indices(n);
    climb();
    int[] sizes = joinSmall();
    peaks =
        Arrays.stream(indices(n))
            .filter(i -> sizes[i] > 0)
            .boxed()
            .sorted(Comparator.comparingInt(i -> -sizes[i]))
            .mapToInt(i -> i)
            .toArray();
    clusters = number();
  }

  private static int[] indices(int n) {
    int[] all = new int[n];
    Arrays.setAll(all, i -> i);
    return all;
  }

  private Comparator<Integer> byRadius() {
    return Comparator.comparingDouble(i -> radius[i]);
  }

  private double[] radii() {
    int n = points.length;
    double[] result = new double[n];
    double[] squared = new double[n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        squared[j] = squaredDistance(points[i], points[j]);
      }
      // The point itself is the nearest.
      result[i] = Spreads.select(squared, n, Math.min(neighbours, n - 1));
    }
    return result;
  }

  private void climb() {
    List<Integer> passed = new ArrayList<>();
    for (int at = 0; at < order.length; at++) {
      int i = order[at];
      passed.clear();
      for (int before = 0; before < at; before++) {
        int j = order[before];
        // j is at least as dense, so its radius is the smaller one.
        if (squaredDistance(points[i], points[j]) <= radius[j]) {
          passed.add(j);
        }
      }
      for (int j : passed) {
        if (towards[i] == i) {
          towards[i] = peak(j);
        } else {
          pass(i, peak(i), peak(j));
        }
      }
    }
  }

  private void pass(int i, int one, int other) {
    if (one == other) {
      return;
    }
    boolean isLower = radius[one] > radius[other] || (radius[one] == radius[other] && one > other);
    int low = isLower ? one : other;
    double count = within(low, radius[i]);
    if (count - neighbours < DEVIATIONS * Math.sqrt(count + neighbours)) {
      towards[low] = isLower ? other : one;
    }
  }

  /** Number of other points within a distance. */
  private int within(int i, double squared) {
    int count = -1;
    for (double[] point : points) {
      count += squaredDistance(points[i], point) <= squared ? 1 : 0;
    }
    return count;
  }

  /** The peak of the cluster of i; paths become shorter. */
  private int peak(int i) {
    int at = i;
    while (towards[at] != at) {
      towards[at] = towards[towards[at]];
      at = towards[at];
    }
    return at;
  }

  /** Number of points by peak, after small clusters became parts of others. */
  private int[] joinSmall() {
    int n = points.length;
    int[] sizes = new int[n];
    for (int i = 0; i < n; i++) {
      sizes[peak(i)]++;
    }
    for (int small = smallest(sizes); small >= 0 && sizes[small] < neighbours; ) {
      int into = nearestOutside(small);
      if (into < 0) {
        break;
      }
      towards[small] = into;
      sizes[into] += sizes[small];
      sizes[small] = 0;
      small = smallest(sizes);
    }
    return sizes;
  }

  private static int smallest(int[] sizes) {
    int least = -1;
    for (int i = 0; i < sizes.length; i++) {
      if (sizes[i] > 0 && (least < 0 || sizes[i] < sizes[least])) {
        least = i;
      }
    }
    return least;
  }

  /** Peak of the nearest point outside a cluster; −1 if there is none. */
  private int nearestOutside(int cluster) {
    int found = -1;
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < points.length; i++) {
      if (peak(i) != cluster) {
        continue;
      }
      for (int j = 0; j < points.length; j++) {
        double squared = squaredDistance(points[i], points[j]);
        if (squared < least && peak(j) != cluster) {
          least = squared;
          found = peak(j);
        }
      }
    }
    return found;
  }

  private int[] number() {
    int[] byPeak = new int[points.length];
    for (int c = 0; c < peaks.length; c++) {
      byPeak[peaks[c]] = c;
    }
    return Arrays.stream(indices(points.length)).map(i -> byPeak[peak(i)]).toArray();
  }

  /** The same whichever point is the first, to the last bit. */
  public static double squaredDistance(double[] one, double[] other) {
    double sum = 0;
    for (int j = 0; j < one.length; j++) {
      double difference = one[j] - other[j];
      sum += difference * difference;
    }
    return sum;
  }
}
