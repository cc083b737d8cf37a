// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.paper;

/**
 * The random source of a learner: Steele, Lea and Flood's SplitMix64 (OOPSLA 2014). One long of
 * state, so that a saved learner goes on with the very next draw.
 */
public final class SplitMix64 {
  private long state;

  /**
   * Starts at {@code state}; any value will do.
   *
   * @param state the seed, or a state to go on from
   */
  public SplitMix64(long state) {
    this.state = state;
  }

  /** {@return the whole state} */
  public long state() {
    return state;
  }

  /** {@return the next 64 bits} */
  public long nextLong() {
    state += 0x9E3779B97F4A7C15L;
    long z = state;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** {@return the uniform on [0, 1), 53 bits} */
  public double nextDouble() {
    return (nextLong() >>> 11) * 0x1p-53;
  }
}
