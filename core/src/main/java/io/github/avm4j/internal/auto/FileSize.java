// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.cells.Cell;
import io.github.avm4j.internal.cells.Level;
import io.github.avm4j.internal.cells.Levels;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.expansion.Engine;
import io.github.avm4j.internal.expansion.ExpansionEngine;
import io.github.avm4j.internal.expansion.StoredInstances;
import io.github.avm4j.internal.firstorder.FirstOrderEngine;
import io.github.avm4j.internal.secondorder.Candidates;
import io.github.avm4j.internal.secondorder.SecondOrderEngine;
import io.github.avm4j.internal.tuning.TunedEngine;
import io.github.avm4j.model.Model;
import io.github.avm4j.partition.Centres;
import io.github.avm4j.partition.Partition;

/**
 * The length of a learner's file, from the sizes of what it holds: O(1) memory where writing the
 * file would take several times its length.
 *
 * <p>It counts everything that grows: core points, coefficients, matrices, candidates, instances
 * stored while estimating, learners beside the leader. What does not grow is one constant for each
 * file, so that the result is within 1 kB or 2 % of the true length.
 */
public final class FileSize {
  /** Container, configuration, provenance and counters. */
  private static final int FIXED = 300;

  /** Shift, scale and whether it is a logarithm. */
  private static final int SCALED_FEATURE = 17;

  /** Target, weight, kind and count of an instance. */
  private static final int INSTANCE = 21;

  /** Whether it is taken, kind and count of a candidate. */
  private static final int CANDIDATE = 6;

  /** Settings and counters of an engine that configures itself. */
  private static final int TUNED = 350;

  /** The contest of a cell and its counters. */
  private static final int CELL = 80;

  /** Thresholds of three levels, and residuals. */
  private static final int CALIBRATION = 200;

  /** Feature, threshold and two children of a node of a tree. */
  private static final int NODE = 20;

  private FileSize() {}

  /** About the bytes of an engine's file. */
  public static long of(Engine engine) {
    if (engine instanceof AutoEngine auto) {
      return of(auto);
    }
    return engine instanceof SecondOrderEngine newton ? of(newton) : of((FirstOrderEngine) engine);
  }

  private static long of(FirstOrderEngine learner) {
    int size = learner.size();
    int windows = learner.solver.average().windowCount();
    return FIXED
        + model(learner, size)
        + 8L * size * learner.columns()
        + windows * (24 + 8L * size * learner.columns());
  }

  private static long of(SecondOrderEngine learner) {
    return FIXED + model(learner, learner.size()) + state(learner);
  }

  private static long of(AutoEngine learner) {
    Renewal renewal = learner.renewal;
    AutoEngine renewing = renewal == null ? null : renewal.challenger;
    Model fit = learner.fit;
    return of(learner.whole)
        + (fit == null ? 0 : of(fit))
        + of(learner.levels)
        + (renewing == null ? 0 : of(renewing))
        + (learner.calibrator == null ? 0 : CALIBRATION);
  }

  private static long of(TunedEngine engine) {
    SecondOrderEngine leader = engine.leader();
    long bytes = of(leader) + TUNED + of(engine.scaling) + of(engine.stored);
    for (SecondOrderEngine runner : engine.race.runners()) {
      bytes += runner == leader ? 0 : of(runner);
    }
    SecondOrderEngine challenger = engine.trial.challenger;
    return bytes + (challenger == null ? 0 : of(challenger));
  }

  private static long of(StoredInstances instances) {
    long bytes = 0;
    for (StoredInstances.Kept instance : instances.list()) {
      bytes += INSTANCE + vector(instance.x());
    }
    return bytes;
  }

  private static long of(Levels<TunedEngine> levels) {
    long bytes = of(levels.kept);
    for (Level<TunedEngine> level : levels.list) {
      bytes += of(level.partition);
      for (Cell<TunedEngine> cell : level.cells) {
        TunedEngine expert = cell.expert;
        bytes += CELL + of(cell.stored) + (expert == null ? 0 : of(expert));
      }
    }
    return bytes;
  }

  private static long of(Partition partition) {
    return partition instanceof Centres centres
        ? points(centres.points()) + of(centres.scaling())
        : (long) NODE * partition.size();
  }

  /** Bytes of a scaling. */
  public static long of(Scaling scaling) {
    return (long) SCALED_FEATURE * scaling.dimension();
  }

  private static long of(Model fit) {
    long coefficients = 8L * fit.size() * fit.columns();
    return FIXED + of(fit.scaling()) + points(fit.coreSet()) + coefficients;
  }

  private static long model(ExpansionEngine learner, int size) {
    return 8L * learner.classes() + points(learner.set) + 8L * size * learner.columns();
  }

  /** A mark for each point, its number of values where that varies, and the values. */
  private static long points(CoreSet set) {
    return set.storesPostings()
        ? 5L * set.size() + 12 * set.values()
        : set.size() + 8 * set.values();
  }

  private static long state(SecondOrderEngine learner) {
    long size = learner.size();
    long bytes = 8 * size + 8 * size * (size + 1) + 8 * size;
    Candidates candidates = learner.exchange.candidates;
    if (candidates == null) {
      return bytes;
    }
    for (int c = 0; c < candidates.places(); c++) {
      bytes += CANDIDATE + vector(candidates.point(c));
      bytes += candidates.isTaken(c) ? 32 + 8L * candidates.gradients(c).length + 8 * size : 0;
    }
    return bytes;
  }

  private static long vector(FeatureVector x) {
    return (x.isSparse() ? 12L : 8L) * x.count();
  }
}
