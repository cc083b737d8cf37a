// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.internal.calibration.Calibrator;
import io.github.avm4j.internal.cells.Levels;
import io.github.avm4j.internal.expansion.StoredInstances;
import io.github.avm4j.internal.secondorder.SecondOrderSum;
import io.github.avm4j.internal.tuning.TunedEngine;
import java.util.List;

/**
 * The sum of what self-configuring learners know. Their engines of the whole space are summed
 * ({@link EngineSum}), and those of their cells where the space is divided alike ({@link CellSum}).
 * Else the sum has no cells, and divides the space when it goes on to learn. Learners that still
 * estimate hand over the instances they kept. Thresholds of intervals and prediction sets are those
 * of the one that has seen most; they follow the merged learner's errors as it goes on.
 */
public final class AutoSum {
  private AutoSum() {}

  /**
   * The sum, in the given order, of learners that were told the same.
   *
   * @throws IllegalArgumentException if their numbers of features differ
   */
  public static AutoEngine of(List<AutoEngine> shards) {
    SecondOrderSum.requireOneShape(shards.stream().map(AutoEngine::leader).toList());
    List<AutoEngine> settled = shards.stream().filter(shard -> !shard.isEstimating()).toList();
    AutoEngine merged = new AutoEngine(shards.get(0).settings());
    if (!settled.isEmpty()) {
      merged = settled(settled);
    }
    for (AutoEngine shard : shards) {
      for (StoredInstances.Kept kept : shard.whole.stored.list()) {
        merged.learn(kept.x(), kept.y(), kept.weight());
      }
      merged.levels.before += shard.isEstimating() ? shard.levels.before : 0;
    }
    return merged;
  }

  private static AutoEngine settled(List<AutoEngine> shards) {
    AutoEngine merged = new AutoEngine(EngineSum.of(shards.stream().map(s -> s.whole).toList()));
    calibrate(merged, largest(shards));
    List<Levels<TunedEngine>> all = shards.stream().map(s -> s.levels).toList();
    if (CellSum.areAlike(all)) {
      CellSum.add(merged.levels, null, all);
      merged.levels.made = all.stream().mapToInt(levels -> levels.made).max().orElse(0);
    }
    all.forEach(levels -> merged.levels.count(levels, 1));
    all.forEach(levels -> merged.levels.keepAll(levels.kept, merged.leader().set));
    return dividing(merged);
  }

  /**
   * The sum of learners that all began as copies of {@code start}, which counts once.
   *
   * @throws IllegalArgumentException if {@code start} still estimates, has learned since, or a
   *     shard did not begin as its {@link #shard}
   */
  public static AutoEngine of(AutoEngine start, List<AutoEngine> shards) {
    requireSettled(start);
    shards.forEach(shard -> requireCopy(shard, start));
    AutoEngine merged =
        new AutoEngine(EngineSum.of(start.whole, shards.stream().map(s -> s.whole).toList()));
    List<Levels<TunedEngine>> all = shards.stream().map(s -> s.levels).toList();
    CellSum.add(merged.levels, start.levels, all);
    merged.levels.made = start.levels.made;
    all.forEach(levels -> merged.levels.count(levels, 1));
    merged.levels.count(start.levels, 1L - shards.size());
    merged.levels.keepAll(start.levels.kept, merged.leader().set);
    merged.origins = Origins.after(start);
    calibrate(merged, largest(shards));
    return dividing(merged);
  }

  private static AutoEngine dividing(AutoEngine merged) {
    merged.levels.skipTo(merged.instances() - merged.levels.before);
    return merged;
  }

  /**
   * A copy of {@code start} to learn a part of the stream and be merged again: it keeps its core
   * points, cells and parameters and forgets nothing, so that what it learns can be told from what
   * it began with.
   *
   * @throws IllegalArgumentException if {@code start} still estimates
   */
  public static AutoEngine shard(AutoEngine start) {
    requireSettled(start);
    AutoEngine shard = new AutoEngine(EngineSum.shard(start.whole));
    CellSum.share(start.levels, shard.levels);
    shard.levels.made = start.levels.made;
    shard.levels.count(start.levels, 1);
    shard.origins = Origins.after(start);
    calibrate(shard, start);
    return shard;
  }

  private static void requireSettled(AutoEngine start) {
    if (start.isEstimating()) {
      long anew = start.levels.before;
      throw new IllegalArgumentException(
          "the start must have seen its estimation period of %d instances, has seen %d%s"
              .formatted(
                  start.settings().estimation(),
                  start.instances() - anew,
                  anew == 0 ? "" : " since it began anew after a change; let it learn more"));
    }
  }

  private static void requireCopy(AutoEngine shard, AutoEngine start) {
    boolean isShard = !shard.origins.equals(Origins.NONE);
    if (isShard && !shard.origins.contains(start)) {
      throw new IllegalArgumentException(
          ("the start, which has seen %d instances, is not what a shard of %d instances began as:"
                  + " it has learned since, or is another one; merge with the start as it was when"
                  + " the shards were made (keep a copy of it if it is to go on learning)")
              .formatted(start.instances(), shard.instances()));
    }
    boolean alike = CellSum.areAlike(List.of(start.levels, shard.levels));
    if (!isShard || !alike || !EngineSum.isShard(shard.whole, start.whole)) {
      throw new IllegalArgumentException(
          "every shard must have begun as a shard of the start, which has seen %d instances; one"
                  .formatted(start.instances())
              + " has seen %d with %s".formatted(shard.instances(), shard.leader().config()));
    }
  }

  private static AutoEngine largest(List<AutoEngine> shards) {
    AutoEngine largest = shards.get(0);
    for (AutoEngine shard : shards) {
      largest = shard.instances() > largest.instances() ? shard : largest;
    }
    return largest;
  }

  private static void calibrate(AutoEngine learner, AutoEngine as) {
    Calibrator calibrator = as.calibrator;
    learner.calibrator = calibrator == null ? null : calibrator.copy();
  }
}
