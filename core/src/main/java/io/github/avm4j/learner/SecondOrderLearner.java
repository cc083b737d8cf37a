// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.coreset.CoreSet;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.loss.Loss;
import io.github.avm4j.model.Decision;
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
 * budget: when it is used up, instances are absorbed by projection, and a core point gives its
 * place to a better one once there is evidence for it.
 */
public final class SecondOrderLearner extends ExpansionLearner {
  /** Smallest and largest curvature of a step. */
  private static final double FLATTEST = 1e-3;

  private static final double STEEPEST = 1e3;

  /** Forgetting is done for this many steps at once: one pass over the matrices in so many. */
  private static final int FORGETTING_STRIDE = 10;

  /** Candidates for a place get at most this part of the bytes set aside. */
  private static final int RESERVE = 4;

  private final SecondOrderConfig config;
  private final Loss loss;

  SecondOrder solver;
  Exchange exchange;
  Coverage coverage = new Coverage();
  long instances;
  long learned;
  double targetMean;
  double targetSquares;

  private double[] gradients = new double[1];
  private double[] moved = new double[1];
  private double[] probabilities = new double[1];
  private double curvature;
  private double lastLoss;

  /** A learner that has seen nothing. */
  public SecondOrderLearner(SecondOrderConfig config) {
    this(config, new Labels());
    addClasses(config.labels());
  }

  SecondOrderLearner(SecondOrderConfig config, Labels labels) {
    super(config, labels);
    this.config = config;
    this.loss = config.loss();
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
    copy.useColumns(columns());
    copy.exchange = exchange.copy(copy);
    copy.coverage = coverage.copy();
    copy.instances = instances;
    copy.learned = learned;
    copy.targetMean = targetMean;
    copy.targetSquares = targetSquares;
    return copy;
  }

  @Override
  void step(FeatureVector x, double y, double weight) {
    instances++;
    double surprise = config.task() == Task.REGRESSION ? regress(y) : classify(y);
    coverage.measured(distances.nearestSquared());
    if (config.skip() > 0 && surprise <= config.skip()) {
      return;
    }
    learned++;
    exchange.learned(weight);
    if (!hasRoom(x) || !consider(x)) {
      coverage.absorbed();
      exchange.consider(x, surprise, gradients, curvature, weight);
    }
    newton(y, weight);
    if (config.forgetting() < 1 && learned % FORGETTING_STRIDE == 0) {
      solver.forget(Math.pow(config.forgetting(), FORGETTING_STRIDE));
    }
  }

  private boolean hasRoom(FeatureVector x) {
    return set.size() < config.budget() && (config.memory() == 0 || fits(set, x));
  }

  /** Whether one core point more, stored in these points, keeps the bound and leaves a reserve. */
  private boolean fits(CoreSet points, FeatureVector x) {
    long reserve = Math.min(exchange.mostBytes(x), config.memory() / RESERVE);
    return points.bytes() + matrixBytes(set.size() + 1) + reserve <= config.memory();
  }

  /**
   * Makes x a core point if the span of those at hand is too far from it.
   *
   * @return false if it should become one and its bytes find no room: nothing was changed
   */
  private boolean consider(FeatureVector x) {
    double residual = solver.residual(distances.kernel());
    if (residual <= config.novelty()) {
      coverage.projected(residual);
      return true;
    }
    // How much arrays grow by is known afterwards: where bytes are bounded, a copy tries.
    CoreSet grown = (config.memory() == 0 ? set : set.copy()).roomFor(x);
    grown.append(x, true);
    if (config.memory() > 0 && !fits(grown, x)) {
      return false;
    }
    set = grown;
    solver.append(residual);
    exchange.appended(set.size() - 1);
    distances.appendSelf();
    return true;
  }

