// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

/**
 * A learner on its way up the merge tree. The bytes are not to be written to.
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

  /**
   * Shard {@code shard} of {@code of}.
   *
   * @param instances learned from
   * @param last whether none will follow: the input has ended
   * @param learner in the format of docs/format.md
   */
  public ShardUpdate(int shard, int of, long instances, boolean last, byte[] learner) {
    if (shard < 0 || shard >= of) {
      throw new IllegalArgumentException("shard must be in 0.." + (of - 1) + ", was " + shard);
    }
    this.shard = shard;
    this.of = of;
    this.instances = instances;
    this.last = last;
    this.learner = learner;
  }

  /** Which shard, or node of the tree. */
  public int shard() {
    return shard;
  }

  /** How many there are on this level. */
  public int of() {
    return of;
  }

  /** Instances learned from. */
  public long instances() {
    return instances;
  }

  /** Whether the input has ended. */
  public boolean isLast() {
    return last;
  }

  /** The learner's bytes. */
  public byte[] learner() {
    return learner;
  }
}
