// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.anomaly;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Clusters of core points against a plain oracle of sets, which follows the class's comment. */
class CoreClustersTest {
  @Test
  void areThoseOfTheOracle() {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      double[][] points = new double[random.nextInt(90)][1 + random.nextInt(3)];
      int kinds = 1 + random.nextInt(4);
      boolean grid = random.nextBoolean();
      for (double[] point : points) {
        int kind = random.nextInt(kinds);
        for (int j = 0; j < point.length; j++) {
          double value = 5 * kind * (j % 2) + (1 + kind) * random.nextGaussian();
          point[j] = grid ? Math.rint(value) : value; // a grid has ties and equal points
        }
      }
      CoreClusters found = new CoreClusters(points);
      Oracle oracle = new Oracle(points);
      assertEquals(oracle.clusters, sets(found.clusters), "seed " + seed);
    }
  }

  @Test
  void theLargestIsTheFirst() {
    double[][] points = new double[100][1];
    for (int i = 0; i < 100; i++) {
      points[i][0] = i < 30 ? i * 0.01 : 50 + i * 0.01;
    }
    CoreClusters found = new CoreClusters(points);
    assertEquals(2, found.peaks.length);
    assertEquals(0, found.clusters[99]);
    assertEquals(1, found.clusters[0]);
    assertEquals(0, found.clusters[found.peaks[0]]);
    assertEquals(1, found.clusters[found.peaks[1]]);
  }

  @Test
  void fewPointsHaveClusters() {
    assertEquals(0, new CoreClusters(new double[0][]).peaks.length);
    assertArrayEquals(new int[] {0}, new CoreClusters(new double[1][2]).clusters);
    assertArrayEquals(new int[20], new CoreClusters(new double[20][2]).clusters, "equal points");
  }

  private static Set<Set<Integer>> sets(int[] clusters) {
    List<Set<Integer>> sets = new ArrayList<>();
    for (int i = 0; i < clusters.length; i++) {
      while (sets.size() <= clusters[i]) {
        sets.add(new TreeSet<>());
      }
      sets.get(clusters[i]).add(i);
    }
    return Set.copyOf(sets);
  }

  /** All distances are there, clusters are sets whose first member is the peak. */
  private static final class Oracle {
    final double[][] distances;
    final double[] radii;
    final int k;
    final List<List<Integer>> parts = new ArrayList<>();
    final Set<Set<Integer>> clusters;

    Oracle(double[][] points) {
      int n = points.length;
      k = n < 2 ? 1 : (int) Math.floor(Math.log(n) / Math.log(2) + 1e-9);
      distances = new double[n][n];
      radii = new double[n];
      List<Integer> dense = new ArrayList<>();
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
          distances[i][j] = CoreClusters.squaredDistance(points[i], points[j]);
        }
        double[] sorted = distances[i].clone();
        java.util.Arrays.sort(sorted);
        radii[i] = sorted[Math.min(k, n - 1)];
        dense.add(i);
      }
      dense.sort(Comparator.comparingDouble(i -> radii[i]));
      for (int at = 0; at < n; at++) {
        place(dense.get(at), dense.subList(0, at));
      }
      joinSmall();
      List<Set<Integer>> sets = new ArrayList<>();
      parts.forEach(part -> sets.add(new TreeSet<>(part)));
      clusters = Set.copyOf(sets);
    }

    private void place(int i, List<Integer> before) {
      List<Integer> linked =
          before.stream()
              .filter(j -> distances[i][j] <= radii[i] && distances[i][j] <= radii[j])
              .toList();
      if (linked.isEmpty()) {
        parts.add(new ArrayList<>(List.of(i)));
        return;
      }
      part(linked.get(0)).add(i);
      for (int j : linked) {
        List<Integer> one = part(i);
        List<Integer> other = part(j);
        if (one != other) {
          boolean first = isDenser(one.get(0), other.get(0));
          List<Integer> high = first ? one : other;
          List<Integer> low = first ? other : one;
          long count = -1;
          for (double distance : distances[low.get(0)]) {
            count += distance <= radii[i] ? 1 : 0;
          }
          if (count - k < 2 * Math.sqrt(count + k)) {
            high.addAll(low);
            parts.removeIf(part -> part == low);
          }
        }
      }
    }

    private boolean isDenser(int i, int j) {
      return radii[i] < radii[j] || (radii[i] == radii[j] && i < j);
    }

    private List<Integer> part(int i) {
      return parts.stream().filter(part -> part.contains(i)).findFirst().orElseThrow();
    }

    private void joinSmall() {
      while (parts.size() > 1) {
        List<Integer> small =
            parts.stream()
                .min(
                    Comparator.<List<Integer>>comparingInt(List::size)
                        .thenComparingInt(part -> part.get(0)))
                .orElseThrow();
        if (small.size() >= k) {
          return;
        }
        int into = -1;
        double least = Double.POSITIVE_INFINITY;
        for (int i : new TreeSet<>(small)) {
          for (int j = 0; j < radii.length; j++) {
            if (!small.contains(j) && distances[i][j] < least) {
              least = distances[i][j];
              into = j;
            }
          }
        }
        parts.removeIf(part -> part == small);
        part(into).addAll(small);
      }
    }
  }
}
