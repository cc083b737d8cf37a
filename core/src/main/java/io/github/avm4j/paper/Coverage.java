// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.paper;

/**
 * A δ-coverage built on the fly: which cell of the core set holds an instance. The learner appends
 * the instance as a new centre when none does.
 *
 * <p>Coverages are immutable values; the cells themselves are the core set's centres.
 */
public sealed interface Coverage permits Hypersphere, Hyperrectangle {
  /** {@return the diameter δ} */
  double delta();

  /** {@return the largest distance that an instance can have from the core point of its cell} */
  double reach();
}
