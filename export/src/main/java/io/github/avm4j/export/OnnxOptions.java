// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

/**
 * How an ONNX graph is made.
 *
 * @param precision the number type
 * @param distances the form of the squared distances
 * @param features width of the input of numbered features, 0 for as many as the model has seen
 * @since 0.1.0
 */
public record OnnxOptions(Precision precision, Distances distances, int features) {

  /**
   * Checks the width.
   *
   * @param precision the number type
   * @param distances the form of the squared distances
   * @param features width of the input of numbered features, 0 for as many as the model has seen
   */
  public OnnxOptions {
    if (features < 0) {
      throw new IllegalArgumentException("features must be >= 0 (0: seen), was " + features);
    }
  }

  /**
   * {@return options with distances in the form that suits the model, and as many features as it
   * has seen}
   *
   * @param precision of the numbers in the file
   */
  public static OnnxOptions of(Precision precision) {
    return new OnnxOptions(precision, Distances.AUTOMATIC, 0);
  }

  /**
   * {@return these options for an input of so many numbered features}
   *
   * @param width number of features, ≥ 1
   */
  public OnnxOptions withFeatures(int width) {
    return new OnnxOptions(precision, distances, width);
  }
}
