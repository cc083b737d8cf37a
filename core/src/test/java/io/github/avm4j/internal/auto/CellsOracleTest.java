// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.cells.Level;
import io.github.avm4j.internal.expansion.StoredInstances;
import io.github.avm4j.internal.tuning.TunedEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The default learner beside its cells written out plainly: one level, no shared scratch, distances
 * and means by their definitions.
 */
class CellsOracleTest {
  private static final int ROWS = 7000;
  private static final int CELLS = 5;
  private static final double[] NONE = {};

  /** One cell: what it stores, its engine, and the losses compared. */
  private static final class PlainCell {
    final double[] centre;
    final StoredInstances stored = new StoredInstances();
    TunedEngine engine;
    final List<Double> gains = new ArrayList<>();
    boolean leads;
    boolean closed;
    int idle;

    PlainCell(double[] centre) {
      this.centre = centre;
    }

    void compare(double gain, boolean trusted) {
      gains.add(gain);
      idle = leads ? 0 : idle + 1;
      if (gains.size() >= 100 && gains.size() % 20 == 0) {
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

  /** The learner: an engine of the whole space without cells, and cells from 3000 rows on. */
  private static final class Oracle {
    final Task task;
    final AutoEngine whole;
    final AutoConfig expert;
    final Scaling metric;
    final List<PlainCell> cells = new ArrayList<>();

    /** Outer loss less own loss, of all cells. */
    final List<Double> gains = new ArrayList<>();

    int turn;

    Oracle(AutoEngine learner, AutoEngine whole, AutoConfig config) {
      this.task = config.task();
      this.whole = whole;
      Level<TunedEngine> level = learner.levels.list.get(0);
      this.metric = level.metric;
      this.expert = config.toBuilder().estimation(300).cells(0).build();
      for (int i = 0; i < level.cells.size(); i++) {
        cells.add(new PlainCell(level.centres.point(i).values()));
      }
    }

    PlainCell cell(double[] x) {
      PlainCell nearest = null;
      double least = Double.POSITIVE_INFINITY;
      for (PlainCell cell : cells) {
        double distance = 0;
        for (int j = 0; j < x.length; j++) {
          double difference = metric.apply(j, x[j]) - cell.centre[j];
          distance += difference * difference;
        }
        if (distance < least) {
          least = distance;
          nearest = cell;
        }
      }
      return nearest;
    }

    double predictThenLearn(double[] x, double y) {
      PlainCell cell = cell(x);
      FeatureVector vector = FeatureVector.dense(x);
      boolean trusted = isBetter(gains, 5000, 2, false);
      boolean certain = trusted || isBetter(cell.gains, 1000, 2, false);
      boolean proven = cell.leads && cell.gains.size() >= 300 && certain;
      if (proven && ++turn % 8 != 0) {
        return cell.engine.predictThenLearn(vector, y, 1, NONE);
      }
      double outer = whole.predictThenLearn(vector, y, 1, NONE);
      if (cell.closed) {
        return outer;
      }
      if (cell.engine == null) {
        store(cell, x, y);
        return outer;
      }
      boolean led = cell.leads;
      double own = cell.engine.predictThenLearn(vector, y, 1, NONE);
      gains.add(loss(outer, y) - loss(own, y));
      cell.compare(gains.get(gains.size() - 1), isBetter(gains, 5000, 2, false));
      return led ? own : outer;
    }

    void store(PlainCell cell, double[] x, double y) {
      cell.stored.add(FeatureVector.dense(x.clone()), y, 1);
      if (cell.stored.size() >= 300) {
        cell.engine = TunedEngine.ofCell(expert, cell.stored);
      }
    }

    double loss(double prediction, double y) {
      return task == Task.REGRESSION
          ? (prediction - y) * (prediction - y)
          : prediction == y ? 0 : 1;
    }
  }

  @ParameterizedTest
  @EnumSource(Task.class)
  void isTheLearner(Task task) {
    AutoConfig config = AutoConfig.builder(task).budget(12).estimation(200).cells(CELLS).build();
    AutoEngine learner = new AutoEngine(config);
    AutoEngine whole = new AutoEngine(config.toBuilder().cells(0).build());
    Random random = new Random(3);
    List<double[]> xs = new ArrayList<>();
    List<Double> ys = new ArrayList<>();
    Oracle oracle = null;
    int led = 0;
    for (int t = 0; t < ROWS; t++) {
      double[] x = {4 * random.nextDouble(), 2 * random.nextDouble(), random.nextGaussian()};
      double y = target(task, x, random);
      xs.add(x);
      ys.add(y);
      double prediction = learner.predictThenLearn(FeatureVector.dense(x), y, 1, NONE);
      if (oracle == null) {
        assertEquals(whole.predictThenLearn(FeatureVector.dense(x), y, 1, NONE), prediction);
      } else {
        assertEquals(oracle.predictThenLearn(x, y), prediction, "row " + t);
        led += oracle.cell(x).leads ? 1 : 0;
      }
      if (oracle == null && learner.levels.isDivided()) {
        assertEquals(2999, t);
        oracle = new Oracle(learner, whole, config);
        for (int i = 0; i <= t; i++) {
          PlainCell cell = oracle.cell(xs.get(i));
          cell.stored.add(FeatureVector.dense(xs.get(i)), ys.get(i), 1);
        }
      }
    }
    assertTrue(led > 1000, led + " predictions by cells");
  }

  private static double target(Task task, double[] x, Random random) {
    double bumps = Math.sin(3 * x[0]) * Math.cos(4 * x[1]);
    return task == Task.REGRESSION
        ? bumps + 0.1 * random.nextGaussian()
        : bumps + 0.1 * random.nextGaussian() > 0.2 ? 1 : bumps < -0.5 ? 2 : 0;
  }
}
