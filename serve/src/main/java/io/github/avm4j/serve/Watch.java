// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve;

import io.github.avm4j.serve.guard.Certificates;
import io.github.avm4j.serve.repository.ModelSource;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the sources and the certificates again and again, one thread each source, so that one
 * that hangs does not hold up the others. Time is the monotonic clock's.
 */
final class Watch implements AutoCloseable {
  private final List<ModelSource> sources;
  private final @Nullable Certificates certificates;
  private final int pollMillis;
  private final ScheduledExecutorService threads;

  Watch(List<ModelSource> sources, @Nullable Certificates certificates, int pollMillis) {
    this.sources = List.copyOf(sources);
    this.certificates = certificates;
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
      source.look();
      every(source::look);
    }
    if (certificates != null) {
      every(certificates::look);
    }
  }

  private void every(Runnable look) {
    @SuppressWarnings("unused") // ends with the threads
    Future<?> ignored =
        threads.scheduleWithFixedDelay(look, pollMillis, pollMillis, TimeUnit.MILLISECONDS);
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
