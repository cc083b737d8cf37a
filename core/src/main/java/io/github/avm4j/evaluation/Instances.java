// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.evaluation;

import io.github.avm4j.feature.FeatureVector;
import java.io.IOException;

/** A stream of labelled vectors; a cursor, so that nothing need be allocated for an instance. */
public interface Instances {
  /**
   * Moves to the next instance; false at the end.
   *
   * @return false at the end of the stream
   * @throws IOException if the source fails
   */
  boolean next() throws IOException;

  /** {@return the features, valid until {@link #next}} */
  FeatureVector x();

  /** {@return the label, or the target of a regression} */
  double y();

  /** {@return the weight} */
  default double weight() {
    return 1;
  }
}
