// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.paper;

/**
 * P(Z_t = 1) = 0: Algorithm 1, plain kernel SGD. No coverage is built and every instance with a
 * gradient becomes a support vector, so the model grows without bound unless a budget is set.
 */
public record Never() implements Approximation {
  @Override
  public boolean approximate(long t, double margin, double uniform) {
    return false;
  }

  @Override
  public boolean usesCoverage() {
    return false;
  }
}
