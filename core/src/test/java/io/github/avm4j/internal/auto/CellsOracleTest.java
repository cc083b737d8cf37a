// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.cells.Level;
import io.github.avm4j.internal.expansion.StoredInstances;
import io.github.avm4j.internal.tuning.TunedEngine;
import io.github.avm4j.partition.Centres;
import io.github.avm4j.partition.Partition;
import io.github.avm4j.partition.SplitTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The default learner beside its cells written out plainly: two levels, no shared scratch,
 * distances and means by their definitions.
 */
class CellsOracleTest {
  private static final int ROWS = 15_000;
  private static final int CELLS = 20;
  private static final double[] NONE = {};

  /** One cell: what it stores, its engine, and the losses compared. */
  private static final class PlainCell {
    final StoredInstances stored = new StoredInstances();
    TunedEngine engine;
    final List<Double> gains = new ArrayList<>();
    boolean leads;
    boolean closed;
    int idle;

    void compare(double gain, boolean trusted, int all) {
      gains.add(gain);
      idle = leads ? 0 : idle + 1;
      int first = trusted && all >= 500 ? 20 : 100;
      if (gains.size() >= first && gains.size() % 20 == 0) {
        leads = isBetter(gains, 1000, leads || trusted ? 0 : 1, leads);
        closed = !leads && idle >= 3000;
      }
    }
  }

  /**
   * Whether the mean of the gains, the latest weighing 1/window once there are so many, exceeds so
   * many standard errors; {@code tie} if it is 0.
   */
  private static boolean isBetter(List<Double> gains, int window, double errors, boolean tie) {
    double mean = 0;
    double square = 0;
    for (int i = 0; i < gains.size(); i++) {
      double rate = Math.max(1.0 / (i + 1), 1.0 / window);
      mean += rate * (gains.get(i) - mean);
      square += rate * (gains.get(i) * gains.get(i) - square);
    }
    double error = gains.isEmpty() ? 0 : Math.sqrt(square / Math.min(gains.size(), 2 * window - 1));
    return mean == 0 ? tie : mean > errors * error;
  }

  /** One division of the space. */
  private static final class PlainLevel {
    final Partition partition;
    final List<PlainCell> cells = new ArrayList<>();

    /** Outer loss less own loss, of all cells. */
    final List<Double> gains = new ArrayList<>();

    PlainLevel(Level<TunedEngine> level) {
      partition = level.partition;
      for (int i = 0; i < level.cells.size(); i++) {
        cells.add(new PlainCell());
      }
    }

    int period() {
      return partition instanceof SplitTree ? 60 : 300;
    }

    PlainCell cell(double[] x) {
      return cells.get(
          partition instanceof Centres centres
              ? nearest(centres, x)
              : leaf((SplitTree) partition, 0, x));
    }

    private static int leaf(SplitTree tree, int node, double[] x) {
      if (node < 0) {
        return -1 - node;
      }
      boolean above = x[tree.feature(node)] > tree.threshold(node);
      return leaf(tree, above ? tree.above(node) : tree.below(node), x);
    }

    private static int nearest(Centres centres, double[] x) {
      int nearest = -1;
      double least = Double.POSITIVE_INFINITY;
      for (int i = 0; i < centres.size(); i++) {
        double distance = 0;
        for (int j = 0; j < x.length; j++) {
          double difference = centres.scaling().apply(j, x[j]) - centres.point(i).get(j);
          distance += difference * difference;
        }
        if (distance < least) {
          least = distance;
          nearest = i;
        }
      }
      return nearest;
    }

    boolean isTrusted() {
      return isBetter(gains, 5000, 2, false);
    }

    boolean isProven(PlainCell cell) {
      boolean certain = isTrusted() || isBetter(cell.gains, 1000, 2, false);
      return cell.leads && cell.gains.size() >= 300 && certain;
    }
  }

  /** The learner: an engine of the whole space without cells, and levels of cells, oldest first. */
  private static final class Oracle {
    final Task task;
    final AutoEngine whole;
    final AutoConfig expert;
    final List<PlainLevel> levels = new ArrayList<>();
    int turn;

    Oracle(AutoEngine whole, AutoConfig config) {
      this.task = config.task();
      this.whole = whole;
      this.expert = config.toBuilder().estimation(300).cells(0).build();
    }

    double predictThenLearn(double[] x, double y) {
      FeatureVector vector = FeatureVector.dense(x);
      int alone = alone(x);
      double prediction =
          alone < 0
              ? whole.predictThenLearn(vector, y, 1, NONE)
              : levels.get(alone).cell(x).engine.predictThenLearn(vector, y, 1, NONE);
      for (PlainLevel level : levels.subList(alone + 1, levels.size())) {
        prediction = join(level, level.cell(x), vector, y, prediction);
      }
      return prediction;
    }

