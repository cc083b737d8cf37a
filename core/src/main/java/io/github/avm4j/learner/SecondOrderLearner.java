// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.coreset.CoreDistances;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.solver.Proximal;
import io.github.avm4j.solver.SecondOrder;
import java.util.Arrays;

/**
 * The second-order learner: instead of snapping an instance to its nearest core point it projects
 * it onto the span of all of them, which is never farther, and takes a Newton step instead of a
 * gradient step, which needs no learning rate. Instances the model already knows are skipped.
 *
 * <p>Two classes use the logistic loss of the margin; more use the softmax of one score a class,
 * all sharing one matrix; both step to where one instance justifies it ({@link Proximal}). Numbers
 * use their loss with the curvature of its tangent parabola.
 *
 * <p>A prediction costs one distance pass; a step that learns costs O(S²) more. Bounded by the
 * budget and, if told, by bytes: when they are used up, instances are absorbed by projection, and a
 * core point gives its place to a better one once there is evidence for it. A class more takes room
 * from the core points; one that would leave fewer than eight is refused.
 */
public final class SecondOrderLearner extends ExpansionLearner {
  /** How much farther an instance must be to have one of the second half of the budget. */
  private static final double SECOND_HALF = 10;

  /** Forgetting is done for this many steps at once: one pass over the matrices in so many. */
  private static final int FORGETTING_STRIDE = 10;

  private final SecondOrderConfig config;
  private final LossStep asked;

  SecondOrder solver;
  Exchange exchange;
  CertificateState certificate = new CertificateState();
  long instances;
  long learned;
  double targetMean;
  double targetSquares;

  private double[] met = new double[1];
  private boolean skipped;

  /** A learner that has seen nothing. */
  public SecondOrderLearner(SecondOrderConfig config) {
    this(config, new Labels());
    int classes = config.labels().size();
    long least = Footprint.least(Footprint.columns(classes));
    if (isBounded() && least > config.memory()) {
      throw Footprint.refusal(classes, config.memory(), least);
    }
    addClasses(config.labels());
  }

  SecondOrderLearner(SecondOrderConfig config, Labels labels) {
    super(config, labels);
    this.config = config;
    this.asked = new LossStep(config.loss());
    this.solver = new SecondOrder(config.lambda(), 1);
    this.exchange = new Exchange(this);
  }

  /** An equal learner that shares nothing with this one but goes on with another configuration. */
  SecondOrderLearner copy(SecondOrderConfig changed) {
    SecondOrderLearner copy = new SecondOrderLearner(changed, new Labels());
    for (int c = 0; c < labels.size(); c++) {
      copy.labels.add(labels.label(c));
    }
    copy.started = started;
    copy.set = set.copy();
    copy.scores = new double[scores.length];
    copy.solver = solver.copy();
    copy.asked.setColumns(columns());
    copy.met = new double[columns()];
    copy.exchange = exchange.copy(copy);
    copy.certificate = certificate.copy();
    copy.instances = instances;
    copy.learned = learned;
    copy.targetMean = targetMean;
    copy.targetSquares = targetSquares;
    return copy;
  }

  /** Refuses what the bound on bytes can never make room for. */
  @Override
  void check(FeatureVector x, double y, double weight) {
    super.check(x, y, weight);
    if (isBounded() && weight > 0) {
      long least = Footprint.least(this, x, y);
      if (least > config.memory()) {
        throw Footprint.refusal(this, x, y, config.memory(), least);
      }
    }
  }

  boolean isBounded() {
    return config.memory() > 0;
  }

  @Override
  void step(FeatureVector x, double y, double weight) {
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
    if (hasRoom(x)) {
      consider(x);
    } else {
      certificate.absorbed();
      exchange.consider(x, surprise, asked.gradients, asked.curvature, weight);
    }
    newton(y, weight);
    if (config.forgetting() < 1 && learned % FORGETTING_STRIDE == 0) {
      solver.forget(Math.pow(config.forgetting(), FORGETTING_STRIDE));
    }
  }

  private boolean hasRoom(FeatureVector x) {
    return set.size() < config.budget() && (!isBounded() || Footprint.fits(this, x));
  }

