// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.loss;

import org.jspecify.annotations.Nullable;

/** A probe. */
public final class Probe {
  private Probe() {}

  /**
   * Twice the larger of the two, or zero.
   *
   * @param a one
   * @param b other
   * @return the value
   */
  public static int probe(int a, @Nullable Integer b) {
    if (b == null) {
      return 0;
    }
    return a > b ? 2 * a : 2 * b;
  }
}
