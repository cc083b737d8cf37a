// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.guard;

import io.netty.util.concurrent.FastThreadLocal;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Who may come in. A request is shed, unread, when too many are being worked on, or when the event
 * loop that carries it has fallen behind: its last round was longer than the limit and held more
 * than {@link #QUEUE} requests, so that the next one would wait in a queue.
 *
 * <p>The round is measured, not guessed: its first request puts a task behind all work that is
 * already due, and the task notes when its turn came. An idle server measures nothing. A
 * measurement older than {@link #FORGET_NANOS} no longer counts, and a pause that found no queue
 * (another process, a garbage collection) sheds nobody.
 */
public final class Admission {
  private static final long FORGET_NANOS = 100_000_000;
  private static final int QUEUE = 8;

  private final int concurrent;
  private final long queueNanos;
  private final AtomicInteger inside = new AtomicInteger();
  private final LongAdder shed = new LongAdder();
  private final FastThreadLocal<Loop> loops =
      new FastThreadLocal<>() {
        @Override
        protected Loop initialValue() {
          return new Loop();
        }
      };

  /** One event loop's state; only its own thread touches it. */
  private static final class Loop implements Runnable {
    private boolean measuring;
    private long begun;
    private int requests;
    private long ended;
    private long length;
    private int held;

    @Override
    public void run() {
      ended = System.nanoTime();
      length = ended - begun;
      held = requests;
      requests = 0;
      measuring = false;
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
    long now = System.nanoTime();
    boolean behind =
        loop.held > QUEUE && loop.length > queueNanos && now - loop.ended < FORGET_NANOS;
    loop.requests++;
    if (!loop.measuring) {
      loop.measuring = true;
      loop.begun = now;
      eventLoop.execute(loop);
    }
    if (!behind && inside.incrementAndGet() <= concurrent) {
      return true;
    }
    if (!behind) {
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
