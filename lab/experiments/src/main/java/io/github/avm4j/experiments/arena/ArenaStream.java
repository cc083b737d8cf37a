// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.arena;

import io.github.avm4j.config.Task;
import io.github.avm4j.data.OnBadRow;
import io.github.avm4j.data.ReaderOptions;
import io.github.avm4j.experiments.catalogue.DataCache;
import io.github.avm4j.experiments.catalogue.DataSet;
import io.github.avm4j.experiments.catalogue.LocalData;
import io.github.avm4j.experiments.catalogue.Progress;
import io.github.avm4j.experiments.defaults.StreamData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A stream of the arena.
 *
 * @param source which rows, and whether their order stays
 * @param whole whether test rows follow the training rows
 * @param nominal columns of numbers that are categories
 */
record ArenaStream(StreamData.Source source, boolean whole, Set<String> nominal) {
  private static final String GENERATED = "generated/";
  private static final Task C = Task.CLASSIFICATION;
  private static final Task R = Task.REGRESSION;

  /** Suits are categories; ranks of cards are numbers. */
  private static final Set<String> SUITS = Set.of("c1", "c3", "c5", "c7", "c9");

  /** Every stream, in the order of the tables. */
  static final List<ArenaStream> ALL =
      List.of(
          shuffled("a9a", C),
          shuffled("w8a", C),
          shuffled("cod-rna", C),
          shuffled("ijcnn1", C),
          shuffled("covtype", C),
          ordered("covtype-in-order", "covtype", C, Double.NaN),
          new ArenaStream(new StreamData.Source("kddcup99", C), false, Set.of()),
          ordered("electricity", "electricity", C, Double.NaN),
          ordered("weather", "weather", C, Double.NaN),
          shuffled("letter", C),
          shuffled("magic04", C),
          shuffled("phishing", C),
          shuffled("pendigits", C),
          new ArenaStream(new StreamData.Source("poker", C), true, SUITS),
          ordered("airlines-late", "airlines", C, 15),
          ordered("nycflights-late", "nycflights", C, 15),
          generated("sea"),
          generated("led"),
          generated("agrawal"),
          generated("hyperplane"),
          generated("rbf-slow"),
          generated("rbf-fast"),
          generated("randomtree"),
          shuffled("casp", R),
          shuffled("kin40k", R),
          ordered("airlines-minutes", "airlines", R, Double.NaN));

  private static ArenaStream shuffled(String name, Task task) {
    return new ArenaStream(new StreamData.Source(name, task), true, Set.of());
  }

  private static ArenaStream ordered(String name, String set, Task task, double late) {
    return new ArenaStream(new StreamData.Source(name, set, task, true, late), true, Set.of());
  }

  private static ArenaStream generated(String name) {
    String file = GENERATED + name + ".csv";
    return new ArenaStream(new StreamData.Source(name, file, C, true, Double.NaN), true, Set.of());
  }

  ArenaStream {
    nominal = Set.copyOf(nominal);
  }

  /** The stream of that name. */
  static ArenaStream of(String name) {
    return ALL.stream()
        .filter(stream -> stream.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no stream is called '"
                        + name
                        + "'; there are "
                        + String.join(", ", ALL.stream().map(ArenaStream::name).toList())));
  }

  String name() {
    return source.name();
  }

  Task task() {
    return source.task();
  }

  private boolean isGenerated() {
    return source.set().startsWith(GENERATED);
  }

  /** Its file in the folder: packed, or not. */
  private Path generated(Path folder) {
    Path packed = folder.resolve(source.set() + ".xz");
    return Files.isRegularFile(packed) ? packed : folder.resolve(source.set());
  }

  /** Whether its files are in the folder or in the cache; nothing is downloaded. */
  boolean isHere(Path folder) {
    if (isGenerated()) {
      return Files.isRegularFile(generated(folder));
    }
    DataCache cache = new DataCache(folder);
    DataSet set = cache.catalogue().get(source.set());
    return cache.isHere(set);
  }

  /** Its files and how to read them; rows without a label are left out. */
  Input input(Path folder) throws IOException {
    if (isGenerated()) {
      ReaderOptions options = ReaderOptions.defaults().withLabel("class");
      return new Input(options, List.of(generated(folder)));
    }
    LocalData local = new DataCache(folder).get(source.set(), Progress.NONE);
    List<Path> files = new ArrayList<>(local.train());
    if (whole) {
      files.addAll(local.test());
    }
    return new Input(local.set().options().withOnBadRow(OnBadRow.SKIP), files);
  }

  /** Files in their order. */
  record Input(ReaderOptions options, List<Path> files) {
    Input {
      files = List.copyOf(files);
    }
  }
}
