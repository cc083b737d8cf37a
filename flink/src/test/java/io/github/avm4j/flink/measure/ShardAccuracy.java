// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.measure;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.flink.RealRows;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.Model;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * How the number of shards and the merge interval change the error, simulated in one thread with
 * the default learner. Rows are dealt round to the shards, all are merged every so many rows, and
 * each row is answered by the newest merged model, as a reader of the model topic would. Shards are
 * copies of one learner of the first rows, as in a job that goes on from one shard, or each on its
 * own from the first row. Rows that the common start learned are in no error.
 *
 * <p>Arguments: file, label column (- for LIBSVM), rows, order, rows of the start, shards (1,4,16),
 * merge intervals (2000,10000). Orders: {@code shuffled}; {@code as-is}; {@code rotated}, shuffled,
 * but after each third of the rows every feature moves three columns on; {@code flipped}, shuffled,
 * but in the second and fourth fifth the first two classes change places.
 */
public final class ShardAccuracy {
  private static final int PHASES = 3;

  private final List<Example> rows;
  private final int begin;

  private ShardAccuracy(List<Example> rows, int begin) {
    this.rows = rows;
    this.begin = begin;
  }

  /** Prints one row of a table a number of shards and interval. */
  public static void main(String[] args) throws Exception {
    int most = Integer.parseInt(args[2]);
    String order = args[3];
    boolean inOrder = order.equals("as-is");
    List<Example> rows =
        RealRows.read(Path.of(args[0]), args[1], inOrder ? most : Integer.MAX_VALUE);
    if (!inOrder) {
      Collections.shuffle(rows, new Random(1));
    }
    rows = drifted(rows.subList(0, Math.min(most, rows.size())), order);
    ShardAccuracy table = new ShardAccuracy(rows, Integer.parseInt(args[4]));
    System.out.println("| shards | merged every | common start | each on its own | ms a merge |");
    System.out.println("|--:|--:|--:|--:|--:|");
    for (String every : args[6].split(",")) {
      System.out.println(table.one(Integer.parseInt(every)));
      for (String shards : args[5].split(",")) {
        System.out.println(table.line(Integer.parseInt(shards), Integer.parseInt(every)));
      }
    }
  }

  private static List<Example> drifted(List<Example> rows, String order) {
    List<Example> drifted = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      Example row = rows.get(i);
      drifted.add(
          switch (order) {
            case "rotated" -> rotated(row, 3 * (PHASES * i / rows.size()));
            case "flipped" ->
                5L * i / rows.size() % 2 == 1 && row.y() <= 1 ? row.withLabel(1 - row.y()) : row;
            case "shuffled", "as-is" -> row;
            default -> throw new IllegalArgumentException("no order is called " + order);
          });
    }
    return drifted;
  }

  private static Example rotated(Example row, int by) {
    int d = 0;
    for (int k = 0; k < row.x().count(); k++) {
      d = Math.max(d, row.x().isSparse() ? row.x().indices()[k] + 1 : k + 1);
    }
    double[] values = new double[Math.max(d, 22)];
    for (int j = 0; j < values.length; j++) {
      values[(j + by) % values.length] = j < d ? row.x().get(j) : 0;
    }
    return new Example(
        row.id(), row.key(), FeatureVector.dense(values), row.y(), row.weight(), row.time());
  }

  private String one(int every) {
    Learner learner = Avm.classifier().build();
    Run run = new Run(every);
    for (int i = 0; i < rows.size(); i++) {
      run.answer(i);
      learner.learn(rows.get(i).x(), rows.get(i).y(), 1);
      if (run.isDue(i)) {
        run.model = learner.snapshot();
      }
    }
    return String.format(Locale.ROOT, "| one learner | %d | %.2f | | |", every, run.percent());
  }

  private String line(int shards, int every) {
    Run common = common(shards, every);
    Run apart = apart(shards, every);
    return String.format(
        Locale.ROOT,
        "| %d | %d | %.2f | %.2f | %.0f |",
        shards,
        every,
        common.percent(),
        apart.percent(),
        common.merging / 1e6 / common.merges);
  }

  private Run common(int shards, int every) {
    AutoLearner start = Avm.classifier().build();
    List<AutoLearner> learners = new ArrayList<>();
    Run run = new Run(every);
    for (int i = 0; i < rows.size(); i++) {
      run.answer(i);
      Example row = rows.get(i);
      if (i < begin) {
        start.learn(row.x(), row.y(), 1);
        continue;
      }
      while (learners.size() < shards) {
        learners.add(Avm.shard(start));
      }
      learners.get(i % shards).learn(row.x(), row.y(), 1);
      if (run.isDue(i)) {
        run.take(() -> Avm.merge(start, learners));
      }
    }
    return run;
  }

  private Run apart(int shards, int every) {
    List<Learner> learners = new ArrayList<>();
    for (int s = 0; s < shards; s++) {
      learners.add(Avm.classifier().build());
    }
    Run run = new Run(every);
    for (int i = 0; i < rows.size(); i++) {
      run.answer(i);
      learners.get(i % shards).learn(rows.get(i).x(), rows.get(i).y(), 1);
      if (run.isDue(i)) {
        run.take(() -> Avm.merge(learners));
      }
    }
    return run;
  }

  /** The newest model, its mistakes, and what its merges took. */
  private final class Run {
    private final int every;
    private Model model = Avm.classifier().build().snapshot();
    private long answered;
    private long wrong;
    private int merges;
    private long merging;

    Run(int every) {
      this.every = every;
    }

    /** Counts from the first model that knows more than the start. */
    void answer(int i) {
      if (i >= begin + every) {
        answered++;
        wrong += model.predict(rows.get(i).x()) == rows.get(i).y() ? 0 : 1;
      }
    }

    /** A model after the last row would answer nothing. */
    boolean isDue(int i) {
      return i >= begin && (i + 1) % every == 0 && i + 1 < rows.size();
    }

    void take(java.util.function.Supplier<Learner> merge) {
      long before = System.nanoTime();
      model = merge.get().snapshot();
      merging += System.nanoTime() - before;
      merges++;
    }

    double percent() {
      return 100.0 * wrong / answered;
    }
  }
}
