// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.evaluation;

import io.github.avm4j.internal.expansion.Labels;
import java.util.Arrays;

/** Two baselines of a classifier: the most frequent label so far, and the previous label. */
final class ClassBaselines {
  private double[] weights = new double[8];
  private int majority = Labels.UNKNOWN;
  private int previous = Labels.UNKNOWN;
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
    if (majority == Labels.UNKNOWN || weights[label] > weights[majority]) {
      majority = label;
    }
  }
}
