// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments;

import io.github.avm4j.Avm;
import io.github.avm4j.baselines.comparison.ComparisonChart;
import io.github.avm4j.baselines.comparison.Table;
import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.experiments.catalogue.DataCache;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.CellLearner;
import io.github.avm4j.learner.CellPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * How the number of cells that are learned apart changes the error, simulated in one thread: a
 * default learner of the first rows is frozen and divides the space ({@link CellPlan}), every cell
 * begins with its rows among them, and every other row is answered and then learned from by the
 * learner of its cell ({@link CellLearner}), as in a job of mode {@code cells}. One default learner
 * of all rows is compared on the same rows.
 *
 * <p>How many workers the cells are dealt to changes nothing: a learner of a cell does the same on
 * any of them.
 *
 * <p>Arguments: folder of the public data sets, data set, order, rows, rows of the plan, numbers of
 * cells (4,16,64), and the SVG file of the curve, if it is wanted. Orders: {@code shuffled}; {@code
 * as-is}; {@code rotated}, shuffled, but after each third of the rows every feature moves three
 * columns on; {@code flipped}, shuffled, but in the second and fourth fifth the two lowest classes
 * change places.
 */
public final class CellAccuracy {
  private static final int PHASES = 3;
  private static final int ARGUMENTS = 6;
  private static final List<String> ORDERS = List.of("shuffled", "as-is", "rotated", "flipped");

  private final Table rows;
  private final int begin;
  private final AutoLearner start;

  private CellAccuracy(Table rows, int begin) {
    this.rows = rows;
    this.begin = begin;
    double[] labels = rows.targets().stream().mapToDouble(y -> y).distinct().sorted().toArray();
    this.start = Avm.classifier().labels(labels).cells(0).build();
  }

  /** Prints one row of a table a number of cells. */
  public static void main(String[] args) throws IOException {
    if (args.length < ARGUMENTS || !ORDERS.contains(args[2])) {
      System.err.println("DATA_FOLDER DATA_SET ORDER ROWS PLAN_ROWS CELLS,... [CURVE.svg]");
      System.err.println("ORDER is one of " + ORDERS);
      System.exit(2);
    }
    Path folder = Path.of(args[0]);
    Table rows = rows(folder, args[1], args[2], Integer.parseInt(args[3]));
    CellAccuracy study = new CellAccuracy(rows, Integer.parseInt(args[4]));
    System.out.println(
        "| cells | mistakes % | in the last fifth | cells that lead | rows of the"
            + " largest, % | µs a row |");
    System.out.println("|--:|--:|--:|--:|--:|--:|");
    Tally one = study.one();
    Curve curve = new Curve(one);
    for (int cells : numbers(args[5])) {
      study.apart(cells, curve);
    }
    if (args.length > ARGUMENTS) {
      String title = args[1] + ", " + args[2] + ", " + rows.size() + " rows";
      Files.writeString(Path.of(args[ARGUMENTS]), curve.toSvg(title));
    }
  }

  private static int[] numbers(String list) {
    return Stream.of(list.split(",")).mapToInt(Integer::parseInt).toArray();
  }

  private static Table rows(Path folder, String name, String order, int most) throws IOException {
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

  /** Mistakes against the number of cells. */
  private static final class Curve {
    private final Tally one;
    private final List<Integer> cells = new ArrayList<>();
    private final List<Tally> tallies = new ArrayList<>();

    Curve(Tally one) {
      this.one = one;
    }

    void add(int count, Tally tally) {
      cells.add(count);
      tallies.add(tally);
    }

    String toSvg(String title) {
      ComparisonChart chart = new ComparisonChart(title, "cells", "mistakes, %", true).whole();
      double[] x = cells.stream().mapToDouble(count -> count).toArray();
      add(chart, "one learner", x, tally -> one.percent());
      add(chart, "cells", x, Tally::percent);
      add(chart, "one, last fifth", x, tally -> one.latePercent());
      add(chart, "cells, last fifth", x, Tally::latePercent);
      return chart.toSvg();
    }

    private void add(
        ComparisonChart chart, String name, double[] x, ToDoubleFunction<Tally> error) {
      chart.add(name, x, tallies.stream().mapToDouble(error).toArray(), chart.size());
    }
  }

  private Tally one() {
    AutoLearner all = Avm.classifier().build();
    for (int i = 0; i < begin; i++) {
      start.learn(rows.x().get(i), rows.y(i), 1);
      all.learn(rows.x().get(i), rows.y(i), 1);
    }
    Tally tally = new Tally();
    for (int i = begin; i < rows.size(); i++) {
      tally.add(i, all.predictThenLearn(rows.x().get(i), rows.y(i), 1));
    }
    System.out.printf(Locale.ROOT, "| one learner | %s | | | %s |%n", tally.error(), tally.time());
    return tally;
  }

  private void apart(int count, Curve curve) {
    CellPlan plan = CellPlan.of(start, rows.x().subList(0, begin), count);
    CellLearner[] learners = new CellLearner[plan.size()];
    AutoConfig settings = start.settings();
    Arrays.setAll(learners, c -> new CellLearner(plan, settings));
    for (int i = 0; i < begin; i++) {
      learners[plan.cellOf(rows.x().get(i))].begin(rows.x().get(i), rows.y(i), 1);
    }
    Tally tally = new Tally();
    int[] met = new int[plan.size()];
    for (int i = begin; i < rows.size(); i++) {
      int cell = plan.cellOf(rows.x().get(i));
      met[cell]++;
      tally.add(i, learners[cell].predictThenLearn(rows.x().get(i), rows.y(i), 1));
    }
    long leading = Arrays.stream(learners).filter(CellLearner::leads).count();
    double largest = 100.0 * Arrays.stream(met).max().orElse(0) / (rows.size() - begin);
    System.out.printf(
        Locale.ROOT,
        "| %d | %s | %d | %.1f | %s |%n",
        plan.size(),
        tally.error(),
        leading,
        largest,
        tally.time());
    curve.add(plan.size(), tally);
  }

  /** Mistakes after the plan's rows. */
  private final class Tally {
    private final long begun = System.nanoTime();
    private int wrong;
    private int late;

    void add(int i, double prediction) {
      int mistake = prediction == rows.y(i) ? 0 : 1;
      wrong += mistake;
      late += isLate(i) ? mistake : 0;
    }

    private boolean isLate(int i) {
      return i >= rows.size() - rows.size() / 5;
    }

    double percent() {
      return 100.0 * wrong / (rows.size() - begin);
    }

    double latePercent() {
      int last = rows.size() / 5;
      return 100.0 * late / last;
    }

    String error() {
      return "%.3f | %.3f".formatted(percent(), latePercent());
    }

    String time() {
      return "%.1f".formatted((System.nanoTime() - begun) / 1e3 / (rows.size() - begin));
    }
  }
}
