// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.guard;

import com.netflix.concurrency.limits.Limit;
import com.netflix.concurrency.limits.Limiter;
import com.netflix.concurrency.limits.limit.AIMDLimit;
import com.netflix.concurrency.limits.limit.FixedLimit;
import com.netflix.concurrency.limits.limit.WindowedLimit;
import com.netflix.concurrency.limits.limiter.SimpleLimiter;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Who may come in: at most so many requests at once, a number that follows how long they take.
 *
 * <p>Every tenth of a second the mean time from a request's entry to its reply is looked at. While
 * it is longer than the limits' wait, the number falls by a tenth; while it is shorter and the
 * places are used, it rises by one. That is Netflix's limiter with additive increase and
 * multiplicative decrease.
 *
 * <p>For this to measure anything, a request must enter when it is read and be computed after all
 * others that are ready to be read: see {@code Endpoint}. Any thread.
 */
public final class Admission {
  private static final int FEWEST = 16;
  private static final long WINDOW_MILLIS = 100;
  private static final int WINDOW_SAMPLES = 10;
  private static final double BACKOFF = 0.9;

  private final SimpleLimiter<Void> limiter;
  private final LongAdder shed = new LongAdder();

  @SuppressWarnings("deprecation") // a test's clock has no other way in
  private Admission(Limit limit, LongSupplier nanos) {
    limiter = SimpleLimiter.newBuilder().limit(limit).clock(nanos::getAsLong).build();
  }

  /** With the limits' concurrency as the most, and their wait as what is too long. */
  public static Admission adaptive(Limits limits) {
    return adaptive(limits, System::nanoTime);
  }

  static Admission adaptive(Limits limits, LongSupplier nanos) {
    int most = limits.concurrent();
    Limit limit =
        AIMDLimit.newBuilder()
            .initialLimit(most)
            .minLimit(Math.min(FEWEST, most))
            .maxLimit(most)
            .backoffRatio(BACKOFF)
            .timeout(limits.queueMillis(), TimeUnit.MILLISECONDS)
            .build();
    return new Admission(
        WindowedLimit.newBuilder()
            .minWindowTime(WINDOW_MILLIS, TimeUnit.MILLISECONDS)
            .maxWindowTime(WINDOW_MILLIS, TimeUnit.MILLISECONDS)
            .windowSize(WINDOW_SAMPLES)
            .build(limit),
        nanos);
  }

  /** A fixed number, for calls that are never many. */
  public static Admission fixed(int most) {
    return new Admission(FixedLimit.of(most), System::nanoTime);
  }

  /** A place that was given; ended once. */
  public static final class Place {
    private final Limiter.Listener listener;

    private Place(Limiter.Listener listener) {
      this.listener = listener;
    }

    /** The request has its reply. Any thread. */
    public void leave() {
      listener.onSuccess();
    }

    /** The same for a request whose time says nothing of the load: it waited for others. */
    public void leaveUnmeasured() {
      listener.onIgnore();
    }
  }

  /** A place, which must be left; null if there is none. */
  public @Nullable Place enter() {
    Limiter.Listener listener = limiter.acquire(null).orElse(null);
    if (listener == null) {
      shed.increment();
      return null;
    }
    return new Place(listener);
  }

  /** Whether all places are taken, so that a request need not even be read. */
  public boolean isFull() {
    return limiter.getInflight() >= limiter.getLimit();
  }

  /** Counts a request that was refused before it was read. */
  public void refuse() {
    shed.increment();
  }

  /** Requests being worked on. */
  public int inside() {
    return limiter.getInflight();
  }

  /** Most requests that may be worked on now. */
  public int limit() {
    return limiter.getLimit();
  }

  /** Requests shed since the start. */
  public long shed() {
    return shed.sum();
  }
}
