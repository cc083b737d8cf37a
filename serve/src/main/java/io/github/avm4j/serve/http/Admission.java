// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.http;

import com.netflix.concurrency.limits.Limiter;
import com.netflix.concurrency.limits.limit.SettableLimit;
import com.netflix.concurrency.limits.limiter.SimpleLimiter;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Admission control: admits as many concurrent requests as can be computed within the limits' wait,
 * by Little's law: the wait divided by the mean time of computing one, for each processor. The time
 * is that of the computation alone. Waiting is not in it, nor the refusing of others, so an
 * overload does not lower the limit and thereby feed on itself.
 *
 * <p>For this to bound the wait, a request must enter when it is read and be computed after all
 * others that are ready to be read: see {@code Endpoint}. Any thread.
 */
public final class Admission {
  private static final int FEWEST = 16;

  /** Weight of the newest in the mean. */
  private static final double NEWEST = 1.0 / 64;

  /** One pause of the machine counts for no more than this. */
  private static final double LONGEST_NANOS = 50e6;

  private final SimpleLimiter<Void> limiter;
  private final SettableLimit limit;
  private final int most;
  private final double waitNanos;
  private final LongAdder shed = new LongAdder();

  /** Mean of what a request takes; threads may overwrite each other's, which harms nothing. */
  private volatile double meanNanos;

  private Admission(int most, double waitNanos) {
    this.most = most;
    this.waitNanos = waitNanos;
    limit = SettableLimit.startingAt(most);
    limiter = SimpleLimiter.newBuilder().limit(limit).build();
  }

  /** With the limits' concurrency as the most, and their wait. */
  public static Admission adaptive(Limits limits) {
    return adaptive(limits, Runtime.getRuntime().availableProcessors());
  }

  static Admission adaptive(Limits limits, int processors) {
    return new Admission(limits.concurrent(), 1e6 * limits.queueMillis() * processors);
  }

  /** A fixed number, for calls that are never many. */
  public static Admission fixed(int most) {
    return new Admission(most, Double.POSITIVE_INFINITY);
  }

  /** A place that was given; ended once. */
  public final class Place {
    private final Limiter.Listener listener;

    private Place(Limiter.Listener listener) {
      this.listener = listener;
    }

    /** The request has its reply, which took so long to compute. Any thread. */
    public void leave(long nanos) {
      listener.onSuccess();
      took(nanos);
    }

    /** The same for a request whose time says nothing of the load: it waited for others. */
    public void leaveUnmeasured() {
      listener.onIgnore();
    }
  }

  private void took(long nanos) {
    double mean = meanNanos + NEWEST * (Math.min(nanos, LONGEST_NANOS) - meanNanos);
    meanNanos = mean;
    int now = (int) Math.max(Math.min(FEWEST, most), Math.min(most, waitNanos / mean));
    int before = limit.getLimit();
    if (Math.abs(now - before) > before / 16) {
      limit.setLimit(now);
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

  /** Whether all places are taken, so that a request's body need not be read. */
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
