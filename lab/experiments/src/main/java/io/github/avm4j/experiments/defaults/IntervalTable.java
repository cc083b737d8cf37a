// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.defaults;

import io.github.avm4j.Avm;
import io.github.avm4j.config.Task;
import io.github.avm4j.evaluation.CoverageScore;
import io.github.avm4j.experiments.catalogue.DataCache;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.lab.baselines.LearnerProvider;
import io.github.avm4j.lab.baselines.StreamHeader;
import io.github.avm4j.learner.OnlineLearner;
import io.github.avm4j.model.Interval;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A row per stream and method: how often the intervals of one level hold the target, how wide they
 * are, and the root mean squared error of their middles, the predictions. The methods are the
 * default learner's and those that a {@link LearnerProvider} on the class path offers. Widths and
 * errors are of rows from 2,001 on.
 */
final class IntervalTable {
  static final String HEAD =
      """
      | stream | rows | method | held % | worst 2,000 | width | RMSE |
      |---|--:|---|--:|--:|--:|--:|
      """;

  /** The default of MOA's methods. */
  private static final double LEVEL = 0.95;

  private static final int LATE = SplitConformal.LAST;

  private IntervalTable() {}

  /** Prints the rows of the regression streams asked for, or of all if none is. */
  static void print(DataCache cache, List<String> asked) throws IOException {
    System.out.print(HEAD);
    for (StreamData.Source source : CoverageTable.sources(asked)) {
      if (source.task() != Task.REGRESSION) {
        continue;
      }
      StreamData data = CoverageTable.load(source, cache);
      System.out.print(row(data, "avm", Avm.regressor().build()));
      for (LearnerProvider provider : LearnerProvider.found()) {
        for (String name : provider.intervalNames()) {
          System.out.print(row(data, name, provider.createIntervals(name, header(data), LEVEL, 1)));
        }
      }
    }
  }

  private static StreamHeader header(StreamData data) {
    int width = data.x().stream().mapToInt(FeatureVector::dimension).max().orElse(0);
    List<StreamHeader.Attribute> attributes = new ArrayList<>();
    for (int j = 0; j < width; j++) {
      attributes.add(StreamHeader.Attribute.number("x" + (j + 1)));
    }
    return new StreamHeader(Task.REGRESSION, attributes, List.of());
  }

  private static String row(StreamData data, String name, OnlineLearner learner) {
    int[] order = data.order(1);
    int count = Math.min(CoverageTable.MOST, order.length);
    CoverageScore all = new CoverageScore(List.of(LEVEL));
    CoverageScore late = new CoverageScore(List.of(LEVEL));
    double squares = 0;
    for (int t = 0; t < count; t++) {
      FeatureVector x = data.x().get(order[t]);
      double y = data.y().get(order[t]);
      Interval interval = learner.interval(x, LEVEL);
      learner.learn(x, y);
      all.add(0, interval, y);
      if (t >= LATE) {
        late.add(0, interval, y);
        double error = (interval.lower() + interval.upper()) / 2 - y;
        squares += error * error;
      }
    }
    CoverageScore.Figures figures = all.figures().get(0);
    return String.format(
        Locale.ROOT,
        "| %s | %,d | %s | %.2f | %.1f | %.4g | %.4g |%n",
        data.name() + (data.ordered() ? " (in order)" : ""),
        count,
        name,
        100 * figures.coverage(),
        100 * figures.worst(),
        late.figures().get(0).size(),
        Math.sqrt(squares / Math.max(1, count - LATE)));
  }
}
