// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.defaults;

import io.github.avm4j.Avm;
import io.github.avm4j.config.Task;
import io.github.avm4j.experiments.catalogue.DataCache;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.feature.ScalingFitter;
import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.learner.AutoLearner;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Rows per data set and number of training rows: hold-out error of the default learner as it learns
 * and after {@link AutoLearner#finish()}, beside LIBSVM with γ and C by five-fold cross-validation.
 * Mistakes %, or RMSE over the deviation of the targets; means over permutations.
 */
final class SmallTable {
  static final String HEAD =
      """
      | data | training rows | online | finished | LIBSVM | finished / LIBSVM |
      |---|--:|--:|--:|--:|--:|
      """;

  private static final int[] SIZES = {150, 500};
  private static final int HELD_OUT = 3000;

  private static final Task C = Task.CLASSIFICATION;
  private static final Task R = Task.REGRESSION;

  private static final List<StreamData.Source> SOURCES =
      List.of(
          new StreamData.Source("a9a", C),
          new StreamData.Source("cod-rna", C),
          new StreamData.Source("letter", C),
          new StreamData.Source("magic04", C),
          new StreamData.Source("pendigits", C),
          new StreamData.Source("phishing", C),
          new StreamData.Source("casp", R),
          new StreamData.Source("kin40k", R));

  private final int seeds;
  private double ratios;
  private int rows;

  SmallTable(int seeds) {
    this.seeds = seeds;
  }

  /** Prints the rows of the sets asked for, or of all if none is, and the mean ratio. */
  void print(DataCache cache, List<String> asked) throws IOException {
    System.out.print(HEAD);
    for (StreamData.Source source : SOURCES) {
      if (asked.isEmpty() || asked.contains(source.name())) {
        StreamData data = StreamData.load(source, cache, true);
        for (int size : SIZES) {
          System.out.print(row(data, size));
        }
      }
    }
    System.out.printf(Locale.ROOT, "| mean | | | | | %.3f |%n", ratios / rows);
  }

  String row(StreamData data, int size) {
    double[] errors = new double[3];
    for (int seed = 1; seed <= seeds; seed++) {
      Split split = new Split(data, seed, size);
      AutoLearner learner = split.taught();
      errors[0] += split.error(learner::predict) / seeds;
      learner.finish();
      errors[1] += split.error(learner::predict) / seeds;
      ToDoubleFunction<FeatureVector> svm =
          CrossValidatedSvm.train(split.scaled(), split.y(), data.task());
      errors[2] += split.error(x -> svm.applyAsDouble(split.scaled(x))) / seeds;
    }
    ratios += errors[1] / errors[2];
    rows++;
    String form = data.task() == R ? "%.3f" : "%.2f";
    return String.format(
        Locale.ROOT,
        "| %s | %d | " + form + " | " + form + " | " + form + " | %.3f |%n",
        data.name(),
        size,
        errors[0],
        errors[1],
        errors[2],
        errors[1] / errors[2]);
  }

  /** Training rows, and rows held out after them. */
  private static final class Split {
    private final StreamData data;
    private final int[] order;
    private final int size;
    private final Scaling scaling;

    Split(StreamData data, int seed, int size) {
      this.data = data;
      this.order = data.order(seed);
      this.size = size;
      this.scaling = ScalingFitter.fit(training(), ScalingMode.STANDARD, Integer.MAX_VALUE);
    }

    private FeatureVector x(int place) {
      return data.x().get(order[place]);
    }

    private double y(int place) {
      return data.y().get(order[place]);
    }

    private List<FeatureVector> training() {
      return IntStream.range(0, size).mapToObj(this::x).toList();
    }

    double[] y() {
      return IntStream.range(0, size).mapToDouble(this::y).toArray();
    }

    FeatureVector scaled(FeatureVector x) {
      return new Scaling.Scaler(scaling).scale(x).copy();
    }

    List<FeatureVector> scaled() {
      return training().stream().map(this::scaled).toList();
    }

    AutoLearner taught() {
      AutoLearner learner = (data.task() == R ? Avm.regressor() : Avm.classifier()).build();
      for (int i = 0; i < size; i++) {
        learner.learn(x(i), y(i), 1);
      }
      return learner;
    }

    double error(ToDoubleFunction<FeatureVector> prediction) {
      int end = Math.min(order.length, size + HELD_OUT);
      double mean = 0;
      for (int i = size; i < end; i++) {
        mean += y(i) / (end - size);
      }
      double loss = 0;
      double spread = 0;
      for (int i = size; i < end; i++) {
        double off = prediction.applyAsDouble(x(i)) - y(i);
        loss += data.task() == R ? off * off : off == 0 ? 0 : 1;
        spread += (y(i) - mean) * (y(i) - mean);
      }
      return data.task() == R ? Math.sqrt(loss / spread) : 100 * loss / (end - size);
    }
  }
}
