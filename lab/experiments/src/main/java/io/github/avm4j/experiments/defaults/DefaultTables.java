// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.defaults;

import io.github.avm4j.config.Task;
import io.github.avm4j.experiments.catalogue.DataCache;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The tables of the default learner, as Markdown, a row as soon as it is measured.
 *
 * <p>Arguments: the folder of the public data sets, then {@code learner} (the default learner
 * alone), {@code development} or {@code held-out} (its error and time on these streams; {@code
 * --rows N} takes the first of each), {@code defaults} (beside others), {@code budgets}, {@code
 * small} (short streams beside LIBSVM), {@code coverage} (of intervals and prediction sets), {@code
 * intervals} (beside those of other libraries on the class path) or {@code long} (what is held
 * along a stream of so many rows, ten million unless told), then data sets (all), and {@code
 * --seeds N} (3) at the end.
 */
public final class DefaultTables {
  private DefaultTables() {}

  /** See the class. */
  public static void main(String[] args) throws IOException {
    if (args.length < 2) {
      System.err.println(
          "DATA_FOLDER learner|development|held-out|defaults|budgets|small|coverage|intervals|long"
              + " [DATA_SET...] [--seeds N] [--rows N]");
      System.exit(2);
    }
    List<String> words = List.of(args);
    int seeds = number(words, "--seeds", 3);
    List<String> sets = words.stream().skip(2).takeWhile(w -> !w.startsWith("--")).toList();
    DataCache cache = new DataCache(Path.of(args[0]));
    switch (args[1]) {
      case "learner" -> learner(cache, sets, seeds);
      case "development" -> streams(StreamTable.DEVELOPMENT, words, sets);
      case "held-out" -> streams(StreamTable.HELD_OUT, words, sets);
      case "defaults" -> defaults(cache, sets, seeds);
      case "budgets" -> budgets(cache, sets);
      case "small" -> new SmallTable(seeds).print(cache, sets);
      case "coverage" -> CoverageTable.print(cache, sets);
      case "intervals" -> IntervalTable.print(cache, sets);
      case "long" -> longStream(sets);
      default -> throw new IllegalArgumentException("no table is called '" + args[1] + "'");
    }
  }

  private static void streams(
      List<StreamTable.Source> sources, List<String> words, List<String> names) throws IOException {
    int rows = number(words, "--rows", Integer.MAX_VALUE);
    Path folder = Path.of(words.get(0));
    new StreamTable(number(words, "--seeds", 3), rows).print(sources, folder, names, System.out);
  }

  private static int number(List<String> words, String name, int otherwise) {
    int at = words.indexOf(name);
    return at < 0 ? otherwise : Integer.parseInt(words.get(at + 1));
  }

  private static void longStream(List<String> rows) {
    long count = rows.isEmpty() ? 10_000_000 : Long.parseLong(rows.get(0));
    new LongStreamTable().print(count, System.out);
  }

  private static boolean wanted(List<String> sets, String name) {
    return sets.isEmpty() || sets.contains(name);
  }

  private static void learner(DataCache cache, List<String> sets, int seeds) throws IOException {
    LearnerTable table = new LearnerTable(seeds);
    System.out.print(LearnerTable.HEAD);
    for (StreamData.Source source : StreamData.ALL) {
      if (wanted(sets, source.name())) {
        System.out.print(table.row(StreamData.load(source, cache, true)));
      }
    }
  }

  private static void defaults(DataCache cache, List<String> sets, int seeds) throws IOException {
    DefaultTable table = new DefaultTable(seeds);
    System.out.print(table.head());
    for (StreamData.Source source : StreamData.ALL) {
      if (wanted(sets, source.name())) {
        System.out.print(table.row(StreamData.load(source, cache, true)));
      }
    }
  }

  private static void budgets(DataCache cache, List<String> sets) throws IOException {
    System.out.print(BudgetTable.head());
    for (String name : List.of("ijcnn1", "covtype", "mnist")) {
      if (wanted(sets, name)) {
        StreamData.Source source = new StreamData.Source(name, Task.CLASSIFICATION);
        boolean tested = name.equals("mnist");
        StreamData data = StreamData.load(source, cache, !tested);
        StreamData test =
            tested
                ? StreamData.loadTest(source, cache)
                : new StreamData(name, Task.CLASSIFICATION, false, List.of(), List.of());
        for (int[] sizes : BudgetTable.BUDGETS) {
          System.out.print(BudgetTable.row(data, test, sizes[0], sizes[1]));
        }
      }
    }
  }
}
