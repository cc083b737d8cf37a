// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.auto.AutoEngine;
import io.github.avm4j.internal.auto.Experts;
import io.github.avm4j.internal.auto.Renewal;
import io.github.avm4j.internal.cells.Cell;
import io.github.avm4j.internal.contest.Contest;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.format.LearnerFormat;
import io.github.avm4j.model.Calibration;
import io.github.avm4j.model.Interval;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import org.jspecify.annotations.Nullable;

/**
 * The learner of one cell of a {@link CellPlan}: a self-configuring learner of at most 256 core
 * points, the cell's <em>expert</em>, beside the plan's model, which is frozen. Whichever made the
 * smaller loss on recent instances of the cell predicts; the expert learns from all of them. If the
 * other one alone is right on five instances in a row, it predicts from then on.
 *
 * <p>What it does depends on the instances of its cell in their order and on nothing else: not on
 * other cells, nor on where and when it runs. For one thread at a time.
 */
public final class CellLearner {
  private static final double[] NO_SCORES = {};

  /** Instances that the quick contest is over, and the standard errors that decide it. */
  private static final int QUICK = 10;

  private static final double QUICK_ERRORS = 2.2;

  private final CellPlan plan;
  private final AutoEngine expert;
  private final Contest contest;
  private final Contest quick;
  private final double[] losses = new double[2];

  /**
   * A learner that has seen nothing.
   *
   * @param plan the plan
   * @param settings of a learner of the whole space; the task must be the plan's
   * @throws IllegalArgumentException if the task is another
   */
  public CellLearner(CellPlan plan, AutoConfig settings) {
    this(plan, Experts.alone(settings), Cell.contest(), quick());
    if (settings.task() != plan.outer().task()) {
      throw new IllegalArgumentException(
          "the plan is for " + plan.outer().task() + ", the settings for " + settings.task());
    }
  }

  private CellLearner(CellPlan plan, AutoEngine expert, Contest contest, Contest quick) {
    this.plan = plan;
    this.expert = expert;
    this.contest = contest;
    this.quick = quick;
  }

  private static Contest quick() {
    return new Contest(2, QUICK);
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
    Contest contest = Cell.contest();
    Contest quick = quick();
    AutoEngine expert = LearnerFormat.read(file, contest, quick);
    CellLearner learner = new CellLearner(plan, expert, contest, quick);
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
   * Learns from an instance that the plan was made of. The frozen model knows it, so it says
   * nothing about who predicts better.
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
      losses[0] = weight * Cell.loss(task(), outer, y);
      losses[1] = weight * Cell.loss(task(), own, y);
      contest.observe(losses);
      Cell.judge(contest);
      judgeQuickly();
    }
    return leads ? own : outer;
  }

  /**
   * Lets the other one lead at once if it alone has been right on the last instances, as after an
   * abrupt change: evidence for who leads is forgotten at once, so it takes few of the other kind.
   * While a challenger is about to take the expert's place, the frozen model has to beat that.
   */
  private void judgeQuickly() {
    int leader = contest.incumbent();
    int other = 1 - leader;
    @Nullable Renewal renewal = Cell.isLedByOwn(contest) ? null : expert.renewal;
    boolean challenged = renewal != null && renewal.challenger != null;
    if (renewal != null) {
      losses[1] = renewal.successorLoss();
    }
    boolean another = renewal != null && challenged && renewal.age == 1;
    if (quick.incumbent() != leader || quick.gain(other) <= 0 || another) {
      quick.lead(leader);
      quick.restart();
    }
    quick.observe(losses);
    if (!challenged && quick.best(QUICK_ERRORS, 0) == other) {
      contest.lead(other);
      contest.restart();
    }
  }

  private void check(FeatureVector x, double y) {
    plan.checkShape(x);
    if (!plan.knows(y)) {
      throw new IllegalArgumentException("label " + y + " is none of the plan's classes");
    }
  }

  private Task task() {
    return expert.task();
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
    return Cell.isLedByOwn(contest) && isFit();
  }

  /** A model of sparse rows has no part for dense ones, nor the other way round. */
  private boolean isFit() {
    CoreSet own = expert.leader().set;
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
    return LearnerFormat.write(expert, contest, quick);
  }
}
