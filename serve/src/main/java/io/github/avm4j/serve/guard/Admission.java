// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.guard;

import io.netty.util.concurrent.FastThreadLocal;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Who may come in. A request is shed when too many are being worked on, or when the event loop that
 * carries it stays behind: a round is late that was longer than the limit and held more than {@link
 * #QUEUE} requests; once late rounds have followed each other for {@link #PATIENCE_NANOS}, each
 * further one lowers the share that is let in, by the fourth root of the limit over the round; with
 * time it rises again. So the loop goes on doing work whatever is asked of it: refusing all, which
 * costs more than half of answering, would feed on itself.
 *
 * <p>The round is measured, not guessed: its first request puts a task behind all work that is
 * already due, and the task notes when its turn came. An idle server measures nothing. A pause that
 * found no queue (another process, a garbage collection) sheds nobody, nor does a burst that is
 * worked off in time: one connection of HTTP/2 may bring hundreds of requests into a round.
 */
public final class Admission {
  /** In this time the share rises from nothing to all. */
  private static final double RECOVERY_NANOS = 250e6;

  private static final long PATIENCE_NANOS = 100_000_000;

  /** One round counts for no more of the patience than this: no pause alone uses it up. */
  private static final long LONGEST_NANOS = PATIENCE_NANOS / 2;

  private static final int QUEUE = 8;
  private static final double LEAST = 0.05;

  private final int concurrent;
  private final long queueNanos;
  private final LongSupplier nanos;
  private final AtomicInteger inside = new AtomicInteger();
  private final LongAdder shed = new LongAdder();
  private final FastThreadLocal<Loop> loops =
      new FastThreadLocal<>() {
        @Override
        protected Loop initialValue() {
          return new Loop(queueNanos, nanos);
        }
      };

  /** One event loop's state; only its own thread touches it. */
  private static final class Loop implements Runnable {
    private final long limit;
    private final LongSupplier nanos;
    private boolean measuring;
    private long begun;
    private int requests;
    private long ended;
    private long late;
    private double share = 1;
    private double credit;

    Loop(long limit, LongSupplier nanos) {
      this.limit = limit;
      this.nanos = nanos;
      ended = nanos.getAsLong();
    }

    void begin(Executor eventLoop) {
      long now = nanos.getAsLong();
      recover(now - ended, now - ended > limit);
      measuring = true;
      begun = now;
      eventLoop.execute(this);
    }

    @Override
    public void run() {
      ended = nanos.getAsLong();
      long length = ended - begun;
      if (requests <= QUEUE || length <= limit) {
        recover(length, true);
      } else if (late >= PATIENCE_NANOS) {
        share = Math.max(LEAST, share * Math.sqrt(Math.sqrt((double) limit / length)));
      } else {
        late += Math.min(length, LONGEST_NANOS);
      }
      requests = 0;
      measuring = false;
    }

    /** The share rises with time; once it is whole, a break gives the patience back. */
    private void recover(long time, boolean broken) {
      share = Math.min(1, share + time / RECOVERY_NANOS);
      late = broken && share == 1 ? 0 : late;
    }

    /** Lets its share in, evenly. */
    boolean admits() {
      credit += share;
      boolean in = credit >= 1;
      credit -= in ? 1 : 0;
      return in;
    }
  }

  /** With the limits' concurrency and wait. */
  public Admission(Limits limits) {
    this(limits, System::nanoTime);
  }

  Admission(Limits limits, LongSupplier nanos) {
    this.nanos = nanos;
    this.concurrent = limits.concurrent();
    this.queueNanos = limits.queueMillis() * 1_000_000L;
  }

  /** Whether a request may come in; if so, {@link #leave} must follow. On its event loop only. */
  public boolean enter(Executor eventLoop) {
    Loop loop = loops.get();
    loop.requests++;
    if (!loop.measuring) {
      loop.begin(eventLoop);
    }
    if (loop.admits()) {
      if (inside.incrementAndGet() <= concurrent) {
        return true;
      }
      inside.decrementAndGet();
    }
    shed.increment();
    return false;
  }

  /** Whether all places are taken, so that a request need not even be read. Any thread. */
  public boolean isFull() {
    return inside.get() >= concurrent;
  }

  /** Counts a request that was refused before it was read. */
  public void refuse() {
    shed.increment();
  }

  /** The request has been answered. Any thread. */
  public void leave() {
    inside.decrementAndGet();
  }

  /** Requests being worked on. */
  public int inside() {
    return inside.get();
  }

  /** Requests shed since the start. */
  public long shed() {
    return shed.sum();
  }
}
