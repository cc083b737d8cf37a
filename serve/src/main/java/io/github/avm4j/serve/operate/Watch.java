// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.operate;

import io.github.avm4j.serve.models.ModelSource;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Polls the sources, the certificates and the tokens, with one thread per source, so that one that
 * hangs does not delay the others. Uses the monotonic clock.
 */
public final class Watch implements AutoCloseable {
  private final List<ModelSource> sources;
  private final List<Runnable> others;
  private final int pollMillis;
  private final EventLog log;
  private final ScheduledExecutorService threads;

  /** Of these sources, and what else there is to look at. */
  public Watch(List<ModelSource> sources, List<Runnable> others, int pollMillis, EventLog log) {
    this.log = log;
    this.sources = List.copyOf(sources);
    this.others = List.copyOf(others);
    this.pollMillis = pollMillis;
    threads =
        Executors.newScheduledThreadPool(
            sources.size() + 1,
            task -> {
              Thread thread = new Thread(task, "avm-watch");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Polls once in this thread, then in the background. */
  public void start() {
    for (ModelSource source : sources) {
      survive(source::look);
      every(source::look);
    }
    others.forEach(this::every);
  }

  private void every(Runnable look) {
    @SuppressWarnings("unused") // ends with the threads
    Future<?> ignored =
        threads.scheduleWithFixedDelay(
            () -> survive(look), pollMillis, pollMillis, TimeUnit.MILLISECONDS);
  }

  /** Logs exceptions: a scheduled task that throws would silently never run again. */
  private void survive(Runnable look) {
    try {
      look.run();
    } catch (RuntimeException | Error e) {
      log.warn("watch_failed", "reason", e.toString());
    }
  }

  @Override
  public void close() {
    threads.shutdown();
    try {
      if (!threads.awaitTermination(10, TimeUnit.SECONDS)) {
        threads.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    sources.forEach(ModelSource::close);
  }
}
