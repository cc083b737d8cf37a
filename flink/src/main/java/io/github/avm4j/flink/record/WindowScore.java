// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

/**
 * Prequential error over consecutive instances: each was answered before it was learned from.
 *
 * @param shard which shard, −1 for all together
 * @param instances answered and learned from since the beginning
 * @param loss sum over all of them: mistakes, or squared errors
 * @param windowInstances in this window
 * @param windowLoss in this window
 * @param size core points now
 * @param time of the latest instance
 */
public record WindowScore(
    int shard,
    long instances,
    double loss,
    long windowInstances,
    double windowLoss,
    int size,
    long time) {

  /** {@link #shard} of all together. */
  public static final int ALL = -1;
}
