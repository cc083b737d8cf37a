// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

/**
 * The learner of a shard, sent up the merge tree. Callers must not modify the arrays.
 *
 * <p>{@code of} names the generation too: after rescaling, updates of another parallelism are void,
 * for their instances have moved into other shards.
 */
public final class ShardUpdate {
  private final int shard;
  private final int of;
  private final long instances;
  private final boolean last;
  private final byte[] learner;
  private final byte[] start;

  /**
   * Shard {@code shard} of {@code of}.
   *
   * @param shard number of the shard, from 0
   * @param of number of shards
   * @param instances learned from that no other shard counts
   * @param last whether none will follow: the input has ended
   * @param learner in the format of docs/format.md
   * @param start the learner that all shards began as, in the first update of a shard that did;
   *     else empty
   */
  public ShardUpdate(
      int shard, int of, long instances, boolean last, byte[] learner, byte[] start) {
    if (shard < 0 || shard >= of) {
      throw new IllegalArgumentException("shard must be in 0.." + (of - 1) + ", was " + shard);
    }
    this.shard = shard;
    this.of = of;
    this.instances = instances;
    this.last = last;
    this.learner = learner;
    this.start = start;
  }

  /** {@return the number of the shard, or node of the tree} */
  public int shard() {
    return shard;
  }

  /** {@return the number of shards or nodes on this level} */
  public int of() {
    return of;
  }

  /** {@return the number of instances learned from that no other shard counts} */
  public long instances() {
    return instances;
  }

  /** {@return whether the input has ended} */
  public boolean isLast() {
    return last;
  }

  /** {@return the learner's bytes} */
  public byte[] learner() {
    return learner;
  }

  /**
   * {@return the bytes of the learner that all shards began as; empty if there is none or it is
   * known}
   */
  public byte[] start() {
    return start;
  }
}
