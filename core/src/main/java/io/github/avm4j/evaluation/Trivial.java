// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.evaluation;

import java.util.Arrays;

/** The two trivial answers for classes: the most frequent label so far, and the previous one. */
final class Trivial {
  private double[] weights = new double[8];
  private int majority = LabelIndex.UNKNOWN;
  private int previous = LabelIndex.UNKNOWN;
  private boolean frozen;

  int majority() {
    return majority;
  }

  int previous() {
    return previous;
  }

  void freeze() {
    frozen = true;
  }

  boolean isFrozen() {
    return frozen;
  }

  void learn(int label, double weight) {
    if (frozen) {
      return;
    }
    if (label >= weights.length) {
      weights = Arrays.copyOf(weights, Math.max(label + 1, 2 * weights.length));
    }
    weights[label] += weight;
    previous = label;
    if (majority == LabelIndex.UNKNOWN || weights[label] > weights[majority]) {
      majority = label;
    }
  }
}
