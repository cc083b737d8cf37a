// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.baselines;

import java.util.Arrays;

/** Coefficients a column, when the number of classes grows. */
final class Columns {
  private Columns() {}

  /** Columns of zeros behind the old ones; a single column f is first split into −f/2 and f/2. */
  static double[][] grown(double[][] columns, int count) {
    double[][] grown = Arrays.copyOf(columns, count);
    for (int j = columns.length; j < count; j++) {
      grown[j] = new double[columns[0].length];
    }
    if (columns.length == 1) {
      for (int i = 0; i < grown[0].length; i++) {
        grown[1][i] = grown[0][i] / 2;
        grown[0][i] = -grown[1][i];
      }
    }
    return grown;
  }
}
