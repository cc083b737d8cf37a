// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.http;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bytes of request bodies and large replies that the process holds at one time, bounded by its
 * heap.
 *
 * <ol>
 *   <li>{@link #held} never exceeds {@link #limit} by more than the room of small bodies, which
 *       they have beyond it: a few large bodies that never end leave room for the requests of
 *       others.
 *   <li>Several replies never exceed half of it: clients that do not read theirs leave room for the
 *       requests of others.
 *   <li>Every successful {@link #reserve} is followed by one {@link #release} of the same count,
 *       and so with replies.
 * </ol>
 *
 * <p>Any thread, without a lock.
 */
public final class BodyBudget {
  /** One byte of a body becomes up to eight of arrays and text while it is read. */
  private static final int HEAP_SHARE = 8;

  /** Most bytes of a small body. */
  private static final long SMALL = 16 << 10;

  /** Small bodies may exceed the limit by one of so many parts of it. */
  private static final int ROOM_SHARE = 64;

  private final long limit;
  private final AtomicLong held = new AtomicLong();
  private final AtomicLong replies = new AtomicLong();

  /** At most {@code limit} bytes, at least 1. */
  public BodyBudget(long limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("limit must be >= 1, was " + limit);
    }
    this.limit = limit;
  }

  /** As configured; 0 for an eighth of the heap that this process may use. */
  public static BodyBudget of(long configured) {
    return new BodyBudget(
        configured > 0 ? configured : Math.max(1, Runtime.getRuntime().maxMemory() / HEAP_SHARE));
  }

  /**
   * Most bytes that may be held when one is reserved of a body that declares its length so; -1 if
   * it declares none.
   */
  long most(long declared) {
    return declared >= 0 && declared <= SMALL ? limit + limit / ROOM_SHARE : limit;
  }

  /** Whether {@code bytes} more may be held; they are counted if so. */
  public boolean reserve(long bytes) {
    return reserve(bytes, limit);
  }

  /** The same where {@code most} may be held. */
  boolean reserve(long bytes, long most) {
    if (held.addAndGet(bytes) <= most) {
      return true;
    }
    held.addAndGet(-bytes);
    return false;
  }

  /** Gives back what was reserved. */
  public void release(long bytes) {
    held.addAndGet(-bytes);
  }

  /** Whether a reply of {@code bytes} may be held until its client has taken it. */
  public boolean reserveReply(long bytes) {
    long all = replies.addAndGet(bytes);
    if ((all <= limit / 2 || all == bytes) && reserve(bytes)) {
      return true;
    }
    replies.addAndGet(-bytes);
    return false;
  }

  /** Gives back what was reserved for a reply. */
  public void releaseReply(long bytes) {
    release(bytes);
    replies.addAndGet(-bytes);
  }

  /** Bytes held now. */
  public long held() {
    return held.get();
  }

  /** Most bytes that may be held, but for small bodies. */
  public long limit() {
    return limit;
  }
}
