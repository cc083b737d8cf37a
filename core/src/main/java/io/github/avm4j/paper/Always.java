// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.paper;

/** P(Z_t = 1) = 1: the sparsest model, the paper's choice in its experiments. */
public record Always() implements Approximation {
  @Override
  public boolean approximate(long t, double margin, double uniform) {
    return true;
  }
}