    /** The newest level with a proven cell, seven times of eight; else −1. */
    int alone(double[] x) {
      for (int i = levels.size() - 1; i >= 0; i--) {
        if (levels.get(i).isProven(levels.get(i).cell(x))) {
          return ++turn % 8 != 0 ? i : -1;
        }
      }
      return -1;
    }

    double join(PlainLevel level, PlainCell cell, FeatureVector x, double y, double outer) {
      if (cell.closed) {
        return outer;
      }
      if (cell.engine == null) {
        store(cell, level.period(), x, y);
        return outer;
      }
      boolean led = cell.leads;
      double own = cell.engine.predictThenLearn(x, y, 1, NONE);
      double gain = loss(outer, y) - loss(own, y);
      level.gains.add(gain);
      cell.compare(gain, level.isTrusted(), level.gains.size());
      return led ? own : outer;
    }

    void store(PlainCell cell, int period, FeatureVector x, double y) {
      cell.stored.add(x.copy(), y, 1);
      if (cell.stored.size() >= period) {
        cell.engine = TunedEngine.ofCell(expert, cell.stored, whole.whole);
      }
    }

    double loss(double prediction, double y) {
      return task == Task.REGRESSION
          ? (prediction - y) * (prediction - y)
          : prediction == y ? 0 : 1;
    }
  }

  /** Rows since the last division, which are handed to the cells of the next. */
  private final List<double[]> kept = new ArrayList<>();

  private final List<Double> keptTargets = new ArrayList<>();

  @ParameterizedTest
  @CsvSource({
    "CLASSIFICATION, false",
    "REGRESSION, false",
    "CLASSIFICATION, true",
    "REGRESSION, true"
  })
  void isTheLearner(Task task, boolean rules) {
    AutoConfig config =
        AutoConfig.of(task).toBuilder().budget(12).estimation(200).cells(CELLS).build();
    AutoEngine learner = new AutoEngine(config);
    Oracle oracle = new Oracle(new AutoEngine(config.toBuilder().cells(0).build()), config);
    Random random = new Random(3);
    int[] led = new int[2];
    int inOlder = 0;
    for (int t = 0; t < ROWS; t++) {
      double[] x = {4 * random.nextDouble(), 2 * random.nextDouble(), random.nextGaussian()};
      x = rules ? x : Arrays.copyOf(x, 2);
      double y = rules ? ruled(task, x) : target(task, x, random);
      kept.add(x);
      keptTargets.add(y);
      double prediction = learner.predictThenLearn(FeatureVector.dense(x), y, 1, NONE);
      assertEquals(oracle.predictThenLearn(x, y), prediction, "row " + t);
      for (int i = 0; i < oracle.levels.size(); i++) {
        led[i] += oracle.levels.get(i).cell(x).leads ? 1 : 0;
      }
      if (oracle.levels.size() == 2) {
        PlainLevel older = oracle.levels.get(0);
        boolean newer = oracle.levels.get(1).isProven(oracle.levels.get(1).cell(x));
        inOlder += !newer && older.isProven(older.cell(x)) ? 1 : 0;
      }
      if (learner.levels.list.size() > oracle.levels.size()) {
        assertEquals(oracle.levels.isEmpty() ? 2999 : 11_999, t);
        divide(oracle, learner);
      }
    }
    assertTrue(Math.min(led[0], led[1]) > 100, Arrays.toString(led) + " predictions by levels");
    for (PlainLevel level : oracle.levels) {
      assertEquals(rules, level.partition instanceof SplitTree);
    }
    assertTrue(inOlder > 300, inOlder + " rows of an older cell in the place of the whole");
  }

  private void divide(Oracle oracle, AutoEngine learner) {
    PlainLevel level = new PlainLevel(learner.levels.list.get(oracle.levels.size()));
    oracle.levels.add(level);
    for (int i = 0; i < kept.size(); i++) {
      level.cell(kept.get(i)).stored.add(FeatureVector.dense(kept.get(i)), keptTargets.get(i), 1);
    }
    kept.clear();
    keptTargets.clear();
  }

  /** Rules that compare one feature at a time, each where the one before holds. */
  private static double ruled(Task task, double[] x) {
    int side = x[2] > 0 ? 1 : 0;
    int rule = x[side] > 1 ? x[1 - side] > 0.7 ? 0 : x[2] > 1 ? 1 : 2 : x[1 - side] > 1.3 ? 1 : 0;
    return task == Task.REGRESSION ? rule + 0.1 * x[0] : rule;
  }

  private static double target(Task task, double[] x, Random random) {
    double bumps = Math.sin(3 * x[0] + 2 * x[1]) * Math.cos(4 * x[1] - 2 * x[0]);
    return task == Task.REGRESSION
        ? bumps + 0.1 * random.nextGaussian()
        : bumps + 0.1 * random.nextGaussian() > 0.2 ? 1 : bumps < -0.5 ? 2 : 0;
  }
}
