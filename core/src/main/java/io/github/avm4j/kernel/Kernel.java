// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.kernel;

/**
 * An isotropic positive semi-definite kernel K(x,x′) = k(‖x−x′‖²) with k(0) = 1 and k decreasing,
 * as the paper's Section 4 and its theorem on the coverage's image require.
 *
 * <p>Kernels are immutable values. Adding one: see CONTRIBUTING.
 */
public sealed interface Kernel permits Gaussian, Laplacian, Matern32, Matern52, RationalQuadratic {

  /** {@return the inverse width; its unit stands in each kernel's formula} */
  double gamma();

  /**
   * k(s) for a squared distance s ≥ 0. The readable definition; {@link #values} must equal it.
   *
   * @param squaredDistance ‖x − x′‖² ≥ 0
   * @return k(s), in (0, 1]
   */
  double value(double squaredDistance);

  /**
   * {@code out[i] = k(squared[i])} for i &lt; n. The arrays must be distinct. Cost: one exponential
   * (or power) per value, vectorised where the JVM has the Vector API; allocates nothing.
   *
   * @param squared squared distances
   * @param out receives the result
   * @param n number of values
   */
  void values(double[] squared, double[] out, int n);

  /**
   * {@return δ_Φ = √(2(1 − k(δ²))): the diameter, in feature space, of the image of a cell of
   * diameter {@code delta} (paper: theorem "coverage image")}
   *
   * @param delta diameter δ of a cell, in (0, 1e150)
   */
  default double imageDiameter(double delta) {
    return Math.sqrt(2 * Math.max(0, 1 - value(delta * delta)));
  }
}
