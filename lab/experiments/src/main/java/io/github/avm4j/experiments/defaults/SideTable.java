// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.defaults;

import io.github.avm4j.Avm;
import io.github.avm4j.config.Task;
import io.github.avm4j.data.ReaderOptions;
import io.github.avm4j.experiments.catalogue.DataCache;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.standard.StandardEngine;
import io.github.avm4j.learner.OnlineLearner;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A row per development stream: the default learner and the one that is to replace it, in turn, and
 * what the second has of the error and the time of the first. Streams on which learners are judged
 * are not in it; constants may be chosen by what is.
 */
final class SideTable {
  private static final String HEAD =
      """
      | data | rows | default | standard | error, ratio | µs | µs | time, ratio | chosen |
      |---|--:|--:|--:|--:|--:|--:|--:|---|
      """;

  private static final List<String> CATALOGUE =
      List.of(
          "a9a",
          "w8a",
          "cod-rna",
          "ijcnn1",
          "covtype",
          "electricity",
          "letter",
          "magic04",
          "casp",
          "kin40k");

  private static final List<String> GENERATED =
      List.of("sea", "led", "agrawal", "hyperplane", "rbf-slow", "rbf-fast", "randomtree");

  private static final int BUDGET = 512;

  /** Rows that both learn before, so that times are those of compiled code. */
  private static final int WARM = 5000;

  private final int seeds;
  private final int rows;
  private double errors;
  private double times;
  private int count;

  /** Permutations of streams without an order, and the most rows of each. */
  SideTable(int seeds, int rows) {
    this.seeds = seeds;
    this.rows = rows;
  }

  /** Prints the rows of streams, of all if none is named, and the geometric means of ratios. */
  void print(Path folder, List<String> names, PrintStream out) throws IOException {
    out.print(HEAD);
    DataCache cache = new DataCache(folder);
    for (StreamData.Source source : StreamData.ALL) {
      if (CATALOGUE.contains(source.name()) && wanted(names, source.name())) {
        out.print(row(StreamData.load(source, cache, true)));
      }
    }
    for (String name : GENERATED) {
      if (wanted(names, name)) {
        out.print(row(generated(folder, name)));
      }
    }
    out.printf(
        Locale.ROOT,
        "| geometric mean | | | | **%.3f** | | | **%.2f** | |%n",
        Math.exp(errors / count),
        Math.exp(times / count));
  }

  private static boolean wanted(List<String> names, String name) {
    return names.isEmpty() || names.contains(name);
  }

  private static StreamData generated(Path folder, String name) throws IOException {
    Path packed = folder.resolve("generated").resolve(name + ".csv.xz");
    Path file =
        Files.isRegularFile(packed) ? packed : folder.resolve("generated").resolve(name + ".csv");
    StreamData.Source source =
        new StreamData.Source(name, name, Task.CLASSIFICATION, true, Double.NaN);
    ReaderOptions options = ReaderOptions.defaults().withLabel("class");
    return StreamData.read(source, options, List.of(file), List.of(file));
  }

  private String row(StreamData data) {
    int permutations = data.ordered() ? 1 : seeds;
    double[] error = new double[2];
    double[] micros = new double[2];
    double ratio = 0;
    String chosen = "";
    int size = Math.min(rows, data.size());
    int[] warm = Arrays.copyOf(data.order(0), Math.min(WARM, size));
    Run.of(data, warm, usual(data.task()));
    Run.of(data, warm, new Standard(new StandardEngine(data.task(), BUDGET)));
    for (int seed = 1; seed <= permutations; seed++) {
      int[] order = Arrays.copyOf(data.order(seed), size);
      Standard standard = new Standard(new StandardEngine(data.task(), BUDGET));
      Run one = Run.of(data, order, usual(data.task()));
      Run other = Run.of(data, order, standard);
      error[0] += one.error() / permutations;
      error[1] += other.error() / permutations;
      micros[0] += one.micros() / permutations;
      micros[1] += other.micros() / permutations;
      ratio += Math.log(other.error() / one.error()) / permutations;
      chosen = standard.engine.toString();
    }
    errors += ratio;
    times += Math.log(micros[1] / micros[0]);
    count++;
    return String.format(
        Locale.ROOT,
        "| %s | %,d | %s | %s | **%.3f** | %.1f | %.1f | **%.2f** | %s |%n",
        data.name(),
        size,
        DefaultTable.number(error[0]),
        DefaultTable.number(error[1]),
        Math.exp(ratio),
        micros[0],
        micros[1],
        micros[1] / micros[0],
        chosen);
  }

  private static OnlineLearner usual(Task task) {
    return (task == Task.CLASSIFICATION ? Avm.classifier() : Avm.regressor()).build();
  }

  /** The engine as what a run needs. */
  private record Standard(StandardEngine engine) implements OnlineLearner {
    @Override
    public void learn(FeatureVector x, double y, double weight) {
      predictThenLearn(x, y, weight, NO_SCORES);
    }

    @Override
    public double predictThenLearn(FeatureVector x, double y, double weight, double[] scores) {
      return engine.predictThenLearn(x, y, weight, scores);
    }

    @Override
    public double predict(FeatureVector x) {
      return engine.predict(x);
    }

    @Override
    public double score(FeatureVector x) {
      double[] scores = new double[Math.max(1, classes())];
      scores(x, scores);
      return Arrays.stream(scores).max().orElse(0);
    }

    @Override
    public void scores(FeatureVector x, double[] out) {
      engine.scores(x, out);
    }

    @Override
    public Task task() {
      return engine.task();
    }

    @Override
    public int classes() {
      return engine.classes();
    }

    @Override
    public double label(int index) {
      return engine.label(index);
    }

    @Override
    public int size() {
      return engine.size();
    }

    @Override
    public long instances() {
      return engine.instances();
    }

    @Override
    public long modelBytes() {
      return 0;
    }
  }
}
