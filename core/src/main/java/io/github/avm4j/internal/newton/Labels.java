// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.newton;

import io.github.avm4j.config.LearnerConfig;
import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/**
 * Labels in order of first appearance: an insert-only map from label to index that never boxes.
 * Labels are not NaN; −0 is 0.
 */
public final class Labels {
  /** Index of a label that was never added. */
  public static final int UNKNOWN = -1;

  private final int most;
  private double[] labels;
  private int[] table;
  private int size;

  /** At most {@link LearnerConfig#MAX_CLASSES} labels, beginning with the known ones. */
  public Labels(double... known) {
    this(LearnerConfig.MAX_CLASSES, known);
  }

  private Labels(int most, double... known) {
    this.most = most;
    labels = new double[Math.max(2, known.length)];
    table = new int[Math.max(8, 2 * Integer.highestOneBit(Math.max(1, 2 * known.length - 1)))];
    for (double label : known) {
      add(label);
    }
  }

  /** No labels yet, and no limit to their number but the heap. */
  public static Labels unlimited() {
    return new Labels(Integer.MAX_VALUE);
  }

  public int size() {
    return size;
  }

  public double label(int index) {
    if (index < 0 || index >= size) {
      throw new IndexOutOfBoundsException("class " + index + " of " + size);
    }
    return labels[index];
  }

  public double[] toArray() {
    return Arrays.copyOf(labels, size);
  }

  public int indexOf(double label) {
    int entry = table[slot(label)];
    return entry == 0 ? UNKNOWN : entry - 1;
  }

  /** Index of a label, which is added if it is new. */
  public int findOrAdd(double label) {
    int index = indexOf(label);
    return index == UNKNOWN ? add(label) : index;
  }

  /** Adds a label that is not among these. */
  public int add(double label) {
    if (size == most) {
      throw new IllegalArgumentException(
          "label "
              + label
              + " would be class number "
              + (size + 1)
              + "; at most "
              + most
              + " are kept (is this a regression task?)");
    }
    if (size == labels.length) {
      labels = Arrays.copyOf(labels, 2 * size);
    }
    labels[size++] = label + 0.0;
    if (2 * size > table.length) {
      table = new int[2 * table.length];
      for (int i = 0; i < size - 1; i++) {
        table[slot(labels[i])] = i + 1;
      }
    }
    table[slot(label)] = size;
    return size - 1;
  }

  /** Gives every class another label; no two may become one. */
  public void rename(DoubleUnaryOperator renamed) {
    double[] old = toArray();
    Arrays.fill(table, 0);
    size = 0;
    for (double label : old) {
      double next = renamed.applyAsDouble(label);
      if (indexOf(next) != UNKNOWN) {
        throw new IllegalArgumentException("two classes would have the label " + next);
      }
      add(next);
    }
  }

  private int slot(double label) {
    long bits = Double.doubleToLongBits(label + 0.0) * 0x9E3779B97F4A7C15L;
    int mask = table.length - 1;
    int h = (int) (bits >>> 40) & mask;
    while (table[h] != 0 && labels[table[h] - 1] != label) {
      h = (h + 1) & mask;
    }
    return h;
  }
}
