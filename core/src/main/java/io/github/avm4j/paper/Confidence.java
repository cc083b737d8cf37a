// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.paper;

/**
 * Approximates where the model is certain already: Z_t = 1 iff y·f ≥ 1. For classification only.
 * With the hinge loss such instances have no gradient, so this keeps every support vector exactly.
 */
public record Confidence() implements Approximation {
  @Override
  public boolean approximate(long t, double margin, double uniform) {
    return margin >= 1;
  }
}
