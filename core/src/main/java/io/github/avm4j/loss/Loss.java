// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.loss;

/**
 * A convex loss l of the score f = wᵀΦ(x), with what the paper's Section 7 says of it (Huber's loss
 * is not the paper's).
 *
 * <p>For classification the target is −1 or +1; {@code derivative(a, 1)} is the l′(a) of the
 * multiclass margin a. At a kink the derivative is the element of the subgradient nearest to zero,
 * so that an instance exactly on the margin teaches nothing (docs/decisions/0002-paper-choices.md).
 *
 * <p>Losses are immutable values and know nothing of labels, classes or learners.
 */
public sealed interface Loss
    permits Hinge, SmoothHinge, Logistic, AbsoluteLoss, SquaredLoss, EpsilonInsensitive, Huber {

  /**
   * {@return l(f; y)}
   *
   * @param score the score f
   * @param target the target y: −1 or +1 for classification
   */
  double value(double score, double target);

  /**
   * {@return α = ∂l/∂f, the scalar with l′(w;x,y) = α·Φ(x)}
   *
   * @param score the score f
   * @param target the target y: −1 or +1 for classification
   */
  double derivative(double score, double target);

  /**
   * {@return ∂²l/∂f², 0 at kinks and on linear parts}
   *
   * @param score the score f
   * @param target the target y: −1 or +1 for classification
   */
  double curvature(double score, double target);

  /** {@return whether targets are −1 and +1} */
  boolean forClassification();

  /**
   * {@return a of the growth condition ‖l′(w_t;x,y)‖ ≤ A‖w_t‖^½ + B} Zero but for the squared loss,
   * where it rests on the bound of ‖w_t‖ that Algorithm 2 enforces.
   *
   * @param lambda λ &gt; 0
   * @param yMax largest |y|; 1 for classification
   */
  default double growthA(double lambda, double yMax) {
    return 0;
  }

  /**
   * {@return b of the growth condition}
   *
   * @param yMax largest |y|; 1 for classification
   */
  default double growthB(double yMax) {
    return 1;
  }

  /**
   * {@return the largest |α| that the convergence analysis allows for, as the paper has it} Not for
   * the squared loss, whose slope depends on ‖w_t‖.
   *
   * @param yMax largest |y|; 1 for classification
   */
  default double steepest(double yMax) {
    return Math.max(yMax, 1);
  }

  /**
   * {@return μ such that l is μ-strongly smooth in f, as the paper's Section 6.2.2 states it, or
   * infinity for a loss with a kink}
   */
  default double smoothness() {
    return Double.POSITIVE_INFINITY;
  }
}
