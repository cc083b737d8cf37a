// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.http;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Thread pool for requests that would block an event loop; if its queue is full, they are shed. */
public final class Workers implements AutoCloseable {
  /** Up to this many multiplications, about a millisecond, are done where they arrive. */
  static final long INLINE = 4_000_000;

  private final ThreadPoolExecutor threads;

  /** {@code count} threads with {@code queue} places before them. */
  public Workers(int count, int queue) {
    threads =
        new ThreadPoolExecutor(
            count,
            count,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(queue),
            task -> {
              Thread thread = new Thread(task, "avm-worker");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Does {@code work} on a worker. */
  public <T> CompletableFuture<T> run(Callable<CompletableFuture<T>> work) {
    try {
      CompletableFuture<T> result = new CompletableFuture<>();
      threads.execute(() -> finish(work, result));
      return result;
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(
          Problem.busy("too many large requests just now; try again later"));
    }
  }

  private static <T> void finish(Callable<CompletableFuture<T>> work, CompletableFuture<T> result) {
    try {
      Futures.then(
          work.call(),
          (value, failure) -> {
            if (failure == null) {
              result.complete(value);
            } else {
              result.completeExceptionally(failure);
            }
          });
    } catch (Exception | Error e) {
      result.completeExceptionally(e);
    }
  }

  /** Work that waits. */
  public int waiting() {
    return threads.getQueue().size();
  }

  /** Workers that compute. */
  public int busy() {
    return threads.getActiveCount();
  }

  @Override
  public void close() {
    threads.shutdown();
  }
}
