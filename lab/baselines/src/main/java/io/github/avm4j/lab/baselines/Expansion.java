// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.lab.baselines;

import io.github.avm4j.baselines.ColumnLearner;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.coreset.CoreDistances;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.simd.VectorOps;
import io.github.avm4j.internal.simd.VectorOpsProvider;
import io.github.avm4j.kernel.Kernel;
import java.util.Arrays;

/**
 * f_j = Σ_i a_ij·K(c_i, ·), support vectors c_i in core's fast layout, coefficients a column.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>A coefficient is {@code scale} times what is stored, so shrinking all of them is O(1).
 *   <li>Support vectors keep their slots; one is discarded by being replaced.
 * </ol>
 */
final class Expansion {
  private static final VectorOps OPS = VectorOpsProvider.get();
  private static final double SMALLEST_SCALE = 1e-120;

  private final Kernel kernel;
  private final CoreDistances distances = new CoreDistances();
  private final CoreDistances fromPoint = new CoreDistances();
  private CoreSet set = CoreSet.sparse(0);
  private double[][] stored = {new double[32]};
  private double scale = 1;

  Expansion(Kernel kernel) {
    this.kernel = kernel;
  }

  /** Chooses the layout. */
  void begin(FeatureVector first) {
    set = first.isSparse() ? CoreSet.sparse(0) : CoreSet.dense(first.count());
  }

  /** Measures the kernel values of x, which {@link #score} and {@link #kernel} read. */
  void measure(FeatureVector x) {
    distances.fill(set, x, kernel);
  }

  double score(int j) {
    return scale * OPS.dot(stored[j], distances.kernel(), distances.size());
  }

  /** K(x, c_i) of the measured x; valid until the next measurement. */
  double[] kernel() {
    return distances.kernel();
  }

  /** Measures the kernel values of a support vector apart from those of x. */
  double[] kernelOf(int slot) {
    fromPoint.fillFromPoint(set, slot, kernel);
    return fromPoint.kernel();
  }

  /** ‖c_slot − c_i‖² of the last {@link #kernelOf}. */
  double[] squaredOf() {
    return fromPoint.squared();
  }

  double score(int j, double[] kernelValues) {
    return scale * OPS.dot(stored[j], kernelValues, set.size());
  }

  int size() {
    return set.size();
  }

  CoreSet set() {
    return set;
  }

  int columns() {
    return stored.length;
  }

  double coefficient(int j, int slot) {
    return scale * stored[j][slot];
  }

  void setCoefficient(int j, int slot, double value) {
    stored[j][slot] = value / scale;
  }

  void add(int j, int slot, double amount) {
    stored[j][slot] += amount / scale;
  }

  /** Adds factor·direction to the first size() coefficients of a column. */
  void addScaled(int j, double factor, double[] direction) {
    OPS.addScaled(factor / scale, direction, stored[j], set.size());
  }

  /** Multiplies all coefficients. */
  void shrink(double factor) {
    scale *= factor;
    if (scale < SMALLEST_SCALE) {
      for (double[] column : stored) {
        for (int i = 0; i < column.length; i++) {
          column[i] *= scale;
        }
      }
      scale = 1;
    }
  }

  /** Σ_j a_ij². */
  double squaredNorm(int slot) {
    double sum = 0;
    for (double[] column : stored) {
      sum += column[slot] * column[slot];
    }
    return scale * scale * sum;
  }

  /** x as a new support vector with coefficients 0. */
  int append(FeatureVector x) {
    set = set.roomFor(x);
    int slot = set.append(x, true);
    if (slot == stored[0].length) {
      for (int j = 0; j < stored.length; j++) {
        stored[j] = Arrays.copyOf(stored[j], 2 * slot);
      }
    }
    return slot;
  }

  /** x in place of a support vector, with coefficients 0. */
  void replace(int slot, FeatureVector x) {
    set = set.roomFor(x);
    set.replace(slot, x, true);
    for (double[] column : stored) {
      column[slot] = 0;
    }
  }

  void setColumns(int count) {
    stored = ColumnLearner.grown(stored, count);
  }

  long bytes() {
    return set.bytes() + 8L * stored.length * set.size();
  }
}