  /** Steps from the scores that {@link #classify} or {@link #regress} left. */
  private void newton(double y, double weight) {
    double s = solver.spread(distances.kernel());
    int m = columns();
    if (config.task() == Task.REGRESSION) {
      gradients[0] *= weight / (1 + weight * curvature * s);
    } else if (m == 1) {
      double target = labels.indexOf(y) == 0 ? -1 : 1;
      double f = columnScore(0);
      double rise = Proximal.logistic(target * f, weight * s);
      gradients[0] = s == 0 ? weight * gradients[0] : -target * rise / s;
      curvature = Math.max(FLATTEST, loss.curvature(f + target * rise, target));
    } else {
      for (int j = 0; j < m; j++) {
        scores[j] = columnScore(j);
      }
      Proximal.softmax(scores, m, labels.indexOf(y), weight * s, moved, probabilities);
      curvature = FLATTEST;
      for (int j = 0; j < m; j++) {
        curvature = Math.max(curvature, probabilities[j] * (1 - probabilities[j]));
        gradients[j] = s == 0 ? weight * gradients[j] : (scores[j] - moved[j]) / s;
      }
    }
    solver.step(gradients, curvature * weight);
  }

  /** Gradient and curvature for a number; the surprise is in units of the target's deviation. */
  private double regress(double y) {
    double shift = y - targetMean;
    targetMean += shift / instances;
    targetSquares += shift * (y - targetMean);
    double f = columnScore(0);
    double miss = f - y;
    lastLoss = loss.value(f, y);
    gradients[0] = loss.derivative(f, y);
    // The parabola that touches the loss here and is symmetric about y: exact for squared loss.
    curvature = miss == 0 ? 1 : Math.max(FLATTEST, Math.min(STEEPEST, gradients[0] / miss));
    double deviation = Math.sqrt(targetSquares / instances);
    return deviation == 0 ? Double.POSITIVE_INFINITY : Math.abs(miss) / deviation;
  }

  /** Gradients and curvature for a label; the surprise is the largest gradient. */
  private double classify(double y) {
    int label = labels.indexOf(y);
    if (label == Labels.UNKNOWN) {
      label = addClass(y);
    }
    if (columns() == 1) {
      double target = label == 0 ? -1 : 1;
      double f = columnScore(0);
      lastLoss = loss.value(f, target);
      gradients[0] = loss.derivative(f, target);
      curvature = Math.max(FLATTEST, loss.curvature(f, target));
      return Math.abs(gradients[0]);
    }
    return softmax(label);
  }

  private double softmax(int label) {
    int m = columns();
    for (int j = 0; j < m; j++) {
      gradients[j] = columnScore(j);
    }
    Decision.softmax(gradients, m);
    lastLoss = -Math.log(Math.max(Double.MIN_NORMAL, gradients[label]));
    double surprise = 0;
    curvature = FLATTEST;
    for (int j = 0; j < m; j++) {
      curvature = Math.max(curvature, gradients[j] * (1 - gradients[j]));
      gradients[j] -= j == label ? 1 : 0;
      surprise = Math.max(surprise, Math.abs(gradients[j]));
    }
    return surprise;
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
    useColumns(columns);
  }

  private void useColumns(int columns) {
    gradients = new double[columns];
    moved = new double[columns];
    probabilities = new double[columns];
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
    return coverage.absorbedCount();
  }

  /** Core points that gave their place to a better one. */
  public long replaced() {
    return exchange.replaced;
  }

  /** What the bound on the core points has cost so far. */
  public Certificate certificate() {
    return coverage.certificate(kernel);
  }

  @Override
  public long refused() {
    return 0;
  }

  /** The loss of the instance last learned from, at the score it had before. */
  double lastLoss() {
    return lastLoss;
  }

  /** Bytes held by arrays, to within object headers. */
  public long bytes() {
    return set.bytes() + matrixBytes(set.size()) + exchange.bytes();
  }

  private long matrixBytes(int size) {
    return 8L * size * (size + 16) + 16L * size * (columns() + 4);
  }

  @Override
  public byte[] toBytes() {
    return SecondOrderFormat.write(this);
  }
}
