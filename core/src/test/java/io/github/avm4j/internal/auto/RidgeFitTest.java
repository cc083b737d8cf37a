// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.linear.Cholesky;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RidgeFitTest {
  private static final int POINTS = 30;

  private final Random random = new Random(4);
  private final double[][] points = new double[POINTS][];
  private final double[] weights = new double[POINTS];
  private final double[][] targets = new double[2][POINTS];
  private final int[] labels = new int[POINTS];

  private CoreSet draw() {
    CoreSet set = CoreSet.dense(2);
    for (int i = 0; i < POINTS; i++) {
      points[i] = new double[] {random.nextGaussian(), random.nextGaussian()};
      weights[i] = 0.5 + random.nextInt(3);
      labels[i] = points[i][0] > 0 ? 1 : 0;
      targets[0][i] = 1 - 2 * labels[i];
      targets[1][i] = -targets[0][i];
      set.append(FeatureVector.dense(points[i]), true);
    }
    return set;
  }

  private double kernel(int i, int j, double gamma) {
    double a = points[i][0] - points[j][0];
    double b = points[i][1] - points[j][1];
    return Math.exp(-gamma * (a * a + b * b));
  }

  /** The oracle: fits again without point {@code out} and predicts it. */
  private double without(int out, double gamma, double lambda, double[] target) {
    double[][] matrix = new double[POINTS - 1][POINTS - 1];
    double[] right = new double[POINTS - 1];
    for (int i = 0; i < POINTS - 1; i++) {
      int point = i < out ? i : i + 1;
      for (int j = 0; j < POINTS - 1; j++) {
        matrix[i][j] = kernel(point, j < out ? j : j + 1, gamma);
      }
      matrix[i][i] += lambda / weights[point];
      right[i] = target[point];
    }
    double[] alpha = new Cholesky(matrix).solve(right);
    double sum = 0;
    for (int i = 0; i < POINTS - 1; i++) {
      sum += alpha[i] * kernel(i < out ? i : i + 1, out, gamma);
    }
    return sum;
  }

  @Test
  void leavingOutIsFittingAgainWithoutAPoint() {
    RidgeFit fit = new RidgeFit(draw(), weights, targets, labels);
    fit.attempt(0.7, 0.2);
    for (int c = 0; c < targets.length; c++) {
      for (int i = 0; i < POINTS; i++) {
        assertEquals(without(i, 0.7, 0.2, targets[c]), fit.leftOut()[c][i], 1e-9);
      }
    }
  }

  @Test
  void theSearchKeepsTheBestOfWhatItTries() {
    CoreSet set = draw();
    RidgeFit fit = new RidgeFit(set, weights, targets, labels);
    fit.search(0.5);
    RidgeFit again = new RidgeFit(set, weights, targets, labels);
    again.attempt(fit.gamma, fit.lambda);
    assertEquals(fit.loss, again.loss);
    RidgeFit other = new RidgeFit(set, weights, targets, labels);
    other.attempt(0.5, 0.1);
    assertTrue(fit.loss <= other.loss, fit.loss + " against " + other.loss);
    RidgeFit given = new RidgeFit(set, weights, targets, labels);
    given.searchLambda(40);
    assertEquals(40, given.gamma);
  }
}
