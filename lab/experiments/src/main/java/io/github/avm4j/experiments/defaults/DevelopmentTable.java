// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.defaults;

import io.github.avm4j.Avm;
import io.github.avm4j.config.Task;
import io.github.avm4j.data.ReaderOptions;
import io.github.avm4j.experiments.catalogue.DataCache;
import io.github.avm4j.learner.AutoLearner;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A row per development stream: error and processor time of the default learner. Streams on which
 * learners are judged are not in it; constants may be chosen by what is. To compare two versions,
 * run the tables of both in turn.
 */
final class DevelopmentTable {
  private static final String HEAD =
      """
      | data | rows | error | ± | µs | chosen |
      |---|--:|--:|--:|--:|---|
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

  /** Rows that are learned before, so that times are those of compiled code. */
  private static final int WARM = 5000;

  private final int seeds;
  private final int rows;

  /** Permutations of streams without an order, and the most rows of each. */
  DevelopmentTable(int seeds, int rows) {
    this.seeds = seeds;
    this.rows = rows;
  }

  /** Prints the rows of streams, of all if none is named,. */
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
    double[] errors = new double[permutations];
    double micros = 0;
    int size = Math.min(rows, data.size());
    int[] warm = Arrays.copyOf(data.order(0), Math.min(WARM, size));
    Run.of(data, warm, usual(data.task()));
    AutoLearner learner = usual(data.task());
    for (int seed = 1; seed <= permutations; seed++) {
      learner = usual(data.task());
      Run run = Run.of(data, Arrays.copyOf(data.order(seed), size), learner);
      errors[seed - 1] = run.error();
      micros += run.micros() / permutations;
    }
    double mean = Arrays.stream(errors).average().orElse(0);
    return String.format(
        Locale.ROOT,
        "| %s | %,d | %s | %s | %.1f | %s, %d cells, %d renewals |%n",
        data.name(),
        size,
        DefaultTable.number(mean),
        DefaultTable.number(DefaultTable.deviation(errors, mean)),
        micros,
        learner.config().kernel(),
        learner.predictingCells(),
        learner.renewals());
  }

  private static AutoLearner usual(Task task) {
    return (task == Task.CLASSIFICATION ? Avm.classifier() : Avm.regressor()).build();
  }
}
