// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import java.util.ArrayList;
import java.util.List;

/**
 * Σ_i a_i·Φ(x_i) for one or several columns: a list of coefficients, one row a support vector. Rows
 * that were never named are zero.
 */
final class Coefficients {
  private final List<double[]> rows = new ArrayList<>();
  private int columns;

  Coefficients(int columns) {
    this.columns = columns;
  }

  Coefficients copy() {
    Coefficients result = new Coefficients(columns);
    result.plus(1, this);
    return result;
  }

  int columns() {
    return columns;
  }

  double get(int i, int column) {
    return i < rows.size() ? rows.get(i)[column] : 0;
  }

  void add(int i, int column, double value) {
    while (rows.size() <= i) {
      rows.add(new double[columns]);
    }
    rows.get(i)[column] += value;
  }

  void scale(double factor) {
    for (double[] row : rows) {
      for (int c = 0; c < columns; c++) {
        row[c] *= factor;
      }
    }
  }

  void plus(double factor, Coefficients other) {
    for (int i = 0; i < other.rows.size(); i++) {
      for (int c = 0; c < columns; c++) {
        add(i, c, factor * other.get(i, c));
      }
    }
  }

  /** A class joins: f becomes −f/2, f/2, 0; several columns get a further one of zeros. */
  void addClass() {
    int grown = columns == 1 ? 3 : columns + 1;
    for (int i = 0; i < rows.size(); i++) {
      double[] old = rows.get(i);
      double[] row = new double[grown];
      if (columns == 1) {
        row[0] = -old[0] / 2;
        row[1] = old[0] / 2;
      } else {
        System.arraycopy(old, 0, row, 0, columns);
      }
      rows.set(i, row);
    }
    columns = grown;
  }

  /** wᵀΦ(x) of each column, from K(x, x_i). */
  double[] scores(double[] kernel) {
    double[] result = new double[columns];
    for (int i = 0; i < Math.min(rows.size(), kernel.length); i++) {
      for (int c = 0; c < columns; c++) {
        result[c] += rows.get(i)[c] * kernel[i];
      }
    }
    return result;
  }

  /** Σ_c ‖w_c‖² by the Gram matrix, whose row i holds K(x_i, x_j) for j ≤ i. */
  double squaredNorm(List<double[]> gram) {
    double sum = 0;
    for (int c = 0; c < columns; c++) {
      for (int i = 0; i < rows.size(); i++) {
        double[] row = gram.get(i);
        double inner = 0;
        for (int j = 0; j < i; j++) {
          inner += 2 * get(j, c) * row[j];
        }
        sum += get(i, c) * (inner + get(i, c) * row[i]);
      }
    }
    return sum;
  }

  /** Σ|a_i| of all columns: the scale of its scores. */
  double magnitude() {
    double sum = 0;
    for (double[] row : rows) {
      for (double value : row) {
        sum += Math.abs(value);
      }
    }
    return sum;
  }
}
