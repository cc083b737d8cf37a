// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import io.github.avm4j.config.Task;
import io.github.avm4j.learner.Learner;

/**
 * A learner with its prequential record: what is kept for a shard or a key. Mutable; one thread.
 *
 * <p>Invariants: {@code 0 <= windowInstances <= instances}; the learner has learned from every
 * instance counted, and maybe from others before (a warm start).
 */
public final class Pupil {
  private final Learner learner;
  private long instances;
  private double loss;
  private long windowInstances;
  private double windowLoss;

  /**
   * A pupil that has answered nothing yet.
   *
   * @param learner the learner
   */
  public Pupil(Learner learner) {
    this.learner = learner;
  }

  Pupil(Learner learner, long instances, double loss, long windowInstances, double windowLoss) {
    this.learner = learner;
    this.instances = instances;
    this.loss = loss;
    this.windowInstances = windowInstances;
    this.windowLoss = windowLoss;
  }

  /**
   * Answers, then learns.
   *
   * @param example the example
   * @return the answer, NaN while nothing has been learned
   * @throws IllegalArgumentException if the learner does not accept the example; nothing changed
   */
  public double step(Example example) {
    double answer = learner.predictThenLearn(example.x(), example.y(), example.weight());
    double error = error(answer, example.y());
    instances++;
    windowInstances++;
    loss += error;
    windowLoss += error;
    return answer;
  }

  /** 1 for a wrong class, the squared error for a number; no answer counts as 0 said. */
  private double error(double answer, double y) {
    if (learner.task() == Task.CLASSIFICATION) {
      return answer == y ? 0 : 1;
    }
    double difference = (Double.isNaN(answer) ? 0 : answer) - y;
    return difference * difference;
  }

  /**
   * {@return the score of the window that ends here; the next one begins}
   *
   * @param shard number of the shard, from 0
   * @param time milliseconds since 1970
   */
  public WindowScore closeWindow(int shard, long time) {
    WindowScore score =
        new WindowScore(shard, instances, loss, windowInstances, windowLoss, learner.size(), time);
    windowInstances = 0;
    windowLoss = 0;
    return score;
  }

  /**
   * Takes another's counts; its learner must have been merged into this one.
   *
   * @param other the other
   */
  public void addCounts(Pupil other) {
    instances += other.instances;
    loss += other.loss;
    windowInstances += other.windowInstances;
    windowLoss += other.windowLoss;
  }

  /** {@return the learner} */
  public Learner learner() {
    return learner;
  }

  /** {@return the number of instances predicted and learned from} */
  public long instances() {
    return instances;
  }

  /** {@return the number of mistakes, or the sum of squared errors} */
  public double loss() {
    return loss;
  }

  /** {@return the number of instances in the open window} */
  public long windowInstances() {
    return windowInstances;
  }

  /** {@return the loss in the open window} */
  public double windowLoss() {
    return windowLoss;
  }
}
