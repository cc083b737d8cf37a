// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.newton;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.coreset.CoreDistances;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.simd.VectorOps;
import io.github.avm4j.internal.simd.VectorOpsProvider;
import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.kernel.Matern32;
import java.util.Arrays;

/**
 * How much a learned function depends on each feature: its mean squared gradient along it, the
 * diagonal of the average gradient outer product (Radhakrishnan et al., Science 2024). Features
 * that matter little are shrunk by the root of it, or by the root of that, so that they add little
 * to distances.
 *
 * <p>The root itself, as in the literature, is often too bold for a thousand instances: features
 * that matter less, or later, are all but lost (docs/decisions/0036-default-learner.md).
 */
public final class Relevance {
  private static final VectorOps OPS = VectorOpsProvider.get();

  /** The least that a feature is multiplied by, the most relevant by 1. */
  public static final double LEAST = 0.1;

  private static final double STEPS = 64;

  /** Multiplications that gradients may cost; beyond, fewer instances are looked at. */
  private static final double MOST_WORK = 2e8;

  private final Kernel kernel;
  private final CoreSet set;
  private final FeatureVector[] centres;
  private final double[][] coefficients;
  private final CoreDistances distances = new CoreDistances();
  private final double[] slopes;
  private final double[] gradient;

  /**
   * Of a function as it is now, until it learns.
   *
   * @param function of a Gaussian or Matérn 3/2 kernel
   * @param features that are looked at, the first ones
   */
  public Relevance(ExpansionEngine function, int features) {
    this.kernel = function.kernel;
    this.set = function.set;
    this.centres = new FeatureVector[function.size()];
    Arrays.setAll(centres, set::point);
    this.coefficients = function.outputCoefficients();
    this.slopes = new double[centres.length];
    this.gradient = new double[features];
  }

  /**
   * Adds the squared gradients at an instance, up to one factor for all features and instances.
   *
   * @param x as the function gets it
   */
  public void add(FeatureVector x, double[] sums) {
    distances.measure(set, x);
    for (int s = 0; s < slopes.length; s++) {
      slopes[s] = slope(kernel, distances.squared(s));
    }
    for (double[] column : coefficients) {
      addSquares(column, x, sums);
    }
  }

  /** Multiplications that one instance takes. */
  public double work() {
    return (double) centres.length * gradient.length * coefficients.length;
  }

  /** One in so many of these instances is looked at. */
  public int stride(long instances) {
    return (int) Math.min(instances, Math.ceil(Math.max(1, work() * instances / MOST_WORK)));
  }

  /** −k′ of a squared distance, up to one factor for all distances. */
  private static double slope(Kernel kernel, double squared) {
    return kernel instanceof Matern32 matern
        ? Math.exp(-Math.sqrt(3 * squared) * matern.gamma())
        : kernel.value(squared);
  }

  /** Adds the squares of Σ −w_i·k′(‖x − c_i‖²)·(c_i − x), the gradient up to a factor. */
  private void addSquares(double[] w, FeatureVector x, double[] sums) {
    Arrays.fill(gradient, 0);
    double whole = 0;
    for (int s = 0; s < slopes.length; s++) {
      double share = w[s] * slopes[s];
      whole += share;
      add(share, centres[s]);
    }
    add(-whole, x);
    for (int j = 0; j < gradient.length; j++) {
      sums[j] += gradient[j] * gradient[j];
    }
  }

  private void add(double factor, FeatureVector x) {
    if (!x.isSparse()) {
      OPS.addScaled(factor, x.values(), gradient, Math.min(x.count(), gradient.length));
      return;
    }
    for (int k = 0; k < x.count() && x.indices()[k] < gradient.length; k++) {
      gradient[x.indices()[k]] += factor * x.values()[k];
    }
  }

  /**
   * To 64ths, so that the unit of the targets, which rounds gradients otherwise, changes nothing.
   */
  private static double rounded(double factor) {
    return Math.rint(STEPS * factor) / STEPS;
  }

  /**
   * A scaling with features shrunk that matter little.
   *
   * @param plain what is done to features so far
   * @param unit what features are multiplied by where {@code plain} does nothing
   * @param sparse whether vectors are
   * @param squares the mean squared gradients after {@code plain}, up to a factor
   * @param exponent of the squares, relative to the largest
   * @return {@code plain} itself if the function depends on nothing
   */
  public static Scaling shrunk(
      Scaling plain, double unit, boolean sparse, double[] squares, double exponent) {
    double most = Arrays.stream(squares).max().orElse(0);
    if (!(most > 0 && most < Double.POSITIVE_INFINITY)) {
      return plain;
    }
    int features = squares.length;
    double[] shift = new double[features];
    double[] scale = new double[features];
    boolean[] logarithm = new boolean[features];
    for (int j = 0; j < features; j++) {
      double factor = Math.max(LEAST, rounded(Math.pow(squares[j] / most, exponent)));
      boolean known = j < plain.dimension();
      shift[j] = known ? plain.shift(j) : 0;
      scale[j] = factor * (known ? plain.scale(j) : unit);
      logarithm[j] = known && plain.isLogarithmic(j);
    }
    return new Scaling(shift, scale, logarithm, plain.isIdentity() ? sparse : plain.isSparse());
  }
}
