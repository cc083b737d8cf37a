// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.paper;

/**
 * The policy behind Z_t: whether an instance is replaced by its core point (Z_t = 1) or kept
 * exactly (Z_t = 0).
 */
public sealed interface Approximation permits Always, Never, Bernoulli, Confidence {

  /**
   * Z_t for the step t ≥ 1.
   *
   * @param t number of the step, ≥ 1
   * @param margin y·f, or f_y − max f_j for many classes
   * @param uniform a fresh draw from [0, 1)
   * @return whether the instance is replaced by the core point of its cell
   */
  boolean approximate(long t, double margin, double uniform);

  /** {@return whether a coverage is built at all} */
  default boolean usesCoverage() {
    return true;
  }

  /** {@return whether {@link #approximate} reads its random draw} */
  default boolean isRandom() {
    return false;
  }
}
