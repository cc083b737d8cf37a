// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.defaults;

import io.github.avm4j.Avm;
import io.github.avm4j.config.Task;
import io.github.avm4j.evaluation.CoverageScore;
import io.github.avm4j.experiments.catalogue.DataCache;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.model.Calibration;
import io.github.avm4j.model.Decision;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Rows per stream, one per level: how often intervals or prediction sets of the default learner
 * hold the target, in all and in the worst window, and how large they are; beside them split
 * conformal intervals of constant width, and sets of a constant threshold, on the same predictions.
 * Sizes, and all figures of split conformal prediction, are of rows from 2,001 on.
 */
final class CoverageTable {
  static final String HEAD =
      """
      | stream | rows | asked % | held % | worst 2,000 | width or classes | split: held % | worst 2,000 | width or classes |
      |---|--:|--:|--:|--:|--:|--:|--:|--:|
      """;

  /** Rows after which streams end. */
  static final int MOST = 50_000;

  private static final Task R = Task.REGRESSION;
  private static final Task C = Task.CLASSIFICATION;

  private static final List<StreamData.Source> SOURCES =
      List.of(
          new StreamData.Source("casp", R),
          new StreamData.Source("kin40k", R),
          new StreamData.Source("cal_housing", R),
          new StreamData.Source("airlines minutes", "airlines", R, true, Double.NaN),
          new StreamData.Source("friedman", "", R, true, Double.NaN),
          new StreamData.Source("electricity", "electricity", C, true, Double.NaN),
          new StreamData.Source("weather", "weather", C, true, Double.NaN),
          new StreamData.Source("letter", C),
          new StreamData.Source("covtype", "covtype", C, true, Double.NaN),
          new StreamData.Source("sea", "", C, true, Double.NaN));

  private CoverageTable() {}

  /** Prints the rows of the streams asked for, or of all if none is. */
  static void print(DataCache cache, List<String> asked) throws IOException {
    System.out.print(HEAD);
    for (StreamData.Source source : sources(asked)) {
      System.out.print(rows(load(source, cache)));
    }
  }

  /** The streams asked for, or all if none is. */
  static List<StreamData.Source> sources(List<String> asked) {
    return SOURCES.stream()
        .filter(source -> asked.isEmpty() || asked.contains(source.name()))
        .toList();
  }

  static StreamData load(StreamData.Source source, DataCache cache) throws IOException {
    return switch (source.name()) {
      case "friedman" -> friedman();
      case "sea" -> sea();
      default -> StreamData.load(source, cache, true);
    };
  }

  private static String rows(StreamData data) {
    int[] order = data.order(1);
    int count = Math.min(MOST, order.length);
    AutoLearner learner = (data.task() == R ? Avm.regressor() : Avm.classifier()).build();
    List<Double> levels = learner.calibration().levels();
    CoverageScore own = new CoverageScore(levels);
    CoverageScore late = new CoverageScore(levels);
    SplitConformal split = new SplitConformal(levels);
    double[] scores = new double[64];
    for (int t = 0; t < count; t++) {
      FeatureVector x = data.x().get(order[t]);
      double y = data.y().get(order[t]);
      Calibration before = learner.calibration();
      int known = learner.classes();
      double prediction = learner.predictThenLearn(x, y, 1, scores);
      own.add(before, y, prediction, learner, scores, known);
      if (t >= SplitConformal.LAST) {
        late.add(before, y, prediction, learner, scores, known);
      }
      if (data.task() == R) {
        split.add(Math.abs(y - prediction));
      } else {
        Decision.softmax(scores, known);
        split.add(scores, known, index(learner, y, known));
      }
    }
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < levels.size(); i++) {
      CoverageScore.Figures mine = own.figures().get(i);
      CoverageScore.Figures other = split.figures().get(i);
      rows.append(
          String.format(
              Locale.ROOT,
              "| %s | %,d | %.0f | %.2f | %.1f | %.4g | %.2f | %.1f | %.4g |%n",
              data.name() + (data.ordered() ? " (in order)" : ""),
              count,
              100 * mine.level(),
              100 * mine.coverage(),
              100 * mine.worst(),
              late.figures().get(i).size(),
              100 * other.coverage(),
              100 * other.worst(),
              other.size()));
    }
    return rows.toString();
  }

  private static int index(AutoLearner learner, double y, int known) {
    for (int j = 0; j < known; j++) {
      if (learner.label(j) == y) {
        return j;
      }
    }
    return -1;
  }

  /**
   * Friedman's function (1991) with noise that grows with a feature; after half of the rows, other
   * features matter.
   */
  private static StreamData friedman() {
    Random random = new Random(1);
    List<FeatureVector> x = new ArrayList<>();
    List<Double> y = new ArrayList<>();
    for (int t = 0; t < 40_000; t++) {
      double[] v = random.doubles(10).toArray();
      int o = t < 20_000 ? 0 : 5;
      double f = 10 * Math.sin(Math.PI * v[o] * v[o + 1]) + 20 * Math.pow(v[o + 2] - 0.5, 2);
      f += 10 * v[o + 3] + 5 * v[o + 4];
      x.add(FeatureVector.dense(v));
      y.add(f + (0.2 + 2 * v[o]) * random.nextGaussian());
    }
    return new StreamData("friedman", R, true, x, y);
  }

  /**
   * SEA (Street and Kim 2001): the threshold changes every 10,000 rows, 10 % of labels are wrong.
   */
  private static StreamData sea() {
    Random random = new Random(1);
    double[] thresholds = {8, 9, 7, 9.5};
    List<FeatureVector> x = new ArrayList<>();
    List<Double> y = new ArrayList<>();
    for (int t = 0; t < 40_000; t++) {
      double[] v = random.doubles(3, 0, 10).toArray();
      boolean wrong = random.nextDouble() < 0.1;
      x.add(FeatureVector.dense(v));
      y.add(v[0] + v[1] <= thresholds[t / 10_000] != wrong ? 1.0 : 0.0);
    }
    return new StreamData("sea", C, true, x, y);
  }
}
