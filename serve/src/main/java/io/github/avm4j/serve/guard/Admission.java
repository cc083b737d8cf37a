// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.guard;

import io.netty.util.concurrent.FastThreadLocal;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Who may come in. A request is shed, unread, when too many are being worked on, or when the event
 * loop that carries it falls behind: each round that was longer than the limit and held more than
 * {@link #QUEUE} requests lowers the share that is let in, in the proportion of the limit to the
 * round; with time it rises again. So the loop goes on doing work whatever is asked of it: refusing
 * all, which costs more than half of answering, would feed on itself.
 *
 * <p>The round is measured, not guessed: its first request puts a task behind all work that is
 * already due, and the task notes when its turn came. An idle server measures nothing, and a pause
 * that found no queue (another process, a garbage collection) sheds nobody.
 */
public final class Admission {
  /** In this time the share rises from nothing to all. */
  private static final double RECOVERY_NANOS = 250e6;

  private static final int QUEUE = 8;
  private static final double SHARPEST = 0.5;
  private static final double LEAST = 0.05;

  private final int concurrent;
  private final long queueNanos;
  private final AtomicInteger inside = new AtomicInteger();
  private final LongAdder shed = new LongAdder();
  private final FastThreadLocal<Loop> loops =
      new FastThreadLocal<>() {
        @Override
        protected Loop initialValue() {
          return new Loop(queueNanos);
        }
      };

  /** One event loop's state; only its own thread touches it. */
  private static final class Loop implements Runnable {
    private final long limit;
    private boolean measuring;
    private long begun;
    private int requests;
    private long ended = System.nanoTime();
    private double share = 1;
    private double credit;

    Loop(long limit) {
      this.limit = limit;
    }

    void begin(long now, Executor eventLoop) {
      share = Math.min(1, share + (now - ended) / RECOVERY_NANOS);
      measuring = true;
      begun = now;
      eventLoop.execute(this);
    }

    @Override
    public void run() {
      ended = System.nanoTime();
      long length = ended - begun;
      share =
          requests > QUEUE && length > limit
              ? Math.max(LEAST, share * Math.max(SHARPEST, (double) limit / length))
              : Math.min(1, share + length / RECOVERY_NANOS);
      requests = 0;
      measuring = false;
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
    this.concurrent = limits.concurrent();
    this.queueNanos = limits.queueMillis() * 1_000_000L;
  }

  /** Whether a request may come in; if so, {@link #leave} must follow. On its event loop only. */
  public boolean enter(Executor eventLoop) {
    Loop loop = loops.get();
    loop.requests++;
    if (!loop.measuring) {
      loop.begin(System.nanoTime(), eventLoop);
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
