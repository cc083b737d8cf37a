// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments;

import io.github.avm4j.experiments.catalogue.DataCache;
import io.github.avm4j.feature.FeatureVector;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Counts the cells of the paper's Figure 1: spheres of diameter 7 that cover 1,000 rows of a9a,
 * found on the fly as in Algorithm 3, and chosen in advance by greedy set cover. Argument: the
 * folder of the public data sets.
 */
final class CoverageCount {
  private static final int ROWS = 1000;
  private static final double DELTA = 7;

  private CoverageCount() {}

  /** Prints the table of docs/paper-map.md. */
  public static void main(String[] args) throws IOException {
    System.out.print(table(Path.of(args[0])));
  }

  static String table(Path folder) throws IOException {
    Loader loader = new Loader(new DataCache(folder));
    List<FeatureVector> all = loader.load(ExperimentData.of("a9a"), 0).train().x();
    StringBuilder table = new StringBuilder("| rows | on the fly | in advance |\n|---|--:|--:|\n");
    table.append(row("the first 1,000", all.subList(0, ROWS)));
    for (int seed = 1; seed <= 3; seed++) {
      List<FeatureVector> shuffled = new ArrayList<>(all);
      Collections.shuffle(shuffled, new Random(seed));
      table.append(row("sample " + seed, shuffled.subList(0, ROWS)));
    }
    return table.toString();
  }

  private static String row(String name, List<FeatureVector> points) {
    List<BitSet> covers = covers(points, DELTA / 2);
    return "| %s | %d | %d |%n".formatted(name, onTheFly(covers), inAdvance(covers));
  }

  /** For each point, the points that lie in the sphere of this radius around it. */
  static List<BitSet> covers(List<FeatureVector> points, double radius) {
    List<BitSet> covers = new ArrayList<>();
    for (FeatureVector centre : points) {
      BitSet inside = new BitSet();
      for (int j = 0; j < points.size(); j++) {
        inside.set(j, squaredDistance(centre, points.get(j)) <= radius * radius);
      }
      covers.add(inside);
    }
    return covers;
  }

  private static double squaredDistance(FeatureVector x, FeatureVector y) {
    double[] difference = new double[Math.max(x.dimension(), y.dimension())];
    add(x, 1, difference);
    add(y, -1, difference);
    return Arrays.stream(difference).map(d -> d * d).sum();
  }

  private static void add(FeatureVector x, double factor, double[] sum) {
    for (int k = 0; k < x.count(); k++) {
      sum[x.isSparse() ? x.indices()[k] : k] += factor * x.values()[k];
    }
  }

  /** Points that lie in no sphere when they come. */
  static int onTheFly(List<BitSet> covers) {
    BitSet covered = new BitSet();
    int cells = 0;
    for (int i = 0; i < covers.size(); i++) {
      if (!covered.get(i)) {
        covered.or(covers.get(i));
        cells++;
      }
    }
    return cells;
  }

  /** Spheres taken one by one, each time the one with most points that are in none yet. */
  static int inAdvance(List<BitSet> covers) {
    BitSet left = new BitSet();
    left.set(0, covers.size());
    int cells = 0;
    while (!left.isEmpty()) {
      BitSet best = new BitSet();
      for (BitSet cover : covers) {
        BitSet gained = (BitSet) cover.clone();
        gained.and(left);
        best = gained.cardinality() > best.cardinality() ? gained : best;
      }
      left.andNot(best);
      cells++;
    }
    return cells;
  }
}
