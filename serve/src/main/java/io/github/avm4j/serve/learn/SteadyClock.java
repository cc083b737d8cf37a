// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.learn;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

/**
 * The time of a clock when this was made, and what has passed since. A clock of the machine that is
 * set forward would end the time of all rows that wait; this one is not set.
 */
public final class SteadyClock extends Clock {
  private final Instant start;
  private final long startNanos;
  private final ZoneId zone;

  /** Begins at the time of {@code clock}. */
  public SteadyClock(Clock clock) {
    this(clock.instant(), System.nanoTime(), clock.getZone());
  }

  private SteadyClock(Instant start, long startNanos, ZoneId zone) {
    this.start = start;
    this.startNanos = startNanos;
    this.zone = zone;
  }

  @Override
  public Instant instant() {
    return start.plus(Duration.ofNanos(System.nanoTime() - startNanos));
  }

  @Override
  public ZoneId getZone() {
    return zone;
  }

  @Override
  public Clock withZone(ZoneId other) {
    return new SteadyClock(start, startNanos, other);
  }
}
