// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.flink.record.ShardUpdate;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.Learner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Merges learners on one level of the merge tree, keyed by {@link #node}: each node stores the
 * newest learner of every child and sends their merge to its parent, by the schedule.
 *
 * <p>Invariants: 1. nothing is sent before every child has been heard, so no instance is missing;
 * 2. updates of another parallelism than the newest are forgotten, so none counts twice; 3. a
 * schedule of instances sends when their sum passes a multiple of its share, wherever it began.
 *
 * <p>Nothing is checkpointed: after a restart every shard is heard anew, and the tree may have
 * another shape. Cost: one merge per node and round; its children's learners in memory.
 */
public final class MergeShards extends ProcessFunction<ShardUpdate, ShardUpdate> {
  private static final long serialVersionUID = 1;
  private static final byte[] NONE = {};

  private final int fanIn;
  private final Schedule schedule;

  private transient Map<Integer, Node> nodes = Map.of();

  /**
   * The children heard so far, the start they share, whether it was sent to the parent, and the
   * instances that were last sent (or first complete).
   */
  private static final class Node {
    final Map<Integer, ShardUpdate> children = new HashMap<>();
    byte[] start = {};
    boolean startSent;
    long sent = -1;
  }

  /**
   * Creates the nodes of one level.
   *
   * @param fanIn most children of a node, ≥ 2
   * @param schedule when to merge and publish
   */
  public MergeShards(int fanIn, Schedule schedule) {
    if (fanIn < 2) {
      throw new IllegalArgumentException("fanIn must be >= 2, was " + fanIn);
    }
    this.fanIn = fanIn;
    this.schedule = schedule;
  }

  /**
   * {@return the node above {@code update}: the key}
   *
   * @param update learner of a shard or of a node below
   */
  public int node(ShardUpdate update) {
    return update.shard() / fanIn;
  }

  @Override
  public void open(OpenContext context) {
    nodes = new HashMap<>();
  }

  @Override
  public void processElement(ShardUpdate update, Context context, Collector<ShardUpdate> out)
      throws IOException {
    int index = node(update);
    Node node = nodes.computeIfAbsent(index, i -> new Node());
    node.children.values().removeIf(child -> child.of() != update.of());
    node.children.put(update.shard(), update);
    if (update.start().length > 0) {
      node.start = update.start();
    }
    int count = Math.min(fanIn, update.of() - index * fanIn);
    if (node.children.size() < count) {
      return;
    }
    List<ShardUpdate> all = new ArrayList<>(new TreeMap<>(node.children).values());
    long instances = all.stream().mapToLong(ShardUpdate::instances).sum();
    boolean last = all.stream().allMatch(ShardUpdate::isLast);
    int siblings = (update.of() + fanIn - 1) / fanIn;
    boolean first = node.sent < 0;
    // A parent must hear of every child at first; the root waits for what is due.
    if (last || (first ? siblings > 1 : isDue(node.sent, instances, count, update))) {
      byte[] merged = merge(all, node.start);
      byte[] start = node.startSent || siblings == 1 ? NONE : node.start;
      out.collect(new ShardUpdate(index, siblings, instances, last, merged, start));
      node.startSent = true;
      node.sent = instances;
    } else if (first) {
      node.sent = instances;
    }
  }

  /** By time every word of the last child ends a round; by instances their sum decides. */
  private boolean isDue(long sent, long instances, int count, ShardUpdate update) {
    if (schedule.instances() == 0) {
      return update.shard() % fanIn == count - 1;
    }
    long share = schedule.share(count, update.of());
    return instances / share > sent / share;
  }

  private static byte[] merge(List<ShardUpdate> all, byte[] startFile) throws IOException {
    if (all.size() == 1) {
      return all.get(0).learner();
    }
    AutoLearner start = startFile.length == 0 ? null : (AutoLearner) Learner.fromBytes(startFile);
    List<Learner> learners = new ArrayList<>(all.size());
    for (ShardUpdate update : all) {
      learners.add(Learner.fromBytes(update.learner()));
    }
    return Merging.merge(start, learners).toBytes();
  }
}
