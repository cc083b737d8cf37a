// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.coreset;

import java.util.Arrays;

/** The points that have one feature, ascending, with its values. */
final class Posting {
  final int feature;
  int count;
  int[] points = new int[2];
  double[] values = new double[2];

  Posting(int feature) {
    this.feature = feature;
  }

  Posting(Posting other) {
    feature = other.feature;
    count = other.count;
    points = Arrays.copyOf(other.points, count);
    values = Arrays.copyOf(other.values, count);
  }

  /** Bytes of a list of n points, itself included. */
  static long bytes(int n) {
    return 72 + 12L * CoreSet.room(Math.max(1, n), 2);
  }

  void add(int point, double value) {
    if (count == points.length) {
      int grown = CoreSet.room(count + 1, 2);
      points = Arrays.copyOf(points, grown);
      values = Arrays.copyOf(values, grown);
    }
    int at = count;
    while (at > 0 && points[at - 1] > point) {
      at--;
    }
    System.arraycopy(points, at, points, at + 1, count - at);
    System.arraycopy(values, at, values, at + 1, count - at);
    points[at] = point;
    values[at] = value;
    count++;
  }

  void remove(int point) {
    int at = Arrays.binarySearch(points, 0, count, point);
    count--;
    System.arraycopy(points, at + 1, points, at, count - at);
    System.arraycopy(values, at + 1, values, at, count - at);
  }
}