  /** Makes x a core point if the span of those at hand is too far from it. */
  private void consider(FeatureVector x) {
    double residual = solver.residual(distances.kernel());
    if (residual <= novelty()) {
      certificate.projected(residual);
      return;
    }
    set = set.roomFor(x);
    set.append(x, true);
    solver.append(residual);
    exchange.appended(set.size() - 1);
    distances.appendSelf();
  }

  /** The second half of the budget is for what is farther: where the first half nearly suffices. */
  private double novelty() {
    return set.size() < config.budget() / 2
        ? config.novelty()
        : Math.max(config.novelty(), Math.min(0.5, SECOND_HALF * config.novelty()));
  }

  /**
   * Strikes core points out, the cheapest first, until the bound on bytes holds: a class more makes
   * every one of them larger.
   *
   * @return whether any was
   */
  boolean shrink() {
    boolean struck = false;
    while (isBounded() && set.size() > 0 && bytes() > config.memory()) {
      int cheapest = Math.max(0, exchange.cheapest(0));
      set = set.without(cheapest);
      solver.remove(cheapest);
      exchange.removed(cheapest);
      distances = new CoreDistances();
      struck = true;
    }
    return struck;
  }

  /** Steps from the scores as they are now: a replaced core point may have changed them. */
  private void newton(double y, double weight) {
    double s = solver.spread(distances.kernel());
    if (config.task() == Task.REGRESSION) {
      asked.pullNumber(weight, s);
    } else {
      fillScores();
      asked.pullLabel(scores, columns(), labels.indexOf(y), weight, s);
    }
    solver.step(asked.gradients, asked.curvature * weight);
  }

  private double surprise(double y) {
    fillScores();
    System.arraycopy(scores, 0, met, 0, columns());
    if (config.task() == Task.CLASSIFICATION) {
      return asked.meetLabel(scores, columns(), labels.indexOf(y));
    }
    double shift = y - targetMean;
    targetMean += shift / instances;
    targetSquares += shift * (y - targetMean);
    return asked.meetNumber(scores[0], y, deviation());
  }

  /** Standard deviation of the targets so far. */
  double deviation() {
    return Math.sqrt(targetSquares / instances);
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
  int columns() {
    return solver.columns();
  }

  @Override
  void setColumns(int columns) {
    solver.setColumns(columns);
    exchange.clear();
    asked.setColumns(columns);
    met = new double[columns];
  }

  @Override
  double outputScore(int j) {
    return columnScore(j);
  }

  @Override
  double[][] outputCoefficients() {
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
    return exchange.replaced;
  }

  /** What the bound on the core points has cost so far. */
  public Certificate certificate() {
    return certificate.certificate(kernel);
  }

  @Override
  public long refused() {
    return 0;
  }

  /** The loss of the instance last learned from, at the score it had before. */
  double lastLoss() {
    return asked.value;
  }

  /**
   * Adds the loss of the instance last learned from, at scores times 1, 2 and 4 of those before, to
   * three sums: a learner that skips stays less sure than it could be. For a number all are the
   * loss.
   */
  void addLosses(double y, double[] sums) {
    for (int p = 0; p < sums.length; p++) {
      sums[p] +=
          config.task() == Task.REGRESSION || p == 0
              ? asked.value
              : Sharpness.loss(met, columns(), labels.indexOf(y), 1 << p);
    }
  }

  /**
   * The same, or 0 if it was known well enough to be skipped. A learner that skips stays unsure of
   * what it knows: where mistakes are rare, those small losses outweigh them.
   */
  double lastRegret() {
    return skipped ? 0 : asked.value;
  }

  /** Whether the instance last seen was known well enough to be skipped. */
  boolean hasSkipped() {
    return skipped;
  }

  /** Bytes of heap it holds, at most. */
  public long bytes() {
    return set.bytes() + Footprint.state(set.size(), columns()) + exchange.bytes();
  }

  @Override
  public long modelBytes() {
    return FileSize.of(this);
  }

  @Override
  public byte[] toBytes() {
    return SecondOrderFormat.write(this);
  }
}
