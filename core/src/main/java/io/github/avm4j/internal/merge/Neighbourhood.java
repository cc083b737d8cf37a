// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.merge;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.coreset.CoreDistances;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.kernel.Kernel;
import java.util.Arrays;

/**
 * A core point, the anchor, and those nearest to it: what stands for a point that moves to the
 * anchor. Φ(x) is projected onto their span, β = (K + σI)⁻¹·k(x) with a small ridge σ, or if that
 * should be farther, x moves to the anchor alone. So ‖Φ(x) − Σ β_i·Φ(c_i)‖ ≤ ‖Φ(x) − Φ(anchor)‖.
 *
 * <p>O(S·d + m²·d + m³) to make, O(m·d + m²) a point, with m ≤ 128 neighbours.
 */
public final class Neighbourhood {
  /** Fewer gave larger errors where cells are wide: docs/merge.md. */
  public static final int MOST = 128;

  /** σ; keeps β moderate where points almost coincide. */
  public static final double RIDGE = 1e-6;

  private final CoreDistances distances = new CoreDistances();
  private final Kernel kernel;
  private final int[] slots;
  private final CoreSet points;
  private final double[][] lower;

  public Neighbourhood(CoreSet set, int anchor, Kernel kernel) {
    this.kernel = kernel;
    this.slots = nearest(set, anchor);
    CoreSet near = set.isOpenEnded() ? CoreSet.sparse(0) : CoreSet.dense(set.dimension());
    for (int slot : slots) {
      FeatureVector point = set.point(slot);
      near = near.roomFor(point);
      near.append(point, true);
    }
    this.points = near;
    this.lower = new double[slots.length][];
    for (int i = 0; i < slots.length; i++) {
      distances.fill(points, set.point(slots[i]), kernel);
      lower[i] = Arrays.copyOf(distances.kernel(), i + 1);
      lower[i][i] = 1 + RIDGE;
      factorise(i);
    }
  }

  /** The anchor, then the nearest others in order of distance, the earliest on ties. */
  private int[] nearest(CoreSet set, int anchor) {
    distances.measure(set, set.point(anchor));
    int[] found = new int[Math.min(MOST, set.size())];
    found[0] = anchor;
    int count = 1;
    for (int i = 0; i < set.size(); i++) {
      boolean full = count == found.length;
      if (i == anchor || (full && !isNearer(i, found[count - 1], anchor))) {
        continue;
      }
      int at = full ? count - 1 : count++;
      for (; at > 1 && isNearer(i, found[at - 1], anchor); at--) {
        found[at] = found[at - 1];
      }
      found[at] = i;
    }
    return found;
  }

  private boolean isNearer(int i, int other, int anchor) {
    return other != anchor && distances.squared(i) < distances.squared(other);
  }

  /** Row i of the Cholesky factor of K + σI, in place. */
  private void factorise(int i) {
    double[] row = lower[i];
    for (int j = 0; j <= i; j++) {
      double value = row[j];
      for (int k = 0; k < j; k++) {
        value -= row[k] * lower[j][k];
      }
      // K has no negative eigenvalue, so a pivot below σ is rounding.
      row[j] = j < i ? value / lower[j][j] : Math.sqrt(Math.max(value, RIDGE));
    }
  }

  /** The core points, the anchor first. */
  public int[] slots() {
    return slots;
  }

  /** β, one number a core point. */
  public double[] weights(FeatureVector x) {
    distances.fill(points, x, kernel);
    double[] k = Arrays.copyOf(distances.kernel(), slots.length);
    double[] beta = solve(k.clone());
    double captured = 0;
    for (int i = 0; i < k.length; i++) {
      captured += beta[i] * k[i] + RIDGE * beta[i] * beta[i];
    }
    if (distances.squared(0) > 0 && 1 - captured < 2 - 2 * k[0]) {
      return beta;
    }
    double[] alone = new double[k.length];
    alone[0] = 1;
    return alone;
  }

  /** (L·Lᵀ)⁻¹·b, in place. */
  private double[] solve(double[] b) {
    for (int i = 0; i < b.length; i++) {
      for (int k = 0; k < i; k++) {
        b[i] -= lower[i][k] * b[k];
      }
      b[i] /= lower[i][i];
    }
    for (int i = b.length - 1; i >= 0; i--) {
      for (int k = i + 1; k < b.length; k++) {
        b[i] -= lower[k][i] * b[k];
      }
      b[i] /= lower[i][i];
    }
    return b;
  }
}
