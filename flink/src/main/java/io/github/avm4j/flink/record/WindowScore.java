// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

/**
 * Prequential error over consecutive instances: each was predicted before it was learned from.
 *
 * @param cell number of the cell; {@link #ALL} for a learner of all
 * @param instances number of instances predicted and learned from since the beginning
 * @param loss sum over all of them: mistakes, or squared errors
 * @param windowInstances instances in this window
 * @param windowLoss sum of the losses in this window
 * @param size number of core points at its end
 * @param time event time of the latest instance
 */
public record WindowScore(
    int cell,
    long instances,
    double loss,
    long windowInstances,
    double windowLoss,
    int size,
    long time) {

  /** Value of {@link #cell} for a score of the whole stream. */
  public static final int ALL = -1;
}
