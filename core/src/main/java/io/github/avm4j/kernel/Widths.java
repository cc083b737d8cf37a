// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.kernel;

/** The one check all kernels share. */
final class Widths {
  private Widths() {}

  static void check(double gamma) {
    if (!(gamma > 0 && gamma < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("gamma must be > 0 and finite, was " + gamma);
    }
  }
}
