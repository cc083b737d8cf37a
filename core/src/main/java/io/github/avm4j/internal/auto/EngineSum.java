// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.secondorder.SecondOrderEngine;
import io.github.avm4j.internal.secondorder.SecondOrderSum;
import io.github.avm4j.internal.tuning.Race;
import io.github.avm4j.internal.tuning.Trial;
import io.github.avm4j.internal.tuning.TunedEngine;
import io.github.avm4j.internal.tuning.TuningLimits;
import java.util.ArrayList;
import java.util.List;

/**
 * The sum of what engines know that have found their parameters. Scaling, γ, intercept and the rate
 * of forgetting are those of one of them, the reference; what the others know is about their core
 * points and goes with them into that space, in function values, so that it does not matter how
 * each scaled.
 */
final class EngineSum {
  private EngineSum() {}

  /** The sum, in the given order; the reference is the one that has seen most. */
  static TunedEngine of(List<TunedEngine> engines) {
    TunedEngine reference = engines.get(0);
    for (TunedEngine engine : engines) {
      reference = engine.instances() > reference.instances() ? engine : reference;
    }
    List<SecondOrderSum.Part> parts = new ArrayList<>();
    for (TunedEngine engine : engines) {
      parts.add(part(engine, reference, 1));
    }
    return sum(reference, parts);
  }

  /** The sum of engines that all began as {@link #shard}s of {@code start}, which counts once. */
  static TunedEngine of(TunedEngine start, List<TunedEngine> shards) {
    List<SecondOrderSum.Part> parts = new ArrayList<>();
    for (TunedEngine shard : shards) {
      parts.add(part(shard, start, 1));
    }
    parts.add(part(start, start, 1L - shards.size()));
    return sum(start, parts);
  }

  /** A copy that keeps its core points and parameters, forgets nothing and tries nothing. */
  static TunedEngine shard(TunedEngine start) {
    SecondOrderEngine copy = start.leader().copy(shardConfig(start));
    return goingOn(start, copy, new Trial(start.task(), Trial.NEVER));
  }

  /** Whether an engine may have begun as a {@link #shard} of another. */
  static boolean isShard(TunedEngine engine, TunedEngine start) {
    return engine.scaling.equals(start.scaling)
        && engine.leader().config().equals(shardConfig(start));
  }

  private static SecondOrderConfig shardConfig(TunedEngine start) {
    return start.leader().config().toBuilder().replacing(false).forgetting(1).build();
  }

  /** The sum, in the space of {@code reference}. */
  private static TunedEngine sum(TunedEngine reference, List<SecondOrderSum.Part> parts) {
    SecondOrderConfig config = reference.leader().config().toBuilder().replacing(true).build();
    TuningLimits.requireRoom(reference.config, SecondOrderSum.classes(config, parts));
    SecondOrderEngine sum = SecondOrderSum.of(config, parts);
    long next = sum.instances() + Trial.first(reference.config.estimation(), reference.ofCell);
    return goingOn(reference, sum, new Trial(sum.task(), next));
  }

  /** An engine with the parameters of {@code like}, led by another. */
  private static TunedEngine goingOn(TunedEngine like, SecondOrderEngine leader, Trial trial) {
    trial.rate = like.trial.rate;
    TunedEngine engine =
        new TunedEngine(
            like.config, Race.alone(leader), trial, like.scaling, like.intercept, false);
    engine.shrunk = like.shrunk;
    engine.ofCell = like.ofCell;
    engine.guard.reach = like.guard.reach;
    engine.temperature = like.temperature.copy();
    return engine;
  }

  private static SecondOrderSum.Part part(TunedEngine engine, TunedEngine reference, long factor) {
    SecondOrderEngine leader = engine.leader();
    List<FeatureVector> points = SecondOrderSum.points(leader);
    if (!engine.scaling.equals(reference.scaling)) {
      Scaling.Scaler scaler = new Scaling.Scaler(reference.scaling);
      points = points.stream().map(z -> scaler.scale(engine.scaling.invert(z)).copy()).toList();
    }
    return new SecondOrderSum.Part(leader, points, engine.intercept - reference.intercept, factor);
  }
}
