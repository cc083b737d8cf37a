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
import java.util.stream.Stream;

/**
 * A row per stream: error and processor time of the default learner. Constants may be chosen by
 * {@link #DEVELOPMENT}. {@link #HELD_OUT} judges a release: it is looked at once, and nothing is
 * chosen by it. To compare two versions, run the tables of both in turn.
 */
final class StreamTable {
  private static final String HEAD =
      """
      | data | rows | error | ± | µs | chosen |
      |---|--:|--:|--:|--:|---|
      """;

  /** Rows that are learned before, so that times are those of compiled code. */
  private static final int WARM = 5000;

  /** Month, day, and scheduled departure of the flights, as they are encoded. */
  private static final int[] SCHEDULE = {4, 3, 5};

  /** A stream, and how its rows are had from the folder of the data. */
  record Source(String name, Reading reading) {
    /** Reads the rows. */
    interface Reading {
      StreamData from(Path folder) throws IOException;
    }
  }

  static final List<Source> DEVELOPMENT =
      Stream.concat(
              Stream.of(
                      ("a9a w8a cod-rna ijcnn1 covtype electricity letter magic04 casp kin40k"
                              + " cpusmall cal_housing keggundirected")
                          .split(" "))
                  .map(StreamTable::set),
              Stream.of("sea led agrawal hyperplane rbf-slow rbf-fast randomtree".split(" "))
                  .map(name -> file("generated", name)))
          .toList();

  static final List<Source> HELD_OUT =
      List.of(
          set("weather"),
          new Source("kddcup99 distinct, in order", f -> inOrder("kddcup99", f).distinct()),
          new Source("covtype in order", f -> inOrder("covtype", f)),
          set("pendigits"),
          set("shuttle"),
          new Source("phishing distinct", f -> named("phishing", f).distinct()),
          set("poker"),
          new Source("skin distinct", f -> named("skin", f).distinct()),
          new Source("airlines late, by schedule", f -> named("airlines late", f).by(SCHEDULE)),
          new Source(
              "airlines minutes, by schedule", f -> named("airlines minutes", f).by(SCHEDULE)),
          file("drift", "interchangingRBF"),
          file("drift", "movingSquares"),
          file("drift", "transientChessboard"),
          file("drift", "outdoor"));

  private final int seeds;
  private final int rows;

  /** Permutations of streams without an order, and the most rows of each. */
  StreamTable(int seeds, int rows) {
    this.seeds = seeds;
    this.rows = rows;
  }

  /** Prints the rows of those sources that are named, of all if none is. */
  void print(List<Source> sources, Path folder, List<String> names, PrintStream out)
      throws IOException {
    out.print(HEAD);
    for (Source source : sources) {
      if (names.isEmpty() || names.contains(source.name())) {
        out.print(row(source.name(), source.reading().from(folder)));
      }
    }
  }

  private static Source set(String name) {
    return new Source(name, folder -> named(name, folder));
  }

  /** A set as the main table has it. */
  private static StreamData named(String name, Path folder) throws IOException {
    for (StreamData.Source source : StreamData.ALL) {
      if (source.name().equals(name)) {
        return StreamData.load(source, new DataCache(folder), true);
      }
    }
    throw new IllegalArgumentException("no set is called '" + name + "'");
  }

  /** The training rows of a classification in the order of their file. */
  private static StreamData inOrder(String set, Path folder) throws IOException {
    StreamData.Source source =
        new StreamData.Source(set, set, Task.CLASSIFICATION, true, Double.NaN);
    return StreamData.load(source, new DataCache(folder), false);
  }

  private static Source file(String subfolder, String name) {
    return new Source(name, folder -> read(folder.resolve(subfolder), name));
  }

  private static StreamData read(Path folder, String name) throws IOException {
    Path packed = folder.resolve(name + ".csv.xz");
    Path file = Files.isRegularFile(packed) ? packed : folder.resolve(name + ".csv");
    StreamData.Source source =
        new StreamData.Source(name, name, Task.CLASSIFICATION, true, Double.NaN);
    ReaderOptions options = ReaderOptions.defaults().withLabel("class");
    return StreamData.read(source, options, List.of(file), List.of(file));
  }

  private String row(String name, StreamData data) {
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
        name,
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
