// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.calibration.Calibrator;
import io.github.avm4j.internal.cells.Levels;
import io.github.avm4j.internal.expansion.StoredInstances;
import io.github.avm4j.internal.secondorder.SecondOrderEngine;
import io.github.avm4j.internal.secondorder.SecondOrderSum;
import io.github.avm4j.internal.tuning.Race;
import io.github.avm4j.internal.tuning.Trial;
import io.github.avm4j.internal.tuning.TunedEngine;
import io.github.avm4j.internal.tuning.TuningLimits;
import java.util.ArrayList;
import java.util.List;

/**
 * The sum of what self-configuring learners know. Scaling, γ, intercept and the rate of forgetting
 * are those of the one that has seen most; what the others know is about their core points and goes
 * with them into that space, in function values, so that it does not matter how each scaled. Those
 * that still estimate hand over the instances they kept. Thresholds of intervals and prediction
 * sets are those of the one that has seen most; they follow the merged learner's errors as it goes
 * on.
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
      AutoEngine reference = largest(settled);
      merged =
          settled(reference, settled.stream().map(shard -> part(shard, reference, 1)).toList());
    }
    for (AutoEngine shard : shards) {
      for (StoredInstances.Kept kept : shard.whole.stored.list()) {
        merged.learn(kept.x(), kept.y(), kept.weight());
      }
    }
    merged.levels.before = elsewhere(shards);
    return merged;
  }

  /**
   * The sum of learners that all began as copies of {@code start}, which counts once.
   *
   * @throws IllegalArgumentException if {@code start} still estimates, has learned since, or a
   *     shard did not begin as its {@link #shard}
   */
  public static AutoEngine of(AutoEngine start, List<AutoEngine> shards) {
    requireSettled(start);
    List<SecondOrderSum.Part> parts = new ArrayList<>();
    for (AutoEngine shard : shards) {
      requireCopy(shard, start);
      parts.add(part(shard, start, 1));
    }
    parts.add(part(start, start, 1L - shards.size()));
    AutoEngine merged = settled(start, parts);
    long more = elsewhere(List.of(start));
    merged.levels.before = elsewhere(shards) - (shards.size() - 1) * more;
    merged.origins = Origins.after(start);
    calibrate(merged, largest(shards));
    return merged;
  }

  /**
   * A copy of {@code start} to learn a part of the stream and be merged again: it keeps its core
   * points and parameters and forgets nothing, so that what it learns can be told from what it
   * began with.
   *
   * @throws IllegalArgumentException if {@code start} still estimates
   */
  public static AutoEngine shard(AutoEngine start) {
    requireSettled(start);
    SecondOrderEngine leader = start.leader();
    SecondOrderEngine copy = leader.copy(shardConfig(start));
    Trial trial = new Trial(start.task(), Trial.NEVER);
    trial.rate = start.whole.trial.rate;
    AutoEngine shard = new AutoEngine(goingOn(start, copy, trial));
    // Its space stays whole: a merge could not tell what its cells began with.
    shard.levels.made = Levels.NEVER;
    shard.levels.before = elsewhere(List.of(start));
    shard.origins = Origins.after(start);
    return sure(shard, start);
  }

  private static SecondOrderConfig shardConfig(AutoEngine start) {
    return start.leader().config().withReplacing(false).withForgetting(1);
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
    if (!isShard
        || !shard.whole.scaling.equals(start.whole.scaling)
        || !shard.leader().config().equals(shardConfig(start))) {
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

  /** The sum, in the space of {@code reference}. */
  private static AutoEngine settled(AutoEngine reference, List<SecondOrderSum.Part> parts) {
    SecondOrderConfig config = reference.leader().config().withReplacing(true);
    TuningLimits.requireRoom(reference.settings(), SecondOrderSum.classes(config, parts));
    SecondOrderEngine sum = SecondOrderSum.of(config, parts);
    Trial trial = new Trial(sum.task(), sum.instances() + reference.settings().estimation());
    trial.rate = reference.whole.trial.rate;
    TunedEngine whole = goingOn(reference, sum, trial);
    return sure(new AutoEngine(whole), reference);
  }

  /** An engine of the whole space with the parameters of {@code reference}, led by another. */
  private static TunedEngine goingOn(AutoEngine reference, SecondOrderEngine leader, Trial trial) {
    TunedEngine like = reference.whole;
    Race race = Race.alone(leader);
    TunedEngine whole =
        new TunedEngine(like.config, race, trial, like.scaling, like.intercept, false);
    whole.shrunk = like.shrunk;
    return whole;
  }

  /** Instances that cells or predecessors learned from: they count, though nothing is merged. */
  private static long elsewhere(List<AutoEngine> shards) {
    return shards.stream().mapToLong(s -> s.instances() - s.leader().instances()).sum();
  }

  private static AutoEngine sure(AutoEngine learner, AutoEngine as) {
    learner.whole.temperature = as.whole.temperature.copy();
    calibrate(learner, as);
    return learner;
  }

  private static void calibrate(AutoEngine learner, AutoEngine as) {
    Calibrator calibrator = as.calibrator;
    learner.calibrator = calibrator == null ? null : calibrator.copy();
  }

  private static SecondOrderSum.Part part(AutoEngine shard, AutoEngine reference, long factor) {
    SecondOrderEngine leader = shard.leader();
    List<FeatureVector> points = SecondOrderSum.points(leader);
    if (!shard.whole.scaling.equals(reference.whole.scaling)) {
      Scaling.Scaler scaler = new Scaling.Scaler(reference.whole.scaling);
      points =
          points.stream().map(z -> scaler.scale(shard.whole.scaling.invert(z)).copy()).toList();
    }
    return new SecondOrderSum.Part(
        leader, points, shard.whole.intercept - reference.whole.intercept, factor);
  }
}
