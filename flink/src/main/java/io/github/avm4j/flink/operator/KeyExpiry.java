// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import java.io.IOException;
import java.time.Duration;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.TimerService;
import org.jspecify.annotations.Nullable;

/**
 * When a key has been silent for so long, in event time, that it is forgotten: an example of
 * another key that is so much later ends it, and a stream that stands still ends none. Flink's own
 * time to live of state goes by the clock of the machine, by which a job that reads old records, or
 * was stopped for a day, would forget keys that are not silent.
 *
 * <p>A key ends up to an eighth later than told, so that it has few timers. Counts keys that ended
 * as {@code expiredKeys}.
 */
final class KeyExpiry {
  private static final int STEPS = 8;

  private final long timeToLive;
  private final ValueState<Long> due;
  private final Counter expired;

  private KeyExpiry(RuntimeContext context, long timeToLive) {
    this.timeToLive = timeToLive;
    this.due = context.getState(new ValueStateDescriptor<>("silent-until", Types.LONG));
    this.expired = context.getMetricGroup().counter("expiredKeys");
  }

  /** Null if keys live for ever. */
  static @Nullable KeyExpiry of(RuntimeContext context, Duration timeToLive) {
    return timeToLive.isZero() ? null : new KeyExpiry(context, timeToLive.toMillis());
  }

  /** The key at hand has an example of this time. */
  void seen(long time, TimerService timers) throws IOException {
    long step = Math.max(1, timeToLive / STEPS);
    long end = (Math.floorDiv(time + timeToLive, step) + 1) * step;
    Long before = due.value();
    if (before == null || end > before) {
      due.update(end);
      timers.registerEventTimeTimer(end);
    }
  }

  /** Whether the key at hand ends with a timer. At the end of the input none does. */
  boolean endsAt(long timer, TimerService timers) throws IOException {
    Long end = due.value();
    if (end == null || timer < end || timers.currentWatermark() == Long.MAX_VALUE) {
      return false;
    }
    due.clear();
    expired.inc();
    return true;
  }
}
