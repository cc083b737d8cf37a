// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.tuning;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.coreset.CoreDistances;
import io.github.avm4j.internal.expansion.Columns;
import io.github.avm4j.internal.expansion.ExpansionEngine;
import io.github.avm4j.internal.expansion.StoredInstances;
import io.github.avm4j.internal.secondorder.Footprint;
import io.github.avm4j.internal.secondorder.SecondOrderEngine;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a self-configuring engine may take in and hold: ranges of numbers, bytes of heap and file.
 */
public final class TuningLimits {
  /** Bytes of objects, and of arrays that do not grow. */
  static final int FIXED = 2048;

  private TuningLimits() {}

  /** Refuses values that scaling would hide. */
  static void requireFinite(Task task, FeatureVector x, double y) {
    CoreDistances.requireFinite(x);
    if (task == Task.REGRESSION && Math.abs(y) > ExpansionEngine.LARGEST_TARGET) {
      throw new IllegalArgumentException("y must be within ±1e100, was " + y);
    }
  }

  /** Refuses a number of classes that leaves no room to learn. */
  public static void requireRoom(AutoConfig config, int classes) {
    long least = Footprint.least(Columns.count(classes));
    if (config.memory() > 0 && least > MemoryShares.engine(config)) {
      throw Footprint.refusal(classes, config.memory(), MemoryShares.memoryFor(least));
    }
  }

  /** Refuses an instance that the bound on bytes can never make room for. */
  static void requireRoom(TunedEngine engine, FeatureVector x, double y) {
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
  public static long heap(TunedEngine engine) {
    long bytes = FIXED + 24L * engine.config.labels().size() + engine.stored.bytes();
    bytes += Scaling.bytes(engine.scaling.dimension());
    for (SecondOrderEngine runner : engine.race.runners()) {
      bytes += runner.bytes();
    }
    @Nullable SecondOrderEngine challenger = engine.trial.challenger;
    return bytes + (challenger == null ? 0 : challenger.bytes());
  }

  /**
   * Bytes of its file after x was learned from, at most. It counts as many engines as may run at a
   * time, whether they do or not: a contest begins at any time.
   */
  public static long file(TunedEngine engine, FeatureVector x) {
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
    return MemoryShares.MOST_ENGINES * largest + instances + scaled;
  }
}
