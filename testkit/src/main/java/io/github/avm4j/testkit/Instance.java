// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import io.github.avm4j.feature.FeatureVector;

/**
 * One row of a stream.
 *
 * @param x the features
 * @param y the label or number
 * @param weight what multiplies its loss
 */
public record Instance(FeatureVector x, double y, double weight) {

  /**
   * {@return a dense row of weight 1}
   *
   * @param y label or target
   * @param x features
   */
  public static Instance of(double y, double... x) {
    return new Instance(FeatureVector.dense(x), y, 1);
  }

  /**
   * {@return the same row with another weight}
   *
   * @param other weight, ≥ 0
   */
  public Instance withWeight(double other) {
    return new Instance(x, y, other);
  }

  /** {@return the same row with its zeros left out} */
  public Instance sparse() {
    int n = x.dimension();
    int[] indices = new int[n];
    double[] values = new double[n];
    int count = 0;
    for (int j = 0; j < n; j++) {
      if (x.get(j) != 0) {
        indices[count] = j;
        values[count++] = x.get(j);
      }
    }
    return new Instance(FeatureVector.sparse(indices, values, count).copy(), y, weight);
  }
}
