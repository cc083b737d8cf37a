// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.paper;

/**
 * Algorithm 4: open boxes ‖x − c‖_∞ &lt; a = δ/√d; the earliest core point that matches wins.
 *
 * <p>The paper calls this a δ-coverage; its boxes have diameter 2δ, but no instance lies farther
 * than δ from its core point, which is what the convergence proofs use
 * (docs/decisions/0002-paper-choices.md).
 *
 * <p>Cost: the Euclidean distances of the shared pass rule out core points at δ and beyond, since
 * ‖·‖₂ ≤ √d·‖·‖_∞; the others are compared feature by feature until one differs too much.
 *
 * @param delta diameter δ of a cell, in (0, 1e150)
 */
public record Hyperrectangle(double delta) implements Coverage {
  /**
   * Checks 0 &lt; δ &lt; 1e150.
   *
   * @param delta diameter δ of a cell, in (0, 1e150)
   */
  public Hyperrectangle {
    Deltas.check(delta);
  }

  /**
   * {@return a = δ/√d, half the side of a box}
   *
   * @param dimension number of features
   */
  public double halfSide(int dimension) {
    return delta / Math.sqrt(dimension);
  }

  @Override
  public double reach() {
    return delta;
  }
}
