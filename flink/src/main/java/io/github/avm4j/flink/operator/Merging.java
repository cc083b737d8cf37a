// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.Avm;
import io.github.avm4j.flink.record.EvaluatedLearner;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.Learner;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Merges several learners into one. Either they are independent, each with its own instances, or
 * all began as shards of one start, which counts once (docs/merge.md).
 */
final class Merging {
  private Merging() {}

  /** Whether shards can begin as copies of it: a self-configuring learner that has settled. */
  static boolean canBeShared(Learner learner) {
    return learner instanceof AutoLearner auto && !auto.isEstimating();
  }

  /**
   * Merges all learners. With a start, each of them is a shard of it or a merge of some of its
   * shards, and the result is such a merge: the start counts once.
   */
  static Learner merge(@Nullable AutoLearner start, List<Learner> all) {
    if (start == null) {
      return all.size() == 1 ? all.get(0) : Avm.merge(all);
    }
    return Avm.merge(start, all.stream().map(one -> Avm.shard((AutoLearner) one)).toList());
  }

  /** A merged learner with the summed counts of all. */
  static EvaluatedLearner evaluated(Learner merged, List<EvaluatedLearner> all) {
    EvaluatedLearner evaluated = new EvaluatedLearner(merged);
    all.forEach(evaluated::addCounts);
    return evaluated;
  }
}
