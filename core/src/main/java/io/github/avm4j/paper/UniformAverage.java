// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.paper;

/** w̄_T = (1/T)·Σ_{t=1..T} w_t, the output of Algorithms 1, 2 and 5. */
public record UniformAverage() implements Output {
  @Override
  public double weight(long t) {
    return 1;
  }
}
