// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.newton;

import io.github.avm4j.loss.AbsoluteLoss;
import io.github.avm4j.loss.EpsilonInsensitive;
import io.github.avm4j.loss.Loss;
import io.github.avm4j.model.Decision;

/**
 * Loss, gradient and curvature of one instance at the scores it met, and the step that they justify
 * for scores of a given variance. Scratch of one learner; allocates nothing but for new columns.
 */
public final class LossStep {
  /** Smallest and largest curvature of a step; the squared loss has 1. */
  private static final double FLATTEST = 1e-3;

  private static final double STEEPEST = 1e3;

  private final Loss loss;
  private final boolean linear;

  /** ∂loss/∂score of each column; after a pull, the step of each. */
  double[] gradients = new double[1];

  double curvature;

  /** The loss at the scores met. */
  double value;

  private double[] moved = new double[1];
  private double[] probabilities = new double[1];

  public LossStep(Loss loss) {
    this.loss = loss;
    this.linear = loss instanceof AbsoluteLoss || loss instanceof EpsilonInsensitive;
  }

  public void setColumns(int columns) {
    gradients = new double[columns];
    moved = new double[columns];
    probabilities = new double[columns];
  }

  /**
   * Meets target y with prediction f. Losses that grow linearly are multiplied by the scale of the
   * residuals, so that, as for the squared loss, the weight of an instance against λ does not
   * depend on the unit of the targets.
   *
   * @param scale of recent residuals
   * @return the surprise: the residual in units of the scale
   */
  public double meetNumber(double f, double y, double scale) {
    value = loss.value(f, y);
    bend(f, y, scale);
    return scale == 0 ? Double.POSITIVE_INFINITY : Math.abs(f - y) / scale;
  }

  private void bend(double f, double y, double scale) {
    double miss = f - y;
    gradients[0] = (linear ? scale : 1) * loss.derivative(f, y);
    // The parabola that touches the loss here and is symmetric about y: exact for squared loss.
    curvature = miss == 0 ? 1 : Math.max(FLATTEST, Math.min(STEEPEST, gradients[0] / miss));
  }

  /**
   * Meets a label with a margin, or with one score a class.
   *
   * @return the surprise: the largest gradient
   */
  public double meetLabel(double[] scores, int columns, int label) {
    if (columns > 1) {
      return softmax(scores, columns, label);
    }
    double target = label == 0 ? -1 : 1;
    value = loss.value(scores[0], target);
    gradients[0] = loss.derivative(scores[0], target);
    curvature = Math.max(FLATTEST, loss.curvature(scores[0], target));
    return Math.abs(gradients[0]);
  }

  private double softmax(double[] scores, int columns, int label) {
    System.arraycopy(scores, 0, gradients, 0, columns);
    Decision.softmax(gradients, columns);
    value = -Math.log(Math.max(Double.MIN_NORMAL, gradients[label]));
    double surprise = 0;
    curvature = FLATTEST;
    for (int j = 0; j < columns; j++) {
      curvature = Math.max(curvature, gradients[j] * (1 - gradients[j]));
      gradients[j] -= j == label ? 1 : 0;
      surprise = Math.max(surprise, Math.abs(gradients[j]));
    }
    return surprise;
  }

  /** Finds the step from prediction f, of variance s, to target y; scale as when they were met. */
  public void pullNumber(double f, double y, double scale, double weight, double s) {
    bend(f, y, scale);
    gradients[0] *= weight / (1 + weight * curvature * s);
  }

  /** Turns the gradients of a label into steps for scores of variance s. */
  public void pullLabel(double[] scores, int columns, int label, double weight, double s) {
    if (columns == 1) {
      double target = label == 0 ? -1 : 1;
      double f = scores[0];
      double rise = Proximal.logistic(target * f, weight * s);
      gradients[0] = s == 0 ? weight * gradients[0] : -target * rise / s;
      curvature = Math.max(FLATTEST, loss.curvature(f + target * rise, target));
      return;
    }
    Proximal.softmax(scores, columns, label, weight * s, moved, probabilities);
    curvature = FLATTEST;
    for (int j = 0; j < columns; j++) {
      curvature = Math.max(curvature, probabilities[j] * (1 - probabilities[j]));
      gradients[j] = s == 0 ? weight * gradients[j] : (scores[j] - moved[j]) / s;
    }
  }

  /** The log loss of a label for scores times a factor: one margin, or one score per class. */
  public static double logLoss(double[] columns, int count, int label, double factor) {
    if (count == 1) {
      double margin = factor * (label == 0 ? -columns[0] : columns[0]);
      return Math.max(0, -margin) + Math.log1p(Math.exp(-Math.abs(margin)));
    }
    double sum = 0;
    for (int j = 0; j < count; j++) {
      sum += Math.exp(factor * (columns[j] - columns[label]));
    }
    return Math.min(Math.log(sum), Double.MAX_VALUE);
  }
}
