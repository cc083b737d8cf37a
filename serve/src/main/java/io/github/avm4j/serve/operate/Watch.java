// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.operate;

import io.github.avm4j.serve.http.EventLog;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Looks at certificates, tokens and what detectors learned, in one thread. Monotonic clock. */
public final class Watch implements AutoCloseable {
  private final List<Runnable> looks;
  private final int pollMillis;
  private final EventLog log;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread made = new Thread(task, "avm-watch");
            made.setDaemon(true);
            return made;
          });

  /** Of what there is to look at. */
  public Watch(List<Runnable> looks, int pollMillis, EventLog log) {
    this.looks = List.copyOf(looks);
    this.pollMillis = pollMillis;
    this.log = log;
  }

  /** Begins to look. */
  public void start() {
    for (Runnable look : looks) {
      @SuppressWarnings("unused") // ends with the thread
      Future<?> ignored =
          thread.scheduleWithFixedDelay(
              () -> survive(look), pollMillis, pollMillis, TimeUnit.MILLISECONDS);
    }
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
    thread.shutdown();
    try {
      if (!thread.awaitTermination(10, TimeUnit.SECONDS)) {
        thread.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
