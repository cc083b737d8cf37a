// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.arena;

import io.github.avm4j.Avm;
import io.github.avm4j.config.Task;
import io.github.avm4j.experiments.defaults.StreamData;
import io.github.avm4j.learner.AutoLearner;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The error of the default learner on a stream of the arena without its first rows, for several
 * numbers of them. On a stream that changes, one start says little: renewals come earlier or later.
 */
public final class Starts {
  private static final List<Integer> USUAL = List.of(0, 150, 300, 500, 700, 1000, 1300);

  /** Rows that are read at most. */
  private static final int MOST = 60_000;

  private Starts() {}

  /** Arguments: the folder of the data, a stream, rows to leave out in each run. */
  public static void main(String[] args) {
    if (args.length < 2) {
      System.err.println("arguments: DATA_FOLDER STREAM [ROWS_TO_LEAVE_OUT ...]");
      System.exit(2);
    }
    try {
      List<Integer> starts =
          args.length == 2 ? USUAL : Arrays.stream(args).skip(2).map(Integer::valueOf).toList();
      run(Path.of(args[0]), args[1], starts, System.out);
    } catch (IllegalArgumentException | IOException e) {
      System.err.println(e.getMessage());
      System.exit(2);
    }
  }

  /** Prints a line a start, then their mean. */
  static double run(Path folder, String name, List<Integer> starts, PrintStream out)
      throws IOException {
    StreamData data = ArenaWorker.encoded(ArenaStream.of(name), folder);
    int[] order = data.order(ArenaWorker.SEED);
    int end = Math.min(MOST, order.length);
    List<Double> errors = new ArrayList<>();
    for (int start : starts) {
      if (start < 0 || start >= end) {
        throw new IllegalArgumentException(start + " rows to leave out of " + end);
      }
      AutoLearner learner =
          data.task() == Task.REGRESSION ? Avm.regressor().build() : Avm.classifier().build();
      int[] rest = Arrays.copyOfRange(order, start, end);
      Pass pass = Pass.of(data, rest, rest.length, learner, Double.POSITIVE_INFINITY);
      errors.add(pass.error());
      out.printf(
          Locale.ROOT,
          "%s without %,d rows: %.3f, %d renewals%n",
          name,
          start,
          pass.error(),
          learner.renewals());
    }
    double mean = errors.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    out.printf(Locale.ROOT, "mean of %d: %.3f%n", errors.size(), mean);
    return mean;
  }
}
