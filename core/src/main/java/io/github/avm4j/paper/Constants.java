// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.paper;

import io.github.avm4j.loss.Loss;
import io.github.avm4j.loss.SquaredLoss;

/**
 * The constants of the convergence analysis (lemmas of Appendix B). All are upper bounds that hold
 * at every step t.
 *
 * @param p E‖w_t‖² ≤ P²
 * @param m E[α_t²] ≤ M
 * @param l E‖l′(w_t;x_t,y_t)‖² ≤ L = (A√P + B)²
 * @param g E‖g_t‖² ≤ G = (λP + A√P + B)²
 * @param h E‖h_t‖² ≤ H = (√G + δ_Φ(A√P + B))²
 * @param w E‖w_t − w*‖² ≤ W
 */
public record Constants(double p, double m, double l, double g, double h, double w) {

  /**
   * {@return the constants for a loss, λ, a δ_Φ and the largest |y|}
   *
   * @param loss the loss
   * @param lambda λ &gt; 0
   * @param deltaPhi diameter δ_Φ of a cell in feature space, ≥ 0
   * @param yMax largest |y|; 1 for classification
   * @throws IllegalArgumentException if a number is not positive (δ_Φ: not ≥ 0) and finite
   */
  public static Constants of(Loss loss, double lambda, double deltaPhi, double yMax) {
    require(lambda > 0, "lambda", "> 0", lambda);
    require(deltaPhi >= 0, "deltaPhi", ">= 0", deltaPhi);
    require(yMax >= 0, "yMax", ">= 0", yMax);
    double a = loss.growthA(lambda, yMax);
    double b = loss.growthB(yMax);
    double reach = deltaPhi + 1;
    double root =
        (reach * a + Math.sqrt(reach * reach * a * a + 4 * b * lambda * reach)) / (2 * lambda);
    double p = root * root;
    double slope = a * root + b;
    double m = squaredSlope(loss, p, yMax);
    double rootG = lambda * p + slope;
    double rootH = rootG + deltaPhi * slope;
    double h = rootH * rootH;
    double rootW =
        (Math.sqrt(m) * deltaPhi + Math.sqrt(m * deltaPhi * deltaPhi + 2 * h)) / (2 * lambda);
    return new Constants(p, m, slope * slope, rootG * rootG, h, rootW * rootW);
  }

  /** M: the paper's, or that of a loss whose slope has another bound. */
  private static double squaredSlope(Loss loss, double p, double yMax) {
    if (loss instanceof SquaredLoss) {
      return 2 * (p * p + yMax * yMax);
    }
    double slope = loss.steepest(yMax);
    return slope * slope;
  }

  private static void require(boolean holds, String name, String range, double value) {
    if (!holds || !(value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(name + " must be " + range + " and finite, was " + value);
    }
  }
}
