// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.loss;

/** max(0, 1 − y·f). */
public record Hinge() implements Loss {
  @Override
  public double value(double score, double target) {
    return Math.max(0, 1 - target * score);
  }

  /** −y if y·f &lt; 1, else 0. */
  @Override
  public double derivative(double score, double target) {
    return target * score < 1 ? -target : 0;
  }

  @Override
  public double curvature(double score, double target) {
    return 0;
  }

  @Override
  public boolean forClassification() {
    return true;
  }
}
