// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.auto.AutoEngine;
import io.github.avm4j.internal.auto.CellEngine;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.model.Calibration;
import io.github.avm4j.model.Interval;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import org.jspecify.annotations.Nullable;

/**
 * The learner of one cell of a {@link CellPlan}: a self-configuring learner of at most 256 core
 * points, the cell's <em>expert</em>, beside the plan's model, which is frozen. Whichever made the
 * smaller loss on recent instances of the cell predicts; the expert learns from all of them. After
 * an abrupt change the other one takes over sooner: of a classifier once it was right on 17 recent
 * instances where the one that predicts was wrong.
 *
 * <p>What it does depends on the instances of its cell in their order and on nothing else: not on
 * other cells, nor on where and when it runs. For one thread at a time.
 */
public final class CellLearner {
  private static final double[] NO_SCORES = {};

  private final CellPlan plan;
  private final CellEngine cell;
  private final AutoEngine expert;

  /**
   * A learner that has seen nothing.
   *
   * @param plan the plan
   * @param settings of a learner of the whole space; the task must be the plan's
   * @throws IllegalArgumentException if the task is another
   */
  public CellLearner(CellPlan plan, AutoConfig settings) {
    this(plan, new CellEngine(settings));
    if (settings.task() != plan.outer().task()) {
      throw new IllegalArgumentException(
          "the plan is for " + plan.outer().task() + ", the settings for " + settings.task());
    }
  }

  private CellLearner(CellPlan plan, CellEngine cell) {
    this.plan = plan;
    this.cell = cell;
    this.expert = cell.expert();
  }

  /**
   * The learner in the bytes of {@link #toBytes}; it continues as if it had never stopped, bit for
   * bit on the same platform and SIMD provider.
   *
   * @param file bytes of a saved file
   * @param plan the plan that it was made with
   * @return the learner
   * @throws InvalidModelException if the bytes are not those of a cell's learner, or of another
   *     task, other features or other classes than the plan's
   */
  public static CellLearner fromBytes(byte[] file, CellPlan plan) throws InvalidModelException {
    CellLearner learner = new CellLearner(plan, CellEngine.read(file));
    boolean fits = learner.expert.task() == plan.outer().task();
    for (int j = 0; fits && j < learner.expert.classes(); j++) {
      fits = plan.knows(learner.expert.label(j));
    }
    if (!fits) {
      throw new InvalidModelException("the learner of a cell is not of this plan");
    }
    return learner;
  }

  /**
   * Learns from an instance that the plan was made of. The frozen model knows it, so it is no
   * evidence of who predicts better.
   *
   * @param x features of the instance; read during the call and not kept
   * @param y label of the instance, or its target for regression
   * @param weight weight of the instance, ≥ 0; 0 changes nothing
   * @throws IllegalArgumentException if x, y or weight is not acceptable; nothing was learned then
   */
  public void begin(FeatureVector x, double y, double weight) {
    check(x, y);
    expert.learn(plan.formed(x), y, weight);
  }

  /**
   * Predicts, then learns.
   *
   * @param x features of the instance; read during the call and not kept
   * @param y label of the instance, or its target for regression
   * @param weight weight of the instance, ≥ 0; 0 changes nothing
   * @return the prediction, made before learning
   * @throws IllegalArgumentException if x, y or weight is not acceptable; nothing was learned then
   */
  public double predictThenLearn(FeatureVector x, double y, double weight) {
    check(x, y);
    boolean leads = leads();
    boolean compares = weight > 0 && expert.instances() > 0;
    double outer = plan.outer().predict(x);
    double own = expert.predictThenLearn(plan.formed(x), y, weight, NO_SCORES);
    if (compares) {
      cell.judge(outer, own, y, weight);
    }
    return leads ? own : outer;
  }

  private void check(FeatureVector x, double y) {
    plan.checkShape(x);
    if (!plan.knows(y)) {
      throw new IllegalArgumentException(
          "label %s is none of the plan's classes; make the plan of rows that have all"
              .formatted(y));
    }
  }

  /**
   * {@return the prediction for x}
   *
   * @param x features of the instance
   */
  public double predict(FeatureVector x) {
    plan.checkShape(x);
    return leads() ? expert.predict(plan.formed(x)) : plan.outer().predict(x);
  }

  /**
   * {@return how far off predictions of the expert have been, if it predicts; else those of the
   * frozen model, whose thresholds stand still}
   */
  public Calibration calibration() {
    return leads() ? expert.calibration() : plan.outer().calibration();
  }

  /**
   * {@return the numbers that hold the target of {@code x} with a given coverage; see {@link
   * #calibration}}
   *
   * @param x features of the instance
   * @param level one of the levels that the learner was built with
   * @throws IllegalArgumentException if there is no such level, or x does not fit
   * @throws IllegalStateException if this is a classifier
   */
  public Interval interval(FeatureVector x, double level) {
    plan.checkShape(x);
    return leads()
        ? new AutoLearner(expert).interval(plan.formed(x), level)
        : plan.outer().interval(x, level);
  }

  /**
   * {@return the labels that hold that of {@code x} with a given coverage; see {@link
   * #calibration}}
   *
   * @param x features of the instance
   * @param level one of the levels that the learner was built with
   * @throws IllegalArgumentException if there is no such level, or x does not fit
   * @throws IllegalStateException if this is a regression
   */
  public double[] predictionSet(FeatureVector x, double level) {
    plan.checkShape(x);
    return leads()
        ? new AutoLearner(expert).predictionSet(plan.formed(x), level)
        : plan.outer().predictionSet(x, level);
  }

  /** {@return whether the expert predicts, and not the frozen model} */
  public boolean leads() {
    return cell.leads() && isFit();
  }

  /** A model of sparse rows has no part for dense ones, nor the other way round. */
  private boolean isFit() {
    CoreSet own = expert.leader().set();
    Model outer = plan.outer();
    return own.isOpenEnded() == outer.isOpenEnded()
        && (own.isOpenEnded() || own.dimension() == outer.dimension());
  }

  /**
   * {@return the model of the cell for {@link CellPlan#model(java.util.List, long)}; null while the
   * frozen one predicts}
   */
  public @Nullable Model model() {
    return leads() ? expert.snapshot() : null;
  }

  /** {@return the number of instances learned from, those of the plan included} */
  public long instances() {
    return expert.instances();
  }

  /** {@return the number of core points of the expert} */
  public int size() {
    return expert.size();
  }

  /** {@return all state but the plan, in the format of docs/format.md: a learner's file} */
  public byte[] toBytes() {
    return cell.toBytes();
  }

  @Override
  public String toString() {
    return "%s of a cell, %s: %,d instances, %,d core points"
        .formatted(
            expert.task() == Task.CLASSIFICATION ? "classifier" : "regressor",
            leads() ? "its expert predicts" : "the frozen model predicts",
            instances(),
            size());
  }
}
