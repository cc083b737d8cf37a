// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments;

import io.github.avm4j.Avm;
import io.github.avm4j.experiments.catalogue.DataCache;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.KernelLearner;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
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

  /** Prints the table of lab/results/coverage.md. */
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
    KernelLearner inAdvance = learner(DELTA);
    inAdvance.cover(points);
    return "| %s | %d | %d |%n".formatted(name, onTheFly(points, DELTA), inAdvance.cells());
  }

  /** Any learner of the paper with these spheres. */
  static KernelLearner learner(double delta) {
    return Avm.paperClassifier().gamma(1).delta(delta).lambda(1).build();
  }

  /** Instances that lie in no sphere when they come. */
  static int onTheFly(List<FeatureVector> points, double delta) {
    KernelLearner learner = learner(delta);
    points.forEach(x -> learner.learn(x, 0));
    return learner.cells();
  }
}
