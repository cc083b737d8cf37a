// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.Avm;
import io.github.avm4j.flink.record.Pupil;
import io.github.avm4j.learner.Learner;
import java.util.List;

/** Several learners to one. */
final class Merging {
  private Merging() {}

  /** One learner that knows what all of them know; itself if there is one. */
  static Learner learners(List<Learner> shards) {
    return shards.size() == 1 ? shards.get(0) : Avm.merge(shards);
  }

  /** One pupil with the counts of all. */
  static Pupil pupils(List<Pupil> shards) {
    if (shards.size() == 1) {
      return shards.get(0);
    }
    Pupil all = new Pupil(learners(shards.stream().map(Pupil::learner).toList()));
    shards.forEach(all::addCounts);
    return all;
  }
}
