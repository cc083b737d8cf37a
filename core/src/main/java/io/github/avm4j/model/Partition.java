// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.model;

import io.github.avm4j.feature.FeatureVector;

/**
 * A division of the input space into cells, numbered from 0: around centres, or by thresholds on
 * single features. Immutable and safe for any number of threads.
 */
public sealed interface Partition permits Centres, SplitTree {
  /** {@return the number of cells} */
  int size();

  /**
   * {@return the cell of x; nothing is allocated once as many threads have asked at once before}
   *
   * @param x features of the instance
   */
  int indexOf(FeatureVector x);

  /** {@return the number of features it knows} */
  int dimension();

  /** {@return whether instances are sparse and may have any number of features} */
  boolean isOpenEnded();
}
