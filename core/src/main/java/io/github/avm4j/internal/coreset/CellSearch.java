// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.coreset;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.paper.Coverage;
import io.github.avm4j.paper.Hyperrectangle;
import io.github.avm4j.paper.Hypersphere;

/**
 * Finds the cell of a coverage, a ball or a box around a core point, that holds an instance
 * (Algorithms 3 and 4).
 */
public final class CellSearch {
  /** No cell holds the instance. */
  public static final int NONE = -1;

  /** Rounding of a distance may not settle what lies within this relative distance of a bound. */
  private static final double DOUBT = 1e-9;

  private CellSearch() {}

  /**
   * The core point of the cell that holds {@code x}, or {@link #NONE}. It reads the distances
   * already filled for x and allocates nothing.
   */
  public static int find(Coverage coverage, FeatureVector x, CoreSet set, CoreDistances distances) {
    return coverage instanceof Hypersphere balls
        ? ball(balls, set, distances)
        : box((Hyperrectangle) coverage, x, set, distances);
  }

  /** The nearest core point c if ‖x − c‖ &lt; δ/2. */
  private static int ball(Hypersphere balls, CoreSet set, CoreDistances distances) {
    int nearest = distances.nearestCentre(set);
    double delta = balls.delta();
    return nearest >= 0 && distances.squared(nearest) < delta * delta / 4 ? nearest : NONE;
  }

  /**
   * The earliest core point c with ‖x − c‖_∞ &lt; δ/√d. The Euclidean distances rule out core
   * points at δ and beyond, since ‖·‖₂ ≤ √d·‖·‖_∞; the others are compared feature by feature.
   */
  private static int box(
      Hyperrectangle boxes, FeatureVector x, CoreSet set, CoreDistances distances) {
    double delta = boxes.delta();
    double a = boxes.halfSide(set.dimension());
    double outside = delta * delta + DOUBT * (x.squaredNorm() + delta * delta);
    for (int i = 0; i < distances.size(); i++) {
      if (distances.squared(i) < outside && set.isCentre(i) && set.isWithin(x, i, a)) {
        return i;
      }
    }
    return NONE;
  }
}
