// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.evaluation;

import io.github.avm4j.internal.newton.Labels;
import java.util.Arrays;

/**
 * Weights by actual class (row) and predicted class (column), growing with the classes. Beyond
 * {@value #MOST} classes only row, column and diagonal sums are kept.
 */
final class Confusion {
  static final int MOST = 1000;

  private double[][] cells = new double[0][];
  private double[] actual = new double[8];
  private double[] predicted = new double[8];
  private double[] right = new double[8];
  private boolean hasCells = true;

  void add(int actualClass, int prediction, double weight, int classes) {
    reserve(classes);
    actual[actualClass] += weight;
    if (prediction != Labels.UNKNOWN) {
      predicted[prediction] += weight;
      right[actualClass] += actualClass == prediction ? weight : 0;
      if (hasCells) {
        cells[actualClass][prediction] += weight;
      }
    }
  }

  private void reserve(int classes) {
    if (classes > actual.length) {
      int room = Math.max(classes, 2 * actual.length);
      actual = Arrays.copyOf(actual, room);
      predicted = Arrays.copyOf(predicted, room);
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

  /** Σ (weight of class c)·(weight of prediction c). */
  double chance(int classes) {
    double sum = 0;
    for (int c = 0; c < Math.min(classes, actual.length); c++) {
      sum += actual[c] * predicted[c];
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
    return c < right.length ? right[c] / predicted[c] : Double.NaN;
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
