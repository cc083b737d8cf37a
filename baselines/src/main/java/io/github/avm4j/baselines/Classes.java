// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.baselines;

import io.github.avm4j.config.LearnerConfig;
import java.util.Arrays;

/** The labels seen so far in order of appearance. Finding one costs O(classes). */
final class Classes {
  static final int UNKNOWN = -1;

  private double[] labels = new double[2];
  private int size;

  int size() {
    return size;
  }

  double label(int index) {
    if (index < 0 || index >= size) {
      throw new IndexOutOfBoundsException("class " + index + " of " + size);
    }
    return labels[index];
  }

  int indexOf(double label) {
    for (int i = 0; i < size; i++) {
      if (labels[i] == label) {
        return i;
      }
    }
    return UNKNOWN;
  }

  /** Refuses a label that would be one class too many. */
  void check(double label) {
    if (size == LearnerConfig.MAX_CLASSES && indexOf(label) == UNKNOWN) {
      throw new IllegalArgumentException(
          "label "
              + label
              + " would be class number "
              + (size + 1)
              + "; is this a regression task?");
    }
  }

  int add(double label) {
    if (size == labels.length) {
      labels = Arrays.copyOf(labels, 2 * size);
    }
    labels[size] = label + 0.0;
    return size++;
  }
}
