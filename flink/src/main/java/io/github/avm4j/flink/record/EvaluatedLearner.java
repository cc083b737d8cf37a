// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import io.github.avm4j.feature.GrowingSchema;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.pipeline.RowLearner;
import io.github.avm4j.pipeline.RowModel;
import org.jspecify.annotations.Nullable;

/**
 * A learner with its prequential counts and the means that stand for missing cells: the state of a
 * stream or a key. Mutable; one thread.
 *
 * <p>Invariants: {@code 0 <= windowInstances <= instances}; the learner has learned from every
 * instance counted, and maybe from others before (a warm start).
 */
public final class EvaluatedLearner {
  private final Learner learner;
  private final Tally tally;
  private final double[] fills;
  private @Nullable GrowingSchema schema;

  /**
   * Starts with a learner and no counts.
   *
   * @param learner the learner
   */
  public EvaluatedLearner(Learner learner) {
    this(learner, new Tally(), new double[0]);
  }

  /**
   * Starts with a learner of rows and no counts.
   *
   * @param rows the learner, with the means it has learned
   */
  public EvaluatedLearner(RowLearner rows) {
    this(rows.learner(), new Tally(), rows.schema().fills());
  }

  /**
   * Goes on.
   *
   * @param fills means that stand for missing cells, as {@link Schema#fills()} gives them; empty
   *     for those of the schema
   */
  EvaluatedLearner(Learner learner, Tally tally, double[] fills) {
    this.learner = learner;
    this.tally = tally;
    this.fills = fills;
  }

  /**
   * {@return this learner, for rows of a schema: examples may lack numbers and dates}
   *
   * @param rows schema of the rows; it only counts the first time
   */
  public EvaluatedLearner on(Schema rows) {
    if (schema == null) {
      schema = new GrowingSchema(fills.length == 0 ? rows : rows.with(fills), learner::instances);
    }
    return this;
  }

  /**
   * {@return an example with means in place of what it lacks}
   *
   * @param example the example
   * @param learns whether it is to be learned from
   */
  public Example filled(Example example, boolean learns) {
    GrowingSchema growing = schema;
    return growing == null ? example : example.with(growing.filled(example.x(), learns));
  }

  /** The means that stand for missing cells. */
  double[] fills() {
    GrowingSchema growing = schema;
    return growing == null ? fills : growing.schema().fills();
  }

  /**
   * {@return the learner with the means, as a learner of rows}
   *
   * @param start names the target and the classes
   */
  public RowLearner rows(RowModel start) {
    GrowingSchema growing = schema;
    Schema now = growing == null ? start.schema() : growing.schema();
    RowLearner rows = new RowLearner(now, start.target(), learner);
    start.classNames().forEach(rows.names()::add);
    return rows;
  }

  /**
   * Predicts, then learns.
   *
   * @param example the example
   * @return the prediction, NaN while nothing has been learned
   * @throws IllegalArgumentException if the learner does not accept the example; nothing changed
   */
  public double step(Example example) {
    return stepFilled(filled(example, true));
  }

  private double stepFilled(Example example) {
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
    Example whole = filled(example, true);
    if (level == 0) {
      return Prediction.of(example, stepFilled(whole), version, null);
    }
    PredictionRange range = new PredictionRange(learner, level);
    double y = example.y();
    double value = learner.predictThenLearn(whole.x(), y, example.weight(), range.scores());
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
