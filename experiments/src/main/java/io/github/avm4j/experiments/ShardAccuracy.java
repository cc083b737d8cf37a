// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments;

import io.github.avm4j.Avm;
import io.github.avm4j.baselines.comparison.ComparisonChart;
import io.github.avm4j.baselines.comparison.Table;
import io.github.avm4j.data.catalogue.DataCache;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.Model;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * How the number of shards and the merge interval change the error, simulated in one thread with
 * the default learner. Rows are dealt round to the shards, all are merged every so many rows, and
 * each row is answered by the newest merged model, as a reader of the model topic would. Shards are
 * copies of one learner of the first rows, as in a job that goes on from one shard, or each on its
 * own from the first row. Rows that the common start learned are in no error.
 *
 * <p>Arguments: folder of the public data sets, data set, order, rows, rows of the start, shards
 * (1,4,16), merge intervals (2000,10000), and the SVG file of the curve, if it is wanted. Orders:
 * {@code shuffled}; {@code as-is}; {@code rotated}, shuffled, but after each third of the rows
 * every feature moves three columns on; {@code flipped}, shuffled, but in the second and fourth
 * fifth the two lowest classes change places.
 */
public final class ShardAccuracy {
  private static final int PHASES = 3;
  private static final int ARGUMENTS = 7;
  static final List<String> ORDERS = List.of("shuffled", "as-is", "rotated", "flipped");

  private final Table rows;
  private final int begin;

  private ShardAccuracy(Table rows, int begin) {
    this.rows = rows;
    this.begin = begin;
  }

  /** Prints one row of a table a number of shards and interval. */
  public static void main(String[] args) throws IOException {
    if (args.length < ARGUMENTS || !ORDERS.contains(args[2])) {
      System.err.println("DATA_FOLDER DATA_SET ORDER ROWS START SHARDS,... EVERY,... [CURVE.svg]");
      System.err.println("ORDER is one of " + ORDERS);
      System.exit(2);
    }
    Table rows = rows(Path.of(args[0]), args[1], args[2], Integer.parseInt(args[3]));
    ShardAccuracy study = new ShardAccuracy(rows, Integer.parseInt(args[4]));
    String title = args[1] + ", " + args[2] + ", " + rows.size() + " rows";
    ComparisonChart chart =
        new ComparisonChart(title, "shards", "mistakes of the newest model, %", true).whole();
    System.out.println("| shards | merged every | common start | each on its own | ms a merge |");
    System.out.println("|--:|--:|--:|--:|--:|");
    for (int every : numbers(args[6])) {
      study.interval(every, numbers(args[5]), chart);
    }
    if (args.length > ARGUMENTS) {
      Files.writeString(Path.of(args[ARGUMENTS]), chart.toSvg());
    }
  }

  static int[] numbers(String list) {
    return Stream.of(list.split(",")).mapToInt(Integer::parseInt).toArray();
  }

  static Table rows(Path folder, String name, String order, int most) throws IOException {
    Table all = new Loader(new DataCache(folder)).load(ExperimentData.of(name), 0).all();
    Table rows = all.shuffled(order.equals("as-is") ? 0 : 1).part(0, Math.min(most, all.size()));
    double[] lowest = rows.targets().stream().mapToDouble(y -> y).sorted().distinct().toArray();
    List<FeatureVector> x = new ArrayList<>();
    List<Double> targets = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      boolean flipped = order.equals("flipped") && 5L * i / rows.size() % 2 == 1;
      boolean rotated = order.equals("rotated");
      x.add(rotated ? rotated(rows.x().get(i), 3 * (PHASES * i / rows.size())) : rows.x().get(i));
      targets.add(flipped ? exchanged(rows.y(i), lowest[0], lowest[1]) : rows.y(i));
    }
    return new Table(x, targets);
  }

  private static double exchanged(double y, double one, double other) {
    return y == one ? other : y == other ? one : y;
  }

  private static FeatureVector rotated(FeatureVector row, int by) {
    int d = row.isSparse() ? 0 : row.count();
    for (int k = 0; row.isSparse() && k < row.count(); k++) {
      d = Math.max(d, row.indices()[k] + 1);
    }
    double[] values = new double[Math.max(d, 22)];
    for (int j = 0; j < values.length; j++) {
      values[(j + by) % values.length] = j < d ? row.get(j) : 0;
    }
    return FeatureVector.dense(values);
  }

  private void interval(int every, int[] shards, ComparisonChart chart) {
    double one = one(every).percent();
    System.out.printf(Locale.ROOT, "| one learner | %d | %.2f | | |%n", every, one);
    double[] x = new double[shards.length];
    double[] start = new double[shards.length];
    double[] own = new double[shards.length];
    double[] single = new double[shards.length];
    for (int k = 0; k < shards.length; k++) {
      Run common = common(shards[k], every);
      Run apart = apart(shards[k], every);
      x[k] = shards[k];
      start[k] = common.percent();
      own[k] = apart.percent();
      single[k] = one;
      System.out.printf(
          Locale.ROOT,
          "| %d | %d | %.2f | %.2f | %.0f |%n",
          shards[k],
          every,
          start[k],
          own[k],
          common.merging / 1e6 / common.merges);
    }
    String label = every % 1000 == 0 ? every / 1000 + "k" : "" + every;
    chart.add("one learner, " + label, x, single, chart.size());
    chart.add("start, " + label, x, start, chart.size());
    chart.add("own, " + label, x, own, chart.size());
  }

  private Run one(int every) {
    Learner learner = Avm.classifier().build();
    Run run = new Run(every);
    for (int i = 0; i < rows.size(); i++) {
      run.answer(i);
      learner.learn(rows.x().get(i), rows.y(i), 1);
      if (run.isDue(i)) {
        run.model = learner.snapshot();
      }
    }
    return run;
  }

  private Run common(int shards, int every) {
    AutoLearner start = Avm.classifier().build();
    List<AutoLearner> learners = new ArrayList<>();
    Run run = new Run(every);
    for (int i = 0; i < rows.size(); i++) {
      run.answer(i);
      // After a change among these rows the start may have begun its estimation anew.
      if (i < begin || (learners.isEmpty() && start.isEstimating())) {
        start.learn(rows.x().get(i), rows.y(i), 1);
        continue;
      }
      while (learners.size() < shards) {
        learners.add(Avm.shard(start));
      }
      learners.get(i % shards).learn(rows.x().get(i), rows.y(i), 1);
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
      learners.get(i % shards).learn(rows.x().get(i), rows.y(i), 1);
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
        wrong += model.predict(rows.x().get(i)) == rows.y(i) ? 0 : 1;
      }
    }

    /** A model after the last row would answer nothing. */
    boolean isDue(int i) {
      return i >= begin && (i + 1) % every == 0 && i + 1 < rows.size();
    }

    void take(Supplier<Learner> merge) {
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
