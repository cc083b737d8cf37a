// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.newton;

/**
 * Columns of coefficients: one margin for up to two classes, one column per class for more.
 *
 * <p>The margin f is negative for the first label and positive for the second. A third class turns
 * it into columns −f/2 and f/2.
 */
public final class Columns {
  private Columns() {}

  /** Number of columns for so many classes; 0 classes for regression. */
  public static int count(int classes) {
    return classes > 2 ? classes : 1;
  }

  /** Turns the first column f into −f/2 and f/2, the second being 0. */
  public static void splitFirst(double[][] columns) {
    for (int i = 0; i < columns[0].length; i++) {
      double half = columns[0][i] / 2;
      // Not −half: places without a core point must stay 0, not −0, as in a restored learner.
      columns[0][i] = 0 - half;
      columns[1][i] = half;
    }
  }
}
