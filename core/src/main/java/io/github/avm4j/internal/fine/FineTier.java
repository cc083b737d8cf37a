// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.fine;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.contest.Contest;
import io.github.avm4j.internal.coreset.CoreDistances;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.expansion.Columns;
import io.github.avm4j.internal.expansion.Labels;
import io.github.avm4j.internal.secondorder.LossStep;
import io.github.avm4j.internal.secondorder.ResidualScale;
import io.github.avm4j.internal.secondorder.SecondOrderEngine;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.model.Decision;
import io.github.avm4j.model.Model;
import org.jspecify.annotations.Nullable;

/**
 * Thousands of fine points that correct the second-order learner near by: f = f₁ + Σ v_i·exp(−γ₂‖x
 * − c_i‖²), v learned on what f₁ leaves, at O(S·d) an instance. Where the target has more detail
 * than some hundred core points express (covtype, poker), this is where accuracy is to be had;
 * elsewhere it gives up.
 *
 * <ol>
 *   <li>It gathers instances that surprise the learner and are not near one it has, until it is
 *       full; γ₂ is then 1/(mean squared distance of such instances to the nearest fine point), so
 *       that the kernels just reach each other.
 *   <li>It learns beside the learner, which does not know of it.
 *   <li>It answers, added to the learner, as long as that is better on recent instances: fewer
 *       mistakes, or less loss for numbers. If it is worse early or not better in time it is over
 *       and its room is free.
 * </ol>
 */
public final class FineTier {
  /** Fewer points are not worth the trouble. */
  private static final int FEWEST = 16;

  /** Most numbers in dense points together. */
  private static final int MOST_NUMBERS = 1 << 18;

  /** Variance of a coefficient before it has learned, in units of the loss. */
  public static final double PRIOR = 0.25;

  /** Instances that means are taken over. */
  private static final int WINDOW = 5000;

  private static final int NEAR_WINDOW = 1000;

  /** A verdict every so many instances; none before {@link #FIRST}. */
  private static final int STRIDE = 100;

  private static final int FIRST = 1000;

  /** Instances in which it must have gathered its points, and then proved itself, or again. */
  private static final int PATIENCE = 40_000;

  /** To begin to answer takes so many standard errors, to be over so many the other way. */
  private static final double PROOF = 2;

  private static final double DISPROOF = 2;

  private static final int ALONE = 0;
  private static final int CORRECTED = 1;

  /** Forgetting is done for this many steps at once. */
  private static final int FORGETTING_STRIDE = 100;

  public final int most;
  public @Nullable CoreSet set;
  public @Nullable Diagonal solver;
  public boolean over;
  public double near;
  public long considered;
  public long gathered;
  public long lastLed;
  public long learned;

  /** The leader alone is entrant {@link #ALONE}, with fine points {@link #CORRECTED}. */
  public Contest contest = new Contest(2, WINDOW);

  public final ResidualScale residuals = new ResidualScale();

  private CoreDistances distances = new CoreDistances();
  private @Nullable LossStep asked;
  private @Nullable Gaussian kernel;
  private double[] coarse = new double[1];
  private double[] both = new double[1];
  private final double[] losses = new double[2];

  /** No fine point yet, and never more than {@code most}. */
  public FineTier(int most) {
    this.most = most;
    this.over = most == 0;
  }

  /** One that never gathers: for shards, whose fine points a merge would drop. */
  public static FineTier never(int most) {
    FineTier tier = new FineTier(most);
    tier.over = true;
    return tier;
  }

  /** An equal one for an equal leader. */
  public FineTier copy(SecondOrderEngine leader) {
    FineTier copy = new FineTier(most);
    copy.over = over;
    copy.near = near;
    copy.considered = considered;
    copy.gathered = gathered;
    copy.lastLed = lastLed;
    copy.learned = learned;
    copy.contest = contest.copy();
    copy.residuals.level = residuals.level;
    copy.set = set == null ? null : set.copy();
    if (solver != null) {
      copy.solver = solver.copy();
      copy.use(gamma(), leader);
    }
    return copy;
  }

  /** Whether the fine points take part in predictions. */
  public boolean leads() {
    return contest.incumbent() == CORRECTED;
  }

  /** Number of fine points that answer. */
  public int answering() {
    return leads() ? points().size() : 0;
  }

