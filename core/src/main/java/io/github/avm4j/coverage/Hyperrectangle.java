// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.coverage;

import io.github.avm4j.coreset.CoreDistances;
import io.github.avm4j.coreset.CoreSet;
import io.github.avm4j.feature.FeatureVector;

/**
 * Algorithm 4: open boxes ‖x − c‖_∞ &lt; a = δ/√d; the earliest core point that matches wins.
 *
 * <p>The paper calls this a δ-coverage; its boxes have diameter 2δ, but no instance lies farther
 * than δ from its core point, which is what the convergence proofs use
 * (docs/decisions/0002-paper-choices.md).
 *
 * <p>Cost: the Euclidean distances of the shared pass rule out core points at δ and beyond, since
 * ‖·‖₂ ≤ √d·‖·‖_∞; the others are compared feature by feature until one differs too much.
 */
public record Hyperrectangle(double delta) implements Coverage {
  /** Rounding of a distance may not settle what lies within this relative distance of a bound. */
  private static final double DOUBT = 1e-9;

  /** Checks 0 &lt; δ &lt; 1e150. */
  public Hyperrectangle {
    Deltas.check(delta);
  }

  /** a = δ/√d, half the side of a box. */
  public double halfSide(int dimension) {
    return delta / Math.sqrt(dimension);
  }

  @Override
  public int find(FeatureVector x, CoreSet set, CoreDistances distances) {
    double a = halfSide(set.dimension());
    double doubt = DOUBT * (x.squaredNorm() + delta * delta);
    double outside = delta * delta + doubt;
    for (int i = 0; i < distances.size(); i++) {
      double squared = distances.squared(i);
      if (squared < outside && set.isCentre(i) && set.isWithin(x, i, a)) {
        return i;
      }
    }
    return NONE;
  }

  @Override
  public double reach() {
    return delta;
  }
}
