// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.model;

import io.github.avm4j.feature.FeatureVector;
import java.util.Objects;

/** The check at the door that a vector has the features a model knows. */
public final class Shape {
  private Shape() {}

  /**
   * Checks {@code x} against a fixed number of features; 0 means none is fixed.
   *
   * @param x features of the instance
   * @param dimension number of features; 0 if none is fixed
   */
  public static void check(FeatureVector x, int dimension) {
    Objects.requireNonNull(x, "x is null: an instance's features are needed");
    if (!x.isSparse() && x.count() == 0) {
      throw new IllegalArgumentException("x has no features");
    }
    if (dimension == 0) {
      return;
    }
    if (!x.isSparse() && x.count() != dimension) {
      throw new IllegalArgumentException(
          "x has " + x.count() + " features, this model has " + dimension);
    }
    if (x.isSparse() && x.dimension() > dimension) {
      throw new IllegalArgumentException(
          "x has feature "
              + (x.dimension() - 1)
              + ", this model has features 0.."
              + (dimension - 1));
    }
  }
}
