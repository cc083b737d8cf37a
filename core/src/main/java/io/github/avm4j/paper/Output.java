// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.paper;

/**
 * Which of the iterates w_1, w_2, … a learner predicts with: a weight ω(t) for each w_t, or the
 * last one alone. Output is what {@code predict} and {@code snapshot} show; learning itself always
 * goes on from the last iterate.
 */
public sealed interface Output permits LastIterate, UniformAverage, SuffixAverage, WeightedAverage {

  /**
   * {@return ω(t) of w_t, t ≥ 1} Never called for {@link LastIterate}, nor for a suffix whose T is
   * not known.
   *
   * @param t number of the step, ≥ 1
   */
  double weight(long t);
}
