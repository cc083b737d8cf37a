// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.merge;

import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.AutoSum;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.learner.LearnerFormat;
import io.github.avm4j.learner.SecondOrderLearner;
import io.github.avm4j.learner.SecondOrderSum;
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
 * struck out in between.
 */
final class SecondOrderMerge {
  private SecondOrderMerge() {}

  static Learner of(List<SecondOrderLearner> shards) {
    Configurations.requireEqual(shards.stream().map(SecondOrderLearner::config).toList());
    List<SecondOrderLearner> seen = sorted(shards);
    return seen.size() < 2
        ? copy(seen.isEmpty() ? shards.get(0) : seen.get(0))
        : SecondOrderSum.of(seen);
  }

  static Learner ofSelfConfiguring(List<AutoLearner> shards) {
    for (AutoLearner shard : shards) {
      if (!shard.told().equals(shards.get(0).told())) {
        throw new IllegalArgumentException(
            "shards must have been told the same: %s and %s; build all shards alike"
                .formatted(shards.get(0).told(), shard.told()));
      }
    }
    List<AutoLearner> seen = sorted(shards);
    return seen.size() < 2 ? copy(seen.isEmpty() ? shards.get(0) : seen.get(0)) : AutoSum.of(seen);
  }

  /** Those that have seen something, in an order that depends on them alone. */
  static <T extends Learner> List<T> sorted(List<T> shards) {
    @SuppressWarnings("ArrayRecordComponent") // never compared as a whole
    record Keyed<L>(L learner, byte[] bytes) {}
    return shards.stream()
        .filter(shard -> shard.instances() > 0)
        .map(shard -> new Keyed<>(shard, shard.toBytes()))
        .sorted(Comparator.comparing(Keyed::bytes, Arrays::compare))
        .map(Keyed::learner)
        .toList();
  }

  private static Learner copy(Learner learner) {
    try {
      return LearnerFormat.read(learner.toBytes());
    } catch (InvalidModelException e) {
      throw new IllegalArgumentException("a shard cannot be copied: " + e.getMessage(), e);
    }
  }
}
