// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.evaluation;

import java.util.Arrays;

/** From labels to indices in order of first appearance: a hash table without boxes. */
final class LabelIndex {
  static final int UNKNOWN = -1;

  private double[] labels = new double[8];
  private int[] table = new int[16];
  private int size;

  LabelIndex() {
    Arrays.fill(table, UNKNOWN);
  }

  int size() {
    return size;
  }

  double label(int index) {
    return labels[index];
  }

  /** The index of a label, or {@link #UNKNOWN}. */
  int find(double label) {
    return table[slot(label)];
  }

  /** The index of a label that may be new. */
  int add(double label) {
    int slot = slot(label);
    if (table[slot] != UNKNOWN) {
      return table[slot];
    }
    if (2 * size >= table.length) {
      grow();
      slot = slot(label);
    }
    if (size == labels.length) {
      labels = Arrays.copyOf(labels, 2 * size);
    }
    labels[size] = label;
    table[slot] = size;
    return size++;
  }

  private int slot(double label) {
    long bits = Double.doubleToLongBits(label + 0.0) * 0x9E3779B97F4A7C15L;
    int slot = (int) (bits >>> 40) & (table.length - 1);
    while (table[slot] != UNKNOWN && labels[table[slot]] != label) {
      slot = (slot + 1) & (table.length - 1);
    }
    return slot;
  }

  private void grow() {
    table = new int[2 * table.length];
    Arrays.fill(table, UNKNOWN);
    for (int j = 0; j < size; j++) {
      table[slot(labels[j])] = j;
    }
  }
}
