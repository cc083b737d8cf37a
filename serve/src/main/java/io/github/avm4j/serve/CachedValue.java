// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Cache of one value that is expensive to compute: it is computed at most once per period. While
 * one thread computes a new value, the others get the last one. Thread-safe.
 */
final class CachedValue<T> implements Supplier<T> {
  private final Supplier<T> source;
  private final long nanos;
  private final LongSupplier clock;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile @Nullable Made<T> last;

  private record Made<T>(T value, long when) {}

  /** Values of {@code source}, each for so many nanoseconds. */
  CachedValue(Supplier<T> source, long nanos) {
    this(source, nanos, System::nanoTime);
  }

  CachedValue(Supplier<T> source, long nanos, LongSupplier clock) {
    this.source = source;
    this.nanos = nanos;
    this.clock = clock;
  }

  @Override
  public T get() {
    Made<T> made = last;
    if (made != null && (isFresh(made) || !lock.tryLock())) {
      return made.value;
    }
    if (made == null) {
      lock.lock();
    }
    try {
      Made<T> again = last;
      if (again != null && isFresh(again)) {
        return again.value;
      }
      Made<T> fresh = new Made<>(source.get(), clock.getAsLong());
      last = fresh;
      return fresh.value;
    } finally {
      lock.unlock();
    }
  }

  private boolean isFresh(Made<T> made) {
    return clock.getAsLong() - made.when < nanos;
  }
}
