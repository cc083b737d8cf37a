// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.newton;

import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.coreset.CoreDistances;
import java.util.Arrays;

/**
 * The second-order learner: instead of snapping an instance to its nearest core point it projects
 * it onto the span of all of them, which is never farther, and takes a Newton step instead of a
 * gradient step, which needs no learning rate. Instances the model already knows are skipped.
 *
 * <p>Two classes use the logistic loss of the margin. More classes use the softmax of one score per
 * class; all share one matrix. Both take a proximal step ({@link Proximal}). Regression uses its
 * loss with the curvature of the tangent parabola.
 *
 * <p>A prediction costs one distance pass; a step that learns costs O(S²) more. The engine is
 * bounded by the budget and, if set, by bytes. When they are used up, instances are absorbed by
 * projection, and a core point is replaced by a better one once there is evidence for it, or, where
 * the learner forgets, the oldest by each instance ({@link Exchange}). A new class takes room from
 * the core points; one that would leave fewer than eight is refused.
 */
public final class SecondOrderEngine extends ExpansionEngine {
  /** Far beyond the largest target, far below overflow. */
  private static final double LARGEST_SCORE = 1e120;

  /** Forgetting is done for this many steps at once: one pass over the matrices in so many. */
  private static final int FORGETTING_STRIDE = 10;

  private final SecondOrderConfig config;
  private final LossStep asked;

  public final SecondOrder solver;
  public final Exchange exchange;
  CertificateState certificate = new CertificateState();
  long learned;
  private long instances;
  public final ResidualScale residuals = new ResidualScale();
  public final ResidualScale targets = new ResidualScale();

  private double[] met = new double[1];
  private boolean skipped;

  /** A learner that has seen nothing. */
  public SecondOrderEngine(SecondOrderConfig config) {
    this(config, new Labels());
    int classes = config.labels().size();
    long least = Footprint.least(Columns.count(classes));
    if (isBounded() && least > config.memory()) {
      throw Footprint.refusal(classes, config.memory(), least);
    }
    addClasses(config.labels());
  }

  public SecondOrderEngine(SecondOrderConfig config, Labels labels) {
    super(config, labels);
    this.config = config;
    this.asked = new LossStep(config.loss());
    this.solver = new SecondOrder(config.lambda(), 1);
    this.exchange = new Exchange(this);
  }

  private SecondOrderEngine(SecondOrderEngine other, SecondOrderConfig changed) {
    super(changed, new Labels());
    config = changed;
    for (int c = 0; c < other.labels.size(); c++) {
      labels.add(other.labels.label(c));
    }
    started = other.started;
    set = other.set.copy();
    scores = new double[other.scores.length];
    solver = new SecondOrder(other.solver);
    asked = new LossStep(changed.loss());
    asked.setColumns(columns());
    met = new double[columns()];
    exchange = other.exchange.copy(this);
    restore(other.instances, other.learned, other.certificate.copy());
    residuals.restore(other.residuals.level());
    targets.restore(other.targets.level());
  }

  /** An equal learner that shares nothing with this one but goes on with another configuration. */
  public SecondOrderEngine copy(SecondOrderConfig changed) {
    return new SecondOrderEngine(this, changed);
  }

  /** Goes on with saved numbers. */
  public void restore(long savedInstances, long savedLearned, CertificateState saved) {
    instances = savedInstances;
    learned = savedLearned;
    certificate = saved;
  }

  /** Refuses what the bound on bytes can never make room for. */
  @Override
  public void check(FeatureVector x, double y, double weight) {
    super.check(x, y, weight);
    if (isBounded() && weight > 0) {
      long least = Footprint.least(this, x, y);
      if (least > config.memory()) {
        throw Footprint.refusal(this, x, y, config.memory(), least);
      }
    }
  }

  public boolean isBounded() {
    return config.memory() > 0;
  }

  /** Whether, once the budget is used up, each instance learned from replaces the oldest. */
  boolean isSliding() {
    return config.replacing() && config.forgetting() < 1;
  }

  @Override
  public void step(FeatureVector x, double y, double weight) {
    instances++;
    if (config.task() == Task.CLASSIFICATION && labels.indexOf(y) == Labels.UNKNOWN) {
      addClass(y);
      if (shrink()) {
        distances.fill(set, x, kernel);
      }
    }
    double surprise = surprise(y);
    certificate.measured(distances.nearestSquared());
    skipped = config.skip() > 0 && surprise <= config.skip();
    if (skipped) {
      return;
    }
    learned++;
    exchange.learned(weight);
    if (!hasRoom(x)) {
      exchange(x, surprise, weight);
    } else if (Fineness.isMeasured(this)) {
      consider(x);
    }
    newton(y, weight);
    if (config.forgetting() < 1 && learned % FORGETTING_STRIDE == 0) {
      solver.forget(Math.pow(config.forgetting(), FORGETTING_STRIDE));
    }
  }

  /** The budget is used up: a core point may be replaced, by x or by another. */
  private void exchange(FeatureVector x, double surprise, double weight) {
    if (isSliding()) {
      exchange.slide(x);
      return;
    }
    certificate.absorbed();
    exchange.consider(x, surprise, asked.gradients, asked.curvature, weight);
  }

