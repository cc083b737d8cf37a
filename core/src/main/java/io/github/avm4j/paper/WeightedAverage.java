// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.paper;

/**
 * Σ t·w_t / Σ t: late iterates count more. Not in the paper; see Lacoste-Julien, Schmidt and Bach
 * (arXiv:1212.2002, 2012) for its O(1/T) rate.
 */
public record WeightedAverage() implements Output {
  @Override
  public double weight(long t) {
    return t;
  }
}
