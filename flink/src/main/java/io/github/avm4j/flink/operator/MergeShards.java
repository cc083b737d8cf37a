// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.flink.record.ShardUpdate;
import io.github.avm4j.flink.record.ShardUpdateSerializer;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.learner.LearnerFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of one level of the merge tree, keyed by {@link #node}: each keeps the newest learner
 * of every child and sends their merge to its parent when the schedule says so.
 *
 * <p>Invariants: 1. nothing is sent before every child has been heard, so no instance is missing;
 * 2. updates of another parallelism than the newest are forgotten, so none counts twice; 3. what is
 * sent has more instances than what was sent before, unless the shards were rescaled.
 *
 * <p>Cost: a merge a node and round; its children's learners as state.
 */
public final class MergeShards extends KeyedProcessFunction<Integer, ShardUpdate, ShardUpdate> {
  private static final long serialVersionUID = 1;

  private final int fanIn;
  private final Schedule schedule;

  private transient @Nullable MapState<Integer, ShardUpdate> children;
  private transient @Nullable ValueState<Long> sent;

  /** Nodes of at most {@code fanIn} children. */
  public MergeShards(int fanIn, Schedule schedule) {
    if (fanIn < 2) {
      throw new IllegalArgumentException("fanIn must be >= 2, was " + fanIn);
    }
    this.fanIn = fanIn;
    this.schedule = schedule;
  }

  /** The node above {@code update}: the key. */
  public int node(ShardUpdate update) {
    return update.shard() / fanIn;
  }

  @Override
  public void open(OpenContext context) {
    children =
        getRuntimeContext()
            .getMapState(
                new MapStateDescriptor<>("children", Types.INT, ShardUpdateSerializer.TYPE));
    sent = getRuntimeContext().getState(new ValueStateDescriptor<>("sent", Types.LONG));
  }

  @Override
  public void processElement(ShardUpdate update, Context context, Collector<ShardUpdate> out)
      throws Exception {
    if (children == null || sent == null) {
      throw new IllegalStateException("not open");
    }
    int node = node(update);
    forgetOtherGenerations(update.of());
    children.put(update.shard(), update);
    int first = node * fanIn;
    int count = Math.min(fanIn, update.of() - first);
    List<ShardUpdate> all = new ArrayList<>(count);
    long instances = 0;
    boolean last = true;
    for (int c = first; c < first + count; c++) {
      ShardUpdate child = children.get(c);
      if (child == null) {
        return;
      }
      all.add(child);
      instances += child.instances();
      last &= child.isLast();
    }
    Long before = sent.value();
    if (before == null || last || isDue(instances - before, count, update)) {
      sent.update(instances);
      int nodes = (update.of() + fanIn - 1) / fanIn;
      out.collect(new ShardUpdate(node, nodes, instances, last, merge(all)));
    }
  }

  /** By time every word of the last child ends a round; by instances their number decides. */
  private boolean isDue(long more, int count, ShardUpdate update) {
    return schedule.instances() > 0
        ? more >= schedule.share(count, update.of())
        : update.shard() % fanIn == count - 1;
  }

  private void forgetOtherGenerations(int of) throws Exception {
    if (children == null || sent == null || children.isEmpty()) {
      return;
    }
    if (children.values().iterator().next().of() != of) {
      children.clear();
      sent.clear();
    }
  }

  private static byte[] merge(List<ShardUpdate> all) throws IOException {
    if (all.size() == 1) {
      return all.get(0).learner();
    }
    List<Learner> learners = new ArrayList<>(all.size());
    for (ShardUpdate update : all) {
      learners.add(LearnerFormat.read(update.learner()));
    }
    return Merging.learners(learners).toBytes();
  }
}
