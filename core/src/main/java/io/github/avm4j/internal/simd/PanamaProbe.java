// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.simd;

import jdk.incubator.vector.DoubleVector;

/** A probe. */
public final class PanamaProbe {
  private PanamaProbe() {}

  /** Lanes. */
  public static int lanes() {
    return DoubleVector.SPECIES_PREFERRED.length();
  }
}
