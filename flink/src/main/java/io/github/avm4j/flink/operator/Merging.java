// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.Avm;
import io.github.avm4j.flink.record.Pupil;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.Learner;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Several learners to one. Either all are apart, each with instances of its own, or all began as
 * shards of one start, which counts once (docs/merge.md).
 */
final class Merging {
  private Merging() {}

  /** Whether shards can begin as copies of it: a self-configuring learner that has settled. */
  static boolean canBeShared(Learner learner) {
    return learner instanceof AutoLearner auto && !auto.isEstimating();
  }

  /**
   * One learner that knows what all know. With a start, each of them is a shard of it or a merge of
   * some of its shards, and the result is such a merge: the start counts once.
   */
  static Learner merge(@Nullable AutoLearner start, List<Learner> all) {
    if (start == null) {
      return all.size() == 1 ? all.get(0) : Avm.merge(all);
    }
    return Avm.merge(start, all.stream().map(one -> Avm.shard((AutoLearner) one)).toList());
  }

  /** A pupil with that learner and the counts of all. */
  static Pupil pupil(Learner merged, List<Pupil> all) {
    Pupil pupil = new Pupil(merged);
    all.forEach(pupil::addCounts);
    return pupil;
  }
}