  private boolean hasRoom(FeatureVector x) {
    return set.size() < config.budget() && (!isBounded() || Footprint.fits(this, x));
  }

  /** Makes x a core point if the span of those at hand is too far from it. */
  private void consider(FeatureVector x) {
    double residual = solver.residual(distances.kernel());
    if (residual <= Fineness.novelty(this)) {
      certificate.projected(residual);
      return;
    }
    set = set.roomFor(x);
    set.append(x, true);
    solver.append(residual);
    exchange.appended(set.size() - 1, learned);
    distances.appendSelf();
  }

  /**
   * Removes core points, the least useful first, until the bound on bytes holds: a class more makes
   * every one of them larger.
   *
   * @return whether any was
   */
  public boolean shrink() {
    boolean removed = false;
    while (isBounded() && set.size() > 0 && bytes() > config.memory()) {
      int cheapest = Math.max(0, exchange.cheapest(0));
      set = set.without(cheapest);
      solver.remove(cheapest);
      exchange.removed(cheapest);
      distances = new CoreDistances();
      removed = true;
    }
    return removed;
  }

  /** Stores core points as an inverted index, as many as the bound on bytes allows. */
  public void storePostings() {
    set = set.asPostings();
    shrink();
  }

  /** Steps from the scores as they are now: a replaced core point may have changed them. */
  private void newton(double y, double weight) {
    double s = solver.spread(distances.kernel());
    fillScores();
    if (config.task() == Task.REGRESSION) {
      asked.pullNumber(scores[0], y, residuals.deviation(), weight, s);
    } else {
      asked.pullLabel(scores, columns(), labels.indexOf(y), weight, s);
    }
    solver.step(asked.gradients, asked.curvature * weight);
  }

  private double surprise(double y) {
    fillScores();
    if (hasDiverged()) {
      solver.reset();
      fillScores();
    }
    System.arraycopy(scores, 0, met, 0, columns());
    if (config.task() == Task.CLASSIFICATION) {
      return asked.meetLabel(scores, columns(), labels.indexOf(y));
    }
    residuals.observe(Math.abs(scores[0] - y));
    targets.observe(Math.abs(y));
    return asked.meetNumber(scores[0], y, residuals.deviation());
  }

  /** Whether rounding has driven a score beyond what any target accounts for. */
  private boolean hasDiverged() {
    boolean diverged = false;
    for (int j = 0; j < columns(); j++) {
      diverged |= !(Math.abs(scores[j]) <= LARGEST_SCORE);
    }
    return diverged;
  }

  private void fillScores() {
    for (int j = 0; j < columns(); j++) {
      scores[j] = columnScore(j);
    }
  }

  private double columnScore(int j) {
    return solver.score(j, distances.kernel(), distances.size());
  }

  @Override
  public int columns() {
    return solver.columns();
  }

  @Override
  public void setColumns(int columns) {
    solver.setColumns(columns);
    exchange.clear();
    asked.setColumns(columns);
    met = new double[columns];
  }

  @Override
  public double outputScore(int j) {
    return columnScore(j);
  }

  @Override
  public double[][] outputCoefficients() {
    double[][] result = new double[columns()][];
    for (int c = 0; c < result.length; c++) {
      result[c] = Arrays.copyOf(solver.weights(c), set.size());
    }
    return result;
  }

  @Override
  public SecondOrderConfig config() {
    return config;
  }

  @Override
  public long instances() {
    return instances;
  }

  /** Instances that changed the model; the others were already known. */
  public long learned() {
    return learned;
  }

  /** Instances learned from after the budget was used up, by projection alone. */
  @Override
  public long absorbed() {
    return certificate.absorbedCount();
  }

  /** Core points that gave their place to a better one. */
  public long replaced() {
    return exchange.replaced();
  }

  /** What the bound on the core points has cost so far. */
  public CertificateState certificate() {
    return certificate;
  }

  /** The weight of an instance against λ; more where targets are predicted precisely. */
  public double worth(double weight) {
    return Fineness.worth(this, weight);
  }

  /**
   * Adds the weighted loss of the instance last learned from, at scores times 1, 2 and 4 of those
   * before, to three sums: a learner that skips stays less sure than it could be. For a number all
   * are the loss.
   */
  public void addLosses(double y, double weight, double[] sums) {
    for (int p = 0; p < sums.length; p++) {
      double loss =
          config.task() == Task.REGRESSION || p == 0
              ? asked.value
              : LossStep.logLoss(met, columns(), labels.indexOf(y), 1 << p);
      sums[p] += weight * loss;
    }
  }

  /** Whether the instance last met was known well enough to be skipped. */
  public boolean hasSkipped() {
    return skipped;
  }

  /**
   * The loss of the instance last met, or 0 if it was skipped. A learner that skips stays unsure of
   * what it knows: where mistakes are rare, those small losses outweigh them.
   */
  public double lastRegret() {
    return skipped ? 0 : asked.value;
  }

  /** Bytes of heap it holds, at most. */
  public long bytes() {
    long state = Footprint.state(set.size(), columns()) + Footprint.sliding(this, set.size());
    return set.bytes() + state + exchange.bytes();
  }

  @Override
  public long savedBytesWith(FeatureVector x) {
    return Footprint.saved(this, x);
  }
}
