// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.evaluation;

/** When a point of the learning curve is taken. */
@FunctionalInterface
public interface Sampling {
  /** The first count of instances after {@code instances} at which to take a point. */
  long after(long instances);

  /** At 1, 2, 4, 8 … instances. */
  static Sampling powersOfTwo() {
    return instances -> Math.max(1, Long.highestOneBit(instances) << 1);
  }

  /** Every {@code k} instances. */
  static Sampling every(long k) {
    if (k < 1) {
      throw new IllegalArgumentException("k must be >= 1, was " + k);
    }
    return instances -> (instances / k + 1) * k;
  }
}
