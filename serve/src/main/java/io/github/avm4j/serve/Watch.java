// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve;

import io.github.avm4j.serve.repository.ModelSource;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Looks at the sources, the certificates and the tokens again and again, one thread each source, so
 * that one that hangs does not hold up the others. Time is the monotonic clock's.
 */
final class Watch implements AutoCloseable {
  private final List<ModelSource> sources;
  private final List<Runnable> others;
  private final int pollMillis;
  private final EventLog log;
  private final ScheduledExecutorService threads;

  Watch(List<ModelSource> sources, List<Runnable> others, int pollMillis, EventLog log) {
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

  /** Looks once here, then goes on in the background. */
  void start() {
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

  /** A task that throws would never be run again, and nobody would hear of it. */
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