  public boolean learns() {
    return solver != null;
  }

  public CoreSet points() {
    if (set == null) {
      throw new IllegalStateException("there are no fine points yet");
    }
    return set;
  }

  private Diagonal solver() {
    if (solver == null) {
      throw new IllegalStateException("fine points are still gathered");
    }
    return solver;
  }

  /** Takes x, which surprised the leader, for a fine point unless there is one near. */
  public void gather(FeatureVector x, SecondOrderEngine leader, long memory) {
    CoreSet points = set == null ? leader.emptySet() : set;
    distances.measure(points, x);
    double nearest = distances.nearestSquared();
    considered++;
    if (nearest > 0 && nearest < Double.POSITIVE_INFINITY) {
      gathered++;
      near += (nearest - near) * Math.max(1.0 / gathered, 1.0 / NEAR_WINDOW);
    }
    boolean full = memory > 0 && bytesWith(points, x, leader.columns()) > memory;
    if (!full && nearest > 0 && nearest >= near / 2) {
      points = points.roomFor(x);
      points.append(x, true);
      set = points;
    }
    if (points.size() >= limit(points)
        || considered >= PATIENCE
        || (full && gathered >= NEAR_WINDOW)) {
      begin(leader, memory);
    }
  }

  /** Dense points of many features are fewer: every answer measures the distance to all of them. */
  private int limit(CoreSet points) {
    return points.isOpenEnded()
        ? most
        : Math.min(most, Math.max(FEWEST, MOST_NUMBERS / points.dimension()));
  }

  /** Ends the gathering. */
  private void begin(SecondOrderEngine leader, long memory) {
    double gamma = 1 / near;
    boolean usable = isUsable(gamma, leader) && set != null && set.size() >= FEWEST;
    if (usable) {
      solver = solver(points().size(), leader);
      use(gamma, leader);
    }
    if (!usable || (memory > 0 && bytes() > memory)) {
      end();
    }
  }

  /** Whether γ₂ and its ratio to the leader's γ are numbers to compute with. */
  public static boolean isUsable(double gamma, SecondOrderEngine leader) {
    double stretch = gamma / leader.config().kernel().gamma();
    return gamma > 0
        && gamma < Double.POSITIVE_INFINITY
        && stretch > 0
        && stretch < Double.POSITIVE_INFINITY;
  }

  /** A solver that knows nothing. */
  public static Diagonal solver(int size, SecondOrderEngine leader) {
    return new Diagonal(size, leader.columns(), PRIOR);
  }

  /** Goes on with γ₂ and the columns of the leader. */
  public void use(double gamma, SecondOrderEngine leader) {
    kernel = new Gaussian(gamma);
    asked = new LossStep(leader.config().loss());
    setColumns(leader.columns());
  }

  private void setColumns(int columns) {
    if (columns != solver().columns()) {
      solver().setColumns(columns);
    }
    if (asked != null) {
      asked.setColumns(columns);
    }
    coarse = new double[columns];
    both = new double[columns];
  }

  public double gamma() {
    return kernel().gamma();
  }

  private Gaussian kernel() {
    if (kernel == null) {
      throw new IllegalStateException("fine points are still gathered");
    }
    return kernel;
  }

  private void end() {
    over = true;
    contest = new Contest(2, WINDOW);
    set = null;
    solver = null;
    kernel = null;
    asked = null;
    distances = new CoreDistances();
  }

  /**
   * The columns that answer for x.
   *
   * @param columns the leader's, which stay as they are
   */
  public double[] answer(FeatureVector x, double[] columns) {
    return leads() ? meet(x, columns) : columns;
  }

  /** The same for an instance that {@link #learn} is about to follow for. */
  public double[] meet(FeatureVector x, double[] columns) {
    Diagonal known = solver();
    distances.fill(points(), x, kernel());
    System.arraycopy(columns, 0, coarse, 0, coarse.length);
    for (int c = 0; c < both.length; c++) {
      both[c] = columns[c] + known.score(c, distances.kernel());
    }
    return leads() ? both : coarse;
  }

