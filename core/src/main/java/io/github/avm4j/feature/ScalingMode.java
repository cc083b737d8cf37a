// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.feature;

/** How features are brought to a common scale. */
public enum ScalingMode {
  /**
   * Dense vectors as {@link #STANDARD}, after a logarithm where the tail is heavy, and leaving
   * features that are only 0 and 1 alone; sparse vectors as {@link #MIN_MAX} unless all values are
   * within ±1.5 already.
   */
  AUTOMATIC,
  /** Features stay as they are. */
  NONE,
  /** Mean 0 and deviation 1; for sparse vectors, whose zeros must stay, root mean square 1. */
  STANDARD,
  /** The range seen becomes 0 to 1; for sparse vectors the largest magnitude becomes 1. */
  MIN_MAX
}
