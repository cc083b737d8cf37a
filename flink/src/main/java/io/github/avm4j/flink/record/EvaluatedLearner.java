// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import io.github.avm4j.learner.Learner;

/**
 * A learner with its prequential counts: the state of a stream or a key. Mutable; one thread.
 *
 * <p>Invariants: {@code 0 <= windowInstances <= instances}; the learner has learned from every
 * instance counted, and maybe from others before (a warm start).
 */
public final class EvaluatedLearner {
  private final Learner learner;
  private final Tally tally;

  /**
   * Starts with a learner and no counts.
   *
   * @param learner the learner
   */
  public EvaluatedLearner(Learner learner) {
    this(learner, new Tally());
  }

  EvaluatedLearner(Learner learner, Tally tally) {
    this.learner = learner;
    this.tally = tally;
  }

  /**
   * Predicts, then learns.
   *
   * @param example the example
   * @return the prediction, NaN while nothing has been learned
   * @throws IllegalArgumentException if the learner does not accept the example; nothing changed
   */
  public double step(Example example) {
    double prediction = learner.predictThenLearn(example.x(), example.y(), example.weight());
    tally.add(learner.task(), prediction, example.y());
    return prediction;
  }

  /**
   * Predicts, then learns; the prediction as a record.
   *
   * @param example the example
   * @param level coverage of an interval or prediction set; 0 for none
   * @return the prediction, with what was known before the example was learned from
   * @throws IllegalArgumentException if the learner does not accept the example; nothing changed
   */
  public Prediction step(Example example, double level) {
    long version = learner.instances();
    if (level == 0) {
      return Prediction.of(example, step(example), version, null);
    }
    PredictionRange range = new PredictionRange(learner, level);
    double y = example.y();
    double value = learner.predictThenLearn(example.x(), y, example.weight(), range.scores());
    tally.add(learner.task(), value, y);
    return Prediction.of(example, value, version, range.around(value));
  }

  /**
   * {@return the score of the window that ends here; the next one begins}
   *
   * @param time milliseconds since 1970
   */
  public WindowScore closeWindow(long time) {
    return tally.closeWindow(WindowScore.ALL, learner.size(), time);
  }

  /** The counts; callers must not modify them. */
  Tally tally() {
    return tally;
  }

  /** {@return the learner} */
  public Learner learner() {
    return learner;
  }

  /** {@return the number of instances predicted and learned from} */
  public long instances() {
    return tally.instances();
  }

  /** {@return the number of mistakes, or the sum of squared errors} */
  public double loss() {
    return tally.loss();
  }

  /** {@return the number of instances in the open window} */
  public long windowInstances() {
    return tally.windowInstances();
  }
}
