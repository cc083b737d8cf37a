// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.loss.Loss;
import io.github.avm4j.model.Decision;
import io.github.avm4j.solver.SecondOrder;

/**
 * The second-order learner: instead of snapping an instance to its nearest core point it projects
 * it onto the span of all of them, which is never farther, and takes a Newton step instead of a
 * gradient step, which needs no learning rate. Instances the model already knows are skipped.
 *
 * <p>Two classes use the logistic loss of the margin; more use the softmax of one score a class,
 * all sharing one matrix; numbers use their loss with the curvature of its tangent parabola.
 *
 * <p>A prediction costs one distance pass; a step that learns costs O(S²) more. Bounded by the
 * budget: when it is used up, core points stay as they are and learning goes on.
 */
public final class SecondOrderLearner extends ExpansionLearner {
  /** Smallest and largest curvature of a step. */
  private static final double FLATTEST = 1e-3;

  private static final double STEEPEST = 1e3;

  private final SecondOrderConfig config;
  private final Loss loss;

  final SecondOrder solver;
  long instances;
  long learned;
  long absorbed;
  double targetMean;
  double targetSquares;

  private double[] gradients = new double[1];
  private double curvature;

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
  }

  @Override
  void step(FeatureVector x, double y, double weight) {
    instances++;
    double surprise = config.task() == Task.REGRESSION ? regress(y) : classify(y);
    if (config.skip() > 0 && surprise <= config.skip()) {
      return;
    }
    learned++;
    if (set.size() < config.budget()) {
      consider(x);
    } else {
      absorbed++;
    }
    for (int c = 0; c < gradients.length; c++) {
      gradients[c] *= weight;
    }
    solver.step(distances.kernel(), gradients, curvature * weight);
  }

  /** Makes x a core point if the span of those at hand is too far from it. */
  private void consider(FeatureVector x) {
    double residual = solver.residual(distances.kernel());
    if (residual > config.novelty()) {
      set = set.roomFor(x);
      set.append(x, true);
      solver.append(residual);
      distances.appendSelf();
    }
  }

  /** Gradient and curvature for a number; the surprise is in units of the target's deviation. */
  private double regress(double y) {
    double shift = y - targetMean;
    targetMean += shift / instances;
    targetSquares += shift * (y - targetMean);
    double f = columnScore(0);
    double miss = f - y;
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
    gradients = new double[columns];
  }

  @Override
  double outputScore(int j) {
    return columnScore(j);
  }

  @Override
  double[][] outputCoefficients() {
    double[][] result = new double[columns()][];
    for (int c = 0; c < result.length; c++) {
      result[c] = java.util.Arrays.copyOf(solver.weights(c), set.size());
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
    return absorbed;
  }

  @Override
  public long refused() {
    return 0;
  }

  @Override
  public byte[] toBytes() {
    return SecondOrderFormat.write(this);
  }
}
