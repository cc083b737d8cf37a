// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.cells.Cell;
import io.github.avm4j.internal.cells.Level;
import io.github.avm4j.internal.cells.Levels;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.expansion.Columns;
import io.github.avm4j.internal.expansion.StoredInstances;
import io.github.avm4j.internal.secondorder.Candidates;
import io.github.avm4j.internal.tuning.TunedEngine;
import io.github.avm4j.internal.tuning.TuningLimits;
import io.github.avm4j.model.Model;
import io.github.avm4j.partition.Centres;
import io.github.avm4j.partition.Partition;
import org.jspecify.annotations.Nullable;

/** Bytes of heap and of files that the default learner may hold. */
final class AutoLimits {
  /** Bytes of objects of a cell. */
  private static final int CELL = 512;

  /** Bytes of a node of a tree: a feature, a threshold and two children. */
  private static final int NODE = 20;

  private AutoLimits() {}

  /** Bytes of heap, at most. */
  static long heap(AutoEngine engine) {
    long bytes = TuningLimits.heap(engine.whole) + engine.levels.kept.bytes();
    @Nullable Renewal renewal = engine.renewal;
    @Nullable AutoEngine renewing = renewal == null ? null : renewal.challenger;
    bytes += renewing == null ? 0 : heap(renewing);
    @Nullable Model fit = engine.fit;
    bytes += fit == null ? 0 : fit.coreSet().bytes() + 16L * fit.columns() * fit.size();
    for (Level<TunedEngine> level : engine.levels.list) {
      bytes += heap(level.partition);
      for (Cell<TunedEngine> cell : level.cells) {
        @Nullable TunedEngine expert = cell.expert;
        bytes += CELL + cell.stored.bytes() + (expert == null ? 0 : TuningLimits.heap(expert));
      }
    }
    return bytes;
  }

  private static long heap(Partition partition) {
    return partition instanceof Centres centres
        ? centres.points().bytes() + Scaling.bytes(centres.scaling().dimension())
        : (long) NODE * partition.size();
  }

  /** Bytes of its file after x was learned from, at most. */
  static long file(AutoEngine engine, FeatureVector x) {
    return TuningLimits.file(engine.whole, x) + cellsFile(engine, x);
  }

  /**
   * Bytes that the cells add to the file: as if each of them had all its core points and engines.
   */
  private static long cellsFile(AutoEngine engine, FeatureVector x) {
    Levels<TunedEngine> levels = engine.levels;
    if (levels.most < 2) {
      return 0;
    }
    long stored = levels.kept.bytes() + 2 * StoredInstances.bytesOf(x);
    for (int i = 0; i < levels.list.size(); i++) {
      Level<TunedEngine> level = levels.list.get(i);
      stored += level.storedBytes() + level.cells.size() * cellFile(engine, x);
    }
    return stored;
  }

  /** Bytes of the file of one cell after x was learned from, at most. */
  private static long cellFile(AutoEngine engine, FeatureVector x) {
    long size = Math.min(engine.settings().budget(), Experts.BUDGET);
    long columns = Columns.count(engine.classes() + 1);
    long values = Math.max(x.count(), engine.leader().set.dimension());
    long point = 12 * Math.min(values, CoreSet.TILED_DIMENSION_LIMIT) + 8 * columns + 32;
    long candidates = Candidates.MOST * (2 * point + 8 * size);
    long one = size * (point + 8 * (size + 1)) + candidates + 1024;
    return Experts.MOST_ENGINES * one + 2 * point;
  }

  /** Whether a file can hold the stored instances as core points besides. */
  static boolean hasRoomForFit(AutoEngine engine) {
    StoredInstances stored = engine.whole.stored;
    if (stored.size() == 0) {
      return false;
    }
    long coefficients = 8L * stored.size() * Columns.count(engine.classes());
    FeatureVector last = stored.list().get(stored.size() - 1).x();
    return file(engine, last) + stored.bytes() + coefficients <= engine.mostSaved;
  }

  /** Number of cells of a level whose files take at most a quarter of what a file can hold. */
  static int mostCells(AutoEngine engine, FeatureVector x) {
    return (int) Math.min(Integer.MAX_VALUE, engine.mostSaved / 4 / cellFile(engine, x));
  }
}
