// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.internal.coreset.CoreDistances;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.linear.Cholesky;
import io.github.avm4j.internal.newton.LossStep;
import io.github.avm4j.model.Decision;
import java.util.Arrays;

/**
 * Kernel ridge regression on a few points: α = (K + λW⁻¹)⁻¹·t for each column of targets t, with
 * weights W. The prediction for a point had it been left out is t_i − α_i/((K + λW⁻¹)⁻¹)_ii, so
 * that γ and λ are found without fitting again for each point.
 *
 * <p>Least squares on targets of ±1 classify about as well as an SVM does.
 */
final class RidgeFit {
  /** Factors of γ that are tried first, and how often. */
  private static final double STEP = 3;

  private static final int STEPS_DOWN = 4;
  private static final int STEPS_UP = 5;

  private static final double FIRST_LAMBDA = 0.1;
  private static final double SMALLEST_LAMBDA = 1e-6;
  private static final double LARGEST_LAMBDA = 1e3;

  /** Factors of λ, then of γ, that are tried around the best, twice. */
  private static final double[] LAMBDAS = {0.01, 0.1, 0.3, 3, 10};

  private static final double[][] GAMMAS = {{1 / 3.0, 0.6, 1.7, 3}, {0.75, 1.33}};

  /** Scores are multiplied by 1, 2, 4 or 8, whichever makes the log loss smallest. */
  private static final int TEMPERATURES = 4;

  /** Rows of the lower triangle. */
  private final double[][] squaredDistances;

  private final double[] weights;

  /** One array per column, one element per point. */
  private final double[][] targets;

  /** Index of the class of each point; empty for regression. */
  private final int[] labels;

  /** The best found. */
  double gamma;

  double lambda;
  double[][] coefficients = {};

  /** Its loss with each point left out: mean squared error, plus the share of mistakes. */
  double loss = Double.POSITIVE_INFINITY;

  private double[][] leftOut = {};

  RidgeFit(CoreSet set, double[] weights, double[][] targets, int[] labels) {
    int n = set.size();
    this.squaredDistances = new double[n][];
    this.weights = weights;
    this.targets = targets;
    this.labels = labels;
    CoreDistances distances = new CoreDistances();
    for (int i = 0; i < n; i++) {
      distances.measure(set, set.point(i));
      squaredDistances[i] = Arrays.copyOf(distances.squared(), i + 1);
      squaredDistances[i][i] = 0;
    }
  }

  /** Looks for γ around a guess, and for λ. */
  void search(double guess) {
    for (int k = -STEPS_DOWN; k <= STEPS_UP; k++) {
      attempt(guess * Math.pow(STEP, k), FIRST_LAMBDA);
    }
    for (double[] factors : GAMMAS) {
      searchLambda();
      double around = gamma;
      for (double factor : factors) {
        attempt(around * factor, lambda);
      }
    }
  }

  /** Looks for λ with γ as given. */
  void searchLambda(double fixed) {
    attempt(fixed, FIRST_LAMBDA);
    searchLambda();
    searchLambda();
  }

  private void searchLambda() {
    double around = lambda;
    for (double factor : LAMBDAS) {
      double next = around * factor;
      if (next >= SMALLEST_LAMBDA && next <= LARGEST_LAMBDA) {
        attempt(gamma, next);
      }
    }
  }

  /** Fits with γ and λ, and keeps that if it is the best so far. */
  void attempt(double newGamma, double newLambda) {
    int n = squaredDistances.length;
    double[][] matrix = new double[n][];
    for (int i = 0; i < n; i++) {
      matrix[i] = new double[i + 1];
      for (int j = 0; j <= i; j++) {
        matrix[i][j] = Math.exp(-newGamma * squaredDistances[i][j]);
      }
      matrix[i][i] += newLambda / weights[i];
    }
    Cholesky factors = new Cholesky(matrix);
    double[] diagonal = factors.inverseDiagonal();
    double[][] alpha = new double[targets.length][];
    double[][] predicted = new double[targets.length][n];
    for (int c = 0; c < targets.length; c++) {
      alpha[c] = factors.solve(targets[c]);
      for (int i = 0; i < n; i++) {
        predicted[c][i] = targets[c][i] - alpha[c][i] / diagonal[i];
      }
    }
    double reached = loss(predicted);
    if (reached < loss) {
      gamma = newGamma;
      lambda = newLambda;
      coefficients = alpha;
      leftOut = predicted;
      loss = reached;
    }
  }

  /** The predictions for each point had it been left out of the best fit, by column. */
  double[][] leftOut() {
    return leftOut;
  }

  private double loss(double[][] predicted) {
    double squares = 0;
    double mistakes = 0;
    double total = 0;
    double[] scores = new double[targets.length];
    for (int i = 0; i < weights.length; i++) {
      for (int c = 0; c < targets.length; c++) {
        double residual = targets[c][i] - predicted[c][i];
        squares += weights[i] * residual * residual / targets.length;
        scores[c] = predicted[c][i];
      }
      boolean wrong = labels.length > 0 && classOf(scores) != labels[i];
      mistakes += wrong ? weights[i] : 0;
      total += weights[i];
    }
    return (squares + mistakes) / total;
  }

  private static int classOf(double[] scores) {
    return scores.length > 1 ? Decision.argmax(scores, scores.length) : scores[0] > 0 ? 1 : 0;
  }

  /** What scores are to be multiplied by, so that their probabilities are right. */
  double temperature() {
    double[] losses = new double[TEMPERATURES];
    double[] scores = new double[targets.length];
    for (int i = 0; i < labels.length; i++) {
      for (int c = 0; c < scores.length; c++) {
        scores[c] = leftOut[c][i];
      }
      for (int p = 0; p < TEMPERATURES; p++) {
        losses[p] += weights[i] * LossStep.logLoss(scores, scores.length, labels[i], 1 << p);
      }
    }
    int best = 0;
    for (int p = 1; p < TEMPERATURES; p++) {
      best = losses[p] < losses[best] ? p : best;
    }
    return 1 << best;
  }
}
