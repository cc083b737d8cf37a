// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.cells.Cell;
import io.github.avm4j.internal.cells.Level;
import io.github.avm4j.internal.cells.Levels;
import io.github.avm4j.internal.coreset.CoreDistances;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.expansion.Columns;
import io.github.avm4j.internal.expansion.StoredInstances;
import io.github.avm4j.internal.secondorder.Candidates;
import io.github.avm4j.internal.secondorder.Footprint;
import io.github.avm4j.internal.secondorder.SecondOrderEngine;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the default learner may take in and hold: ranges of numbers, bytes of heap and of files. */
final class AutoLimits {
  /** Bytes of objects, and of arrays that do not grow. */
  static final int FIXED = 2048;

  /** Bytes of objects of a cell. */
  private static final int CELL = 512;

  private AutoLimits() {}

  /** Refuses values that scaling would hide. */
  static void requireFinite(Task task, FeatureVector x, double y) {
    CoreDistances.requireFinite(x);
    if (task == Task.REGRESSION && Math.abs(y) > CoreDistances.LARGEST) {
      throw new IllegalArgumentException("y must be within ±1e150, was " + y);
    }
  }

  /** Refuses a number of classes that leaves no room to learn. */
  static void requireRoom(AutoConfig config, int classes) {
    long least = Footprint.least(Columns.count(classes));
    if (config.memory() > 0 && least > MemoryShares.engine(config)) {
      throw Footprint.refusal(classes, config.memory(), MemoryShares.memoryFor(least));
    }
  }

  /** Refuses an instance that the bound on bytes can never make room for. */
  static void requireRoom(AutoEngine engine, FeatureVector x, double y) {
    AutoConfig config = engine.config;
    if (config.memory() > 0) {
      SecondOrderEngine leader = engine.leader();
      long least = Footprint.least(leader, x, y);
      if (least > MemoryShares.engine(config)) {
        throw Footprint.refusal(leader, x, y, config.memory(), MemoryShares.memoryFor(least));
      }
    }
  }

  /** Bytes of heap, at most. */
  static long heap(AutoEngine engine) {
    long bytes = FIXED + 24L * engine.config.labels().size() + engine.stored.bytes();
    bytes += Scaling.bytes(engine.scaling.dimension());
    for (SecondOrderEngine runner : engine.race.runners()) {
      bytes += runner.bytes();
    }
    @Nullable SecondOrderEngine challenger = engine.trial.challenger;
    bytes += challenger == null ? 0 : challenger.bytes();
    @Nullable Renewal renewal = engine.renewal;
    @Nullable AutoEngine renewing = renewal == null ? null : renewal.challenger;
    bytes += renewing == null ? 0 : heap(renewing);
    bytes += engine.levels.kept.bytes();
    for (Level<AutoEngine> level : engine.levels.list) {
      bytes += level.centres.bytes() + Scaling.bytes(level.metric.dimension());
      for (Cell<AutoEngine> cell : level.cells) {
        @Nullable AutoEngine expert = cell.expert;
        bytes += CELL + cell.stored.bytes() + (expert == null ? 0 : heap(expert));
      }
    }
    return bytes;
  }

  /**
   * Bytes of its file after x was learned from, at most. It counts as many engines as may run at a
   * time, whether they do or not: a contest begins at any time.
   */
  static long file(AutoEngine engine, FeatureVector x) {
    long largest = 0;
    List<SecondOrderEngine> runners = engine.race.runners();
    for (int i = 0; i < runners.size(); i++) {
      largest = Math.max(largest, runners.get(i).savedBytesWith(x));
    }
    @Nullable SecondOrderEngine challenger = engine.trial.challenger;
    if (challenger != null) {
      largest = Math.max(largest, challenger.savedBytesWith(x));
    }
    StoredInstances stored = engine.stored;
    long instances = engine.isEstimating() ? stored.bytes() + StoredInstances.bytesOf(x) : 0;
    int features = Math.max(stored.features(), x.dimension());
    long scaled = 17L * Math.max(engine.scaling.dimension(), features);
    return MemoryShares.MOST_ENGINES * largest + instances + scaled + cellsFile(engine, x);
  }

  /** The same for its cells: as if each of them had all its core points and engines. */
  private static long cellsFile(AutoEngine engine, FeatureVector x) {
    Levels<AutoEngine> levels = engine.levels;
    if (levels.most < 2) {
      return 0;
    }
    long stored = levels.kept.bytes() + 2 * StoredInstances.bytesOf(x);
    for (int i = 0; i < levels.list.size(); i++) {
      Level<AutoEngine> level = levels.list.get(i);
      stored += level.storedBytes() + level.cells.size() * cellFile(engine, x);
    }
    return stored;
  }

  /** Bytes of the file of one cell after x was learned from, at most. */
  private static long cellFile(AutoEngine engine, FeatureVector x) {
    long size = Math.min(engine.config.budget(), Experts.BUDGET);
    long columns = Columns.count(engine.classes() + 1);
    long values = Math.max(x.count(), engine.leader().set.dimension());
    long point = 12 * Math.min(values, CoreSet.TILED_DIMENSION_LIMIT) + 8 * columns + 32;
    long candidates = Candidates.MOST * (2 * point + 8 * size);
    long one = size * (point + 8 * (size + 1)) + candidates + 1024;
    return Experts.MOST_ENGINES * one + 2 * point;
  }

  /** Number of cells of a level whose files take at most a quarter of what a file can hold. */
  static int mostCells(AutoEngine engine, FeatureVector x) {
    return (int) Math.min(Integer.MAX_VALUE, engine.mostSaved / 4 / cellFile(engine, x));
  }
}
