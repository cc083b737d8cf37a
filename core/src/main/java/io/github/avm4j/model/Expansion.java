// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.model;

import io.github.avm4j.config.LearnerConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.coreset.CoreDistances;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.coreset.ScratchPool;
import io.github.avm4j.internal.simd.VectorOps;
import io.github.avm4j.internal.simd.VectorOpsProvider;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.kernel.Kernel;
import java.util.Arrays;
import java.util.Objects;

/**
 * A kernel expansion: b + Σ_i w_i·K(g(x), c_i) for each column of coefficients w, with a scaling g
 * and an intercept b of the first column. Immutable; any number of threads may evaluate at once,
 * each with scratch that it takes and gives back.
 */
final class Expansion {
  private static final VectorOps OPS = VectorOpsProvider.get();

  private final Kernel kernel;
  private final CoreSet set;

  /** One a column, with zeros up to {@link VectorOps#weightedExp}'s padding. */
  private final double[][] coefficients;

  private final Scaling scaling;
  private final double intercept;
  private final Calibration calibration;
  private final ScratchPool<Scratch> scratch;

  /** What one evaluation needs; lent to one thread at a time. */
  static final class Scratch {
    final CoreDistances distances = new CoreDistances();
    final Scaling.Scaler scaler;
    final double[] columns;

    /** Room for one score per class; a margin's column has two. */
    final double[] spread;

    Scratch(Scaling scaling, int columns) {
      this.scaler = new Scaling.Scaler(scaling);
      this.columns = new double[columns];
      this.spread = new double[Math.max(2, columns)];
    }
  }

  /**
   * Takes ownership of the core points and the scaling; coefficients are copied.
   *
   * @throws IllegalArgumentException if a column has not one coefficient per core point
   */
  Expansion(
      Kernel kernel, CoreSet set, double[][] coefficients, Scaling scaling, double intercept) {
    this(kernel, set, coefficients, scaling, intercept, Calibration.NONE);
  }

  /** The same expansion, which it shares, whose predictions have been so far off. */
  Expansion(Expansion same, Calibration calibration) {
    this.kernel = same.kernel;
    this.set = same.set;
    this.coefficients = same.coefficients;
    this.scaling = same.scaling;
    this.intercept = same.intercept;
    this.calibration = calibration;
    this.scratch = same.scratch;
  }

  private Expansion(
      Kernel kernel,
      CoreSet set,
      double[][] coefficients,
      Scaling scaling,
      double intercept,
      Calibration calibration) {
    for (double[] column : coefficients) {
      if (column.length != set.size()) {
        throw new IllegalArgumentException(
            set.size() + " core points need as many coefficients, were " + column.length);
      }
    }
    this.kernel = kernel;
    this.set = set;
    this.coefficients = new double[coefficients.length][];
    for (int c = 0; c < coefficients.length; c++) {
      this.coefficients[c] = Arrays.copyOf(coefficients[c], VectorOps.padded(set.size()));
    }
    this.scaling = scaling;
    this.intercept = intercept;
    this.calibration = calibration;
    this.scratch = new ScratchPool<>(() -> new Scratch(scaling, coefficients.length));
  }

  /**
   * Checks that it can be that of a model with these settings and labels.
   *
   * @throws IllegalArgumentException if not
   */
  void checkFits(LearnerConfig config, double[] labels) {
    LearnerConfig.checkLabels(labels);
    boolean regression = config.task() == Task.REGRESSION;
    if (!regression && intercept != 0) {
      throw new IllegalArgumentException("only a regression has an intercept, was " + intercept);
    }
    if (regression && labels.length > 0) {
      throw new IllegalArgumentException("a regression model has no labels, had " + labels.length);
    }
    int expected = regression || labels.length <= 2 ? 1 : labels.length;
    if (columns() != expected) {
      throw new IllegalArgumentException(
          labels.length + " labels need " + expected + " columns, were " + columns());
    }
  }

  /** The same expansion of vectors that are scaled in another way, plus another intercept. */
  Expansion with(Scaling newScaling, double newIntercept) {
    return new Expansion(kernel, set, columnsTimes(1), newScaling, newIntercept, calibration);
  }

  /** All coefficients multiplied by a factor; the intercept stays. */
  Expansion times(double factor) {
    return new Expansion(kernel, set, columnsTimes(factor), scaling, intercept, calibration);
  }

  private double[][] columnsTimes(double factor) {
    double[][] columns = new double[coefficients.length][];
    for (int c = 0; c < columns.length; c++) {
      columns[c] = Arrays.copyOf(coefficients[c], set.size());
      for (int i = 0; i < columns[c].length; i++) {
        columns[c][i] *= factor;
      }
    }
    return columns;
  }

  Calibration calibration() {
    return calibration;
  }

  CoreSet set() {
    return set;
  }

  Scaling scaling() {
    return scaling;
  }

  double intercept() {
    return intercept;
  }

  int columns() {
    return coefficients.length;
  }

  double coefficient(int column, int i) {
    Objects.checkIndex(i, set.size());
    return coefficients[column][i];
  }

  Scratch take() {
    return scratch.take();
  }

  void give(Scratch mine) {
    scratch.give(mine);
  }

  /** The columns' values at x, in scratch. */
  double[] evaluate(FeatureVector x, Scratch mine) {
    mine.distances.measure(set, mine.scaler.scale(x));
    return sum(mine);
  }

  /**
   * The scores of many instances, with the same bits as one by one: two at a time, so that every
   * tile of core points is read once for both.
   */
  void scores(Predictor predictor, FeatureVector[] rows, int n, double[][] out) {
    Scratch first = take();
    Scratch second = take();
    try {
      int r = 0;
      for (; r < n - 1; r += 2) {
        FeatureVector x = first.scaler.scale(rows[r]);
        first.distances.measure(set, x, second.scaler.scale(rows[r + 1]), second.distances);
        Decision.spread(predictor, sum(first), columns(), out[r]);
        Decision.spread(predictor, sum(second), columns(), out[r + 1]);
      }
      if (r < n) {
        Decision.spread(predictor, evaluate(rows[r], first), columns(), out[r]);
      }
    } finally {
      give(first);
      give(second);
    }
  }

  private double[] sum(Scratch mine) {
    double[] columns = mine.columns;
    if (columns.length == 1 && kernel instanceof Gaussian gaussian) {
      columns[0] =
          OPS.weightedExp(
              mine.distances.squared(),
              -gaussian.gamma(),
              coefficients[0],
              mine.distances.kernel(),
              set.size());
    } else {
      mine.distances.applyKernel(kernel);
      for (int c = 0; c < columns.length; c++) {
        columns[c] = OPS.dot(coefficients[c], mine.distances.kernel(), set.size());
      }
    }
    columns[0] += intercept;
    return columns;
  }
}
