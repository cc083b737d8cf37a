// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.paper;

/**
 * A δ-coverage: shape and diameter of the cells, each around a core point. It is built on the fly,
 * an instance in no cell being the centre of a new one; {@code KernelLearner.cover} makes the cells
 * of a sample in advance.
 *
 * <p>A coverage is an immutable value; the centres of its cells are in the core set.
 */
public sealed interface Coverage permits Hypersphere, Hyperrectangle {
  /** {@return the diameter δ} */
  double delta();

  /** {@return the largest distance that an instance can have from the core point of its cell} */
  double reach();
}
