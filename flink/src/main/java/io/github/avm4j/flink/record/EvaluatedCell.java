// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import io.github.avm4j.Avm;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.CellLearner;
import io.github.avm4j.learner.CellPlan;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The learner of a cell with its prequential counts: the keyed state of a cell. Mutable; one
 * thread.
 *
 * <p>A learner is read with its plan, which the state does not repeat: what comes from a state
 * backend holds the learner's file until {@link #learner(CellPlan)} is first asked.
 */
public final class EvaluatedCell {
  private static final byte[] NONE = {};

  private byte @Nullable [] file;
  private @Nullable CellLearner learner;
  private final Tally tally;
  private long published;

  /**
   * Starts with a learner and no counts.
   *
   * @param learner the learner, which may have begun with rows of the plan
   */
  public EvaluatedCell(CellLearner learner) {
    this(learner, new Tally(), 0);
  }

  private EvaluatedCell(CellLearner learner, Tally tally, long published) {
    this.learner = learner;
    this.tally = tally;
    this.published = published;
  }

  EvaluatedCell(byte[] file, Tally tally, long published) {
    this.file = file;
    this.tally = tally;
    this.published = published;
  }

  /** The counts; callers must not modify them. */
  Tally tally() {
    return tally;
  }

  /** The learner's file. */
  byte[] file() {
    byte[] unread = file;
    if (unread != null) {
      return unread;
    }
    return learner == null ? NONE : learner.toBytes();
  }

  /**
   * {@return the learner}
   *
   * @param plan the plan that it was made with
   * @throws InvalidModelException if the state holds no learner of this plan
   */
  public CellLearner learner(CellPlan plan) throws InvalidModelException {
    CellLearner present = learner;
    if (present == null) {
      present = CellLearner.fromBytes(file(), plan);
      learner = present;
      file = null;
    }
    return present;
  }

  /**
   * Predicts, then learns.
   *
   * @param example the example
   * @param plan the plan
   * @return the prediction
   * @throws InvalidModelException if the state holds no learner of this plan
   * @throws IllegalArgumentException if the learner does not accept the example; nothing changed
   */
  public double step(Example example, CellPlan plan) throws InvalidModelException {
    double y = example.y();
    double prediction = learner(plan).predictThenLearn(example.x(), y, example.weight());
    tally.add(plan.outer().task(), prediction, y);
    return prediction;
  }

  /**
   * Predicts, then learns; the prediction as a record. An interval or prediction set costs a second
   * prediction.
   *
   * @param example the example
   * @param plan the plan
   * @param level coverage of an interval or prediction set; 0 for none
   * @return the prediction, with what was known before the example was learned from
   * @throws InvalidModelException if the state holds no learner of this plan
   * @throws IllegalArgumentException if the learner does not accept the example; nothing changed
   */
  public Prediction step(Example example, CellPlan plan, double level)
      throws InvalidModelException {
    long version = instances();
    List<Double> range = level == 0 ? null : range(learner(plan), example.x(), plan, level);
    return Prediction.of(example, step(example, plan), version, range);
  }

  private static @Nullable List<Double> range(
      CellLearner cell, FeatureVector x, CellPlan plan, double level) {
    if (!cell.calibration().levels().contains(level)) {
      return null;
    }
    return plan.outer().task() == Task.REGRESSION
        ? PredictionRange.ends(cell.interval(x, level))
        : Arrays.stream(cell.predictionSet(x, level)).boxed().toList();
  }

  /**
   * {@return the score of the window that ends here; the next one begins}
   *
   * @param cell the cell
   * @param time milliseconds since 1970
   * @param plan the plan
   * @throws InvalidModelException if the state holds no learner of this plan
   */
  public WindowScore closeWindow(int cell, long time, CellPlan plan) throws InvalidModelException {
    return tally.closeWindow(cell, learner(plan).size(), time);
  }

  /**
   * {@return what is to be published; until it changes, nothing is}
   *
   * @param cell the cell
   * @param plan the plan
   * @throws InvalidModelException if the state holds no learner of this plan
   */
  public CellUpdate publish(int cell, CellPlan plan) throws InvalidModelException {
    Model model = learner(plan).model();
    published = tally.instances();
    return new CellUpdate(cell, published, model == null ? NONE : Avm.toBytes(model));
  }

  /** {@return the number of instances predicted and learned from, those of the plan not counted} */
  public long instances() {
    return tally.instances();
  }

  /** {@return the number of instances in the open window} */
  public long windowInstances() {
    return tally.windowInstances();
  }

  /** {@return the number of instances when it was last published} */
  public long published() {
    return published;
  }
}
