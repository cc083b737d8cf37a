// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.evaluation;

import java.util.Arrays;

/**
 * Weights by actual class (row) and answer (column), growing with the classes. Beyond {@value
 * #MOST} classes only row, column and diagonal sums are kept.
 */
final class Confusion {
  static final int MOST = 1000;

  private double[][] cells = new double[0][];
  private double[] actual = new double[8];
  private double[] answered = new double[8];
  private double[] right = new double[8];
  private boolean hasCells = true;

  void add(int actualClass, int answer, double weight, int classes) {
    reserve(classes);
    actual[actualClass] += weight;
    if (answer != LabelIndex.UNKNOWN) {
      answered[answer] += weight;
      right[actualClass] += actualClass == answer ? weight : 0;
      if (hasCells) {
        cells[actualClass][answer] += weight;
      }
    }
  }

  private void reserve(int classes) {
    if (classes > actual.length) {
      int room = Math.max(classes, 2 * actual.length);
      actual = Arrays.copyOf(actual, room);
      answered = Arrays.copyOf(answered, room);
      right = Arrays.copyOf(right, room);
    }
    if (classes > MOST) {
      hasCells = false;
      cells = new double[0][];
    }
    if (hasCells && classes > cells.length) {
      int room = Math.min(MOST, Math.max(classes, 2 * cells.length));
      int old = cells.length;
      cells = Arrays.copyOf(cells, room);
      for (int r = 0; r < room; r++) {
        cells[r] = r < old ? Arrays.copyOf(cells[r], room) : new double[room];
      }
    }
  }

  /** Σ (weight of class c)·(weight of answer c). */
  double chance(int classes) {
    double sum = 0;
    for (int c = 0; c < Math.min(classes, actual.length); c++) {
      sum += actual[c] * answered[c];
    }
    return sum;
  }

  double actual(int c) {
    return c < actual.length ? actual[c] : 0;
  }

  double recall(int c) {
    return c < right.length ? right[c] / actual[c] : Double.NaN;
  }

  double precision(int c) {
    return c < right.length ? right[c] / answered[c] : Double.NaN;
  }

  boolean hasCells() {
    return hasCells;
  }

  double[][] toArray(int classes) {
    double[][] result = new double[hasCells ? classes : 0][];
    for (int r = 0; r < result.length; r++) {
      result[r] = r < cells.length ? Arrays.copyOf(cells[r], classes) : new double[classes];
    }
    return result;
  }
}
