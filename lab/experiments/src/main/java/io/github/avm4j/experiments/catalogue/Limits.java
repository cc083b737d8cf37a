// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.catalogue;

import java.time.Duration;

/**
 * What a download may cost.
 *
 * @param connect longest wait for a connection and for a response's first line
 * @param silence longest time without a byte
 * @param attempts how often a broken download is taken up again
 */
public record Limits(Duration connect, Duration silence, int attempts) {
  /**
   * Checks the ranges.
   *
   * @param connect longest wait for a connection and for a response's first line
   * @param silence longest time without a byte
   * @param attempts how often a broken download is taken up again
   */
  public Limits {
    if (connect.isNegative() || connect.isZero() || silence.isNegative() || silence.isZero()) {
      throw new IllegalArgumentException("times must be > 0, were " + connect + ", " + silence);
    }
    if (attempts < 1) {
      throw new IllegalArgumentException("attempts must be >= 1, was " + attempts);
    }
  }

  /** {@return the usual limits: half a minute for a response and for silence, four attempts} */
  public static Limits usual() {
    return new Limits(Duration.ofSeconds(30), Duration.ofSeconds(30), 4);
  }
}
