// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.Avm;
import io.github.avm4j.flink.record.EvaluatedLearner;
import io.github.avm4j.flink.record.EvaluatedLearnerSerializer;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.Learner;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.jspecify.annotations.Nullable;

/**
 * The state of a shard, and its redistribution when the number of shards changes.
 *
 * <p>Invariants: 1. every instance is in exactly one learner, or in the start; 2. with one shard
 * there is no start; 3. if there is a start, all shards began as its copies, and the first one
 * counts its instances.
 *
 * <p>The learner of a single shard is state that every shard of the next job sees: if it has
 * settled, it becomes their common start. Learners of several shards are distributed: a shard that
 * gets several merges them, one that gets none begins as a copy of the start, or blank.
 */
final class ShardState {
  private final int shard;
  private final int shards;
  private final ListState<EvaluatedLearner> dealt;
  private final ListState<EvaluatedLearner> single;
  private final ListState<EvaluatedLearner> common;
  private final RowIdentity identity;
  private final EvaluatedLearner evaluated;
  private final @Nullable AutoLearner start;

  /**
   * Restores or begins.
   *
   * @param restored whether the job is restored from a checkpoint or savepoint
   * @param files what a new job begins with
   * @param share whether shards begin as copies of what one learner knows, if it can be copied
   * @param resumes whether there must be a learner in the state: the job was started from a
   *     savepoint
   */
  ShardState(
      OperatorStateStore store,
      int shard,
      int shards,
      boolean restored,
      StartFiles files,
      boolean share,
      boolean resumes)
      throws Exception {
    this.shard = shard;
    this.shards = shards;
    identity = RowIdentity.check(store, files.file());
    dealt = store.getListState(state("avm-shard"));
    single = store.getUnionListState(state("avm-single"));
    common = store.getUnionListState(state("avm-start"));
    List<EvaluatedLearner> mine = all(dealt);
    if (resumes && shard == 0 && mine.isEmpty() && all(single).isEmpty() && all(common).isEmpty()) {
      throw RowIdentity.refuse(
          "the savepoint holds no learner of this job: was it another name's?");
    }
    List<EvaluatedLearner> one =
        restored ? all(single) : List.of(new EvaluatedLearner(Learner.fromBytes(files.file())));
    boolean copied = shards > 1 && share && one.stream().anyMatch(ShardState::canBeShared);
    AutoLearner found = start(copied ? one : all(common));
    if (!copied && shard == 0) {
      mine.addAll(one);
    }
    if (mine.isEmpty()) {
      Learner first = found == null ? Learner.fromBytes(files.blank()) : Avm.shard(found);
      evaluated = Merging.evaluated(first, copied && shard == 0 ? one : List.of());
    } else {
      evaluated = merged(mine, found);
    }
    start = shards == 1 ? null : found;
  }

  private static ListStateDescriptor<EvaluatedLearner> state(String name) {
    return new ListStateDescriptor<>(name, EvaluatedLearnerSerializer.INSTANCE);
  }

  private static List<EvaluatedLearner> all(ListState<EvaluatedLearner> state) throws Exception {
    List<EvaluatedLearner> all = new ArrayList<>();
    state.get().forEach(all::add);
    return all;
  }

  private static boolean canBeShared(EvaluatedLearner one) {
    return Merging.canBeShared(one.learner());
  }

  private static @Nullable AutoLearner start(List<EvaluatedLearner> one) {
    return one.isEmpty() ? null : (AutoLearner) one.get(0).learner();
  }

  /** A shard that gets only its own learner continues with it, bit for bit. */
  private EvaluatedLearner merged(List<EvaluatedLearner> mine, @Nullable AutoLearner found) {
    if (mine.size() == 1 && (found == null || shards > 1)) {
      return mine.get(0);
    }
    Learner merged = Merging.merge(found, mine.stream().map(EvaluatedLearner::learner).toList());
    boolean goesOnAsShard = found != null && shards > 1;
    return Merging.evaluated(goesOnAsShard ? Avm.shard((AutoLearner) merged) : merged, mine);
  }

  /** The learner and its counts. */
  EvaluatedLearner evaluated() {
    return evaluated;
  }

  /** What all shards began as; null if each is on its own. */
  @Nullable AutoLearner start() {
    return start;
  }

  /** Instances learned from that no other shard counts. */
  long instances() {
    long all = evaluated.learner().instances();
    return start == null || shard == 0 ? all : all - start.instances();
  }

  /** Makes this the state to be checkpointed. */
  void save() throws Exception {
    identity.save(shard);
    dealt.update(shards > 1 ? List.of(evaluated) : List.of());
    single.update(shards == 1 ? List.of(evaluated) : List.of());
    common.update(start != null && shard == 0 ? List.of(new EvaluatedLearner(start)) : List.of());
  }
}
