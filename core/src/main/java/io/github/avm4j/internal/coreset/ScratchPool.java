// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.coreset;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;

/**
 * Scratch of predictions, lent to one thread at a time. There is as much of it as threads predict
 * at once, however many threads there are, and it goes when the model goes. No lock; no allocation
 * while at most as many threads predict as did before.
 */
public final class ScratchPool<T> {
  private static final int SIZE =
      Integer.highestOneBit(8 * Runtime.getRuntime().availableProcessors() + 8);

  private final AtomicReferenceArray<T> slots = new AtomicReferenceArray<>(SIZE);
  private final Supplier<T> fresh;

  /** An empty pool that makes scratch when it has none. */
  public ScratchPool(Supplier<T> fresh) {
    this.fresh = fresh;
  }

  /** Scratch that no other thread has; {@link #give} it back. */
  @SuppressWarnings("NullAway") // an empty slot holds null
  public T take() {
    int home = System.identityHashCode(Thread.currentThread());
    for (int i = 0; i < SIZE; i++) {
      int slot = (home + i) & (SIZE - 1);
      if (slots.getPlain(slot) != null) {
        T scratch = slots.getAndSet(slot, null);
        if (scratch != null) {
          return scratch;
        }
      }
    }
    return fresh.get();
  }

  /** Takes scratch back; what finds no place is left to the garbage collector. */
  @SuppressWarnings("NullAway") // an empty slot holds null
  public void give(T scratch) {
    int home = System.identityHashCode(Thread.currentThread());
    for (int i = 0; i < SIZE; i++) {
      int slot = (home + i) & (SIZE - 1);
      if (slots.getPlain(slot) == null && slots.compareAndSet(slot, null, scratch)) {
        return;
      }
    }
  }
}
