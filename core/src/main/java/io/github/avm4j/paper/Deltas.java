// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.paper;

/** The one check both coverages share. */
final class Deltas {
  private Deltas() {}

  static void check(double delta) {
    if (!(delta > 0 && delta < 1e150)) {
      throw new IllegalArgumentException("delta must be > 0 and < 1e150, was " + delta);
    }
  }
}
