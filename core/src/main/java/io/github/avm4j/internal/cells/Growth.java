// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.cells;

import io.github.avm4j.internal.expansion.Engine;
import io.github.avm4j.internal.expansion.StoredInstances;

/**
 * Makes the engines of cells.
 *
 * @param <E> their kind
 */
@FunctionalInterface
public interface Growth<E extends Engine> {
  /** An engine fitted to the instances of a cell, whose vectors it may keep. */
  E fit(StoredInstances instances);
}
