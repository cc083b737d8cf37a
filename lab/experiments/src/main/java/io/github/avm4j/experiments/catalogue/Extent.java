// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.catalogue;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How much of the set that the literature means is here. */
public enum Extent {
  /** All of it. */
  @JsonProperty("whole")
  WHOLE,
  /** Some of its files or rows. */
  @JsonProperty("partial")
  PARTIAL,
  /** Other data of the same kind. */
  @JsonProperty("stand-in")
  STAND_IN
}