  /** Learns from the instance that {@link #meet} was for; the leader has not yet. */
  public void learn(SecondOrderEngine leader, double y, double weight) {
    LossStep step = asked;
    int label = leader.task() == Task.REGRESSION ? 0 : leader.labels.indexOf(y);
    if (step == null || label == Labels.UNKNOWN) {
      return;
    }
    compare(leader, step, y, label);
    boolean numbers = leader.task() == Task.REGRESSION;
    double surprise = numbers ? surprise(step, y) : step.meetLabel(both, both.length, label);
    if (leader.config().skip() > 0 && surprise <= leader.config().skip()) {
      return;
    }
    Diagonal known = solver();
    double s = known.spread(distances.kernel());
    if (s == 0) {
      return;
    }
    learned++;
    if (numbers) {
      step.pullNumber(weight, s);
    } else {
      step.pullLabel(both, both.length, label, weight, s);
    }
    known.step(step.gradients, step.curvature * weight);
    double forgetting = leader.config().forgetting();
    if (forgetting < 1 && learned % FORGETTING_STRIDE == 0) {
      known.forget(Math.pow(forgetting, FORGETTING_STRIDE));
    }
  }

  private double surprise(LossStep step, double y) {
    residuals.observe(Math.abs(both[0] - y));
    return step.meetNumber(both[0], y, residuals.deviation());
  }

  private void compare(SecondOrderEngine leader, LossStep step, double y, int label) {
    if (leader.task() == Task.REGRESSION) {
      step.meetNumber(coarse[0], y, 1);
      losses[ALONE] = step.value;
      step.meetNumber(both[0], y, 1);
      losses[CORRECTED] = step.value;
    } else {
      losses[ALONE] = mistake(leader, coarse, label);
      losses[CORRECTED] = mistake(leader, both, label);
    }
    contest.observe(losses);
  }

  private static int mistake(SecondOrderEngine leader, double[] columns, int label) {
    double answer = Decision.answer(leader, columns, columns.length);
    return answer == leader.label(label) ? 0 : 1;
  }

  /**
   * The leader has learned from the instance, too: takes in new classes, and decides at times
   * whether fine points take part in predictions.
   */
  public void judge(SecondOrderEngine leader, long memory) {
    if (leader.columns() != solver().columns()) {
      setColumns(leader.columns());
    }
    if (memory > 0 && bytes() > memory) {
      end();
      return;
    }
    long seen = contest.seen();
    if (seen < FIRST || seen % STRIDE != 0) {
      return;
    }
    contest.lead(contest.best(leads() ? 0 : PROOF, 0));
    lastLed = leads() ? seen : lastLed;
    boolean worse = seen >= 2 * WINDOW && contest.isWorse(CORRECTED, DISPROOF);
    if (!leads() && (worse || seen - lastLed >= PATIENCE)) {
      end();
    }
  }

  /** Whether core points and fine points are stored in one way, as a model needs. */
  public boolean storesLike(SecondOrderEngine leader) {
    return leader.set.storesPostings() == points().storesPostings();
  }

  /** Stores fine points as an inverted index. */
  public void storePostings() {
    set = points().asPostings();
  }

  /** The leader's model with the fine points that answer. */
  public Model with(Model model, SecondOrderEngine leader) {
    if (!leads()) {
      return model;
    }
    Diagonal known = solver();
    double[][] weights = new double[known.columns()][];
    for (int c = 0; c < weights.length; c++) {
      weights[c] = known.weights(c).clone();
    }
    return model.withFine(points(), weights, gamma() / leader.config().kernel().gamma());
  }

  private static long bytesWith(CoreSet points, FeatureVector x, int columns) {
    int size = points.size() + 1;
    return points.bytesWith(x) + Diagonal.bytes(size, columns) + scratch(size, columns);
  }

  private static long scratch(int size, int columns) {
    return 16L * (size + size / 2 + 64) + 40L * (columns + 8);
  }

  /** Bytes of heap it holds, at most. */
  public long bytes() {
    if (set == null) {
      return 0;
    }
    int columns = solver == null ? 0 : solver.columns();
    long learning = solver == null ? 0 : Diagonal.bytes(set.size(), columns);
    return set.bytes() + scratch(set.size(), columns) + learning;
  }

  /** Bytes of its part of a file after x was learned from, at most. */
  public long savedBytesWith(FeatureVector x, int classes) {
    if (set == null) {
      return 0;
    }
    long columns = Columns.count(classes + 1);
    return set.savedBytesWith(x) + 8L * (set.size() + 1) * (columns + 1);
  }
}
