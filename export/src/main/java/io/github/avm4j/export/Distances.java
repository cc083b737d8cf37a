// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

/**
 * How an ONNX graph computes ‖x − c‖² for N rows, S core points and d features. In every form both
 * are moved by the mean of the core points first. A model with cells is evaluated row by row, by
 * differences whatever is chosen here.
 *
 * @since 0.1.0
 */
public enum Distances {
  /**
   * Products while they cost no kernel value more than about 64 units of its last place, else
   * differences. Always differences for the Laplacian kernel, whose root of the distance turns an
   * error of ε into √ε.
   */
  AUTOMATIC,
  /** ‖x‖² − 2xᵀc + ‖c‖², one matrix product: fast, loses digits where x is very near c. */
  PRODUCTS,
  /** Σ(x − c)², exact to rounding; needs room for N·S·d numbers. */
  DIFFERENCES
}
