// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.merge;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.internal.auto.AutoEngine;
import io.github.avm4j.internal.auto.AutoSum;
import io.github.avm4j.internal.expansion.Engine;
import io.github.avm4j.internal.format.LearnerFormat;
import io.github.avm4j.internal.secondorder.SecondOrderEngine;
import io.github.avm4j.internal.secondorder.SecondOrderSum;
import io.github.avm4j.model.InvalidModelException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The merge of second-order learners: information adds.
 *
 * <p>What an instance taught is a parabola in the coefficients; the sum of all is D and b (see
 * {@code Information}). On a common core set they add, and for the squared loss the merged learner
 * is the regularised least-squares solution over all shards' instances, whatever was in which. For
 * other losses each parabola touches the loss at the score of its shard and moment.
 *
 * <p>The order of the shards does not matter, to the bit: they are sorted first. Grouping does not
 * either while the union of the core points fits the budget, to rounding; beyond it points are
 * removed in between.
 */
public final class SecondOrderMerge {
  private SecondOrderMerge() {}

  public static SecondOrderEngine of(List<SecondOrderEngine> shards) {
    Configurations.requireEqual(shards.stream().map(SecondOrderEngine::config).toList());
    List<SecondOrderEngine> seen = sorted(shards);
    return seen.size() < 2
        ? copy(seen.isEmpty() ? shards.get(0) : seen.get(0))
        : SecondOrderSum.of(seen);
  }

  public static AutoEngine ofSelfConfiguring(List<AutoEngine> shards) {
    for (AutoEngine shard : shards) {
      if (!settings(shard).equals(settings(shards.get(0)))) {
        throw new IllegalArgumentException(
            "shards must have the same settings: found %s and %s; build all shards alike"
                .formatted(shards.get(0).settings(), shard.settings()));
      }
    }
    List<AutoEngine> seen = sorted(shards);
    return seen.size() < 2 ? copy(seen.isEmpty() ? shards.get(0) : seen.get(0)) : AutoSum.of(seen);
  }

  /** Its settings without labels, which are matched: a renewed learner declares those it knew. */
  private static AutoConfig settings(AutoEngine shard) {
    return shard.settings().toBuilder().labels().build();
  }

  /** Those that have seen something, in an order that depends on them alone. */
  public static <T extends Engine> List<T> sorted(List<T> shards) {
    @SuppressWarnings("ArrayRecordComponent") // never compared as a whole
    record Keyed<L>(L learner, byte[] bytes) {}
    return shards.stream()
        .filter(shard -> shard.instances() > 0)
        .map(shard -> new Keyed<>(shard, LearnerFormat.write(shard)))
        .sorted(Comparator.comparing(Keyed::bytes, Arrays::compare))
        .map(Keyed::learner)
        .toList();
  }

  @SuppressWarnings("unchecked") // what is read is of the kind that was written
  private static <T extends Engine> T copy(T learner) {
    try {
      return (T) LearnerFormat.read(LearnerFormat.write(learner)).engine();
    } catch (InvalidModelException e) {
      throw new IllegalArgumentException("a shard cannot be copied: " + e.getMessage(), e);
    }
  }
}
