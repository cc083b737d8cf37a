// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.coverage;

import io.github.avm4j.coreset.CoreDistances;
import io.github.avm4j.coreset.CoreSet;
import io.github.avm4j.feature.FeatureVector;

/**
 * A δ-coverage built on the fly: which cell of the core set holds an instance. The learner appends
 * the instance as a new centre when none does.
 *
 * <p>Coverages are immutable values; the cells themselves are the core set's centres.
 */
public sealed interface Coverage permits Hypersphere, Hyperrectangle {
  /** No cell holds the instance. */
  int NONE = -1;

  /** The diameter δ. */
  double delta();

  /**
   * The index of the cell that holds {@code x}, or {@link #NONE}. Reads the distances already
   * filled for x; allocates nothing.
   */
  int find(FeatureVector x, CoreSet set, CoreDistances distances);

  /** The largest distance that an instance can have from the core point of its cell. */
  double reach();
}
