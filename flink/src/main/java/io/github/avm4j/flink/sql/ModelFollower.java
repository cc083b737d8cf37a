// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.sql;

import io.github.avm4j.pipeline.RowModel;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.flink.metrics.Counter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the newest usable model of a source and looks for a newer one in a thread of its own.
 * Whatever goes wrong there, the model before stays in use and the next look comes; each new reason
 * is logged and counted once.
 */
final class ModelFollower implements AutoCloseable, ModelSource.Taker {
  private static final Logger LOG = LoggerFactory.getLogger(ModelFollower.class);

  private final ModelSource source;
  private final Consumer<RowModel> check;
  private final Counter swapped;
  private final Counter refused;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread made = new Thread(task, "avm-model-follower");
            made.setDaemon(true);
            return made;
          });
  private volatile @Nullable LoadedModel model;
  private String problem = "";

  /**
   * Has no model yet.
   *
   * @param check throws {@link IllegalArgumentException} for a model that does not fit
   * @param swapped counts models that took the place of another
   * @param refused counts models that could not be used, and looks that failed
   */
  ModelFollower(ModelSource source, Consumer<RowModel> check, Counter swapped, Counter refused) {
    this.source = source;
    this.check = check;
    this.swapped = swapped;
    this.refused = refused;
  }

  /**
   * Looks once in this thread, then every so often in the background.
   *
   * @throws IOException if there is no usable model; nothing goes on then
   */
  void start(Duration every) throws IOException {
    look();
    if (model == null) {
      close();
      throw new IOException(
          "no model to predict with: " + (problem.isEmpty() ? "the source has none" : problem));
    }
    @SuppressWarnings("unused") // ends with the thread
    Future<?> ignored =
        thread.scheduleWithFixedDelay(
            this::look, every.toMillis(), every.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** The newest usable model. */
  LoadedModel model() {
    LoadedModel now = model;
    if (now == null) {
      throw new IllegalStateException("not started");
    }
    return now;
  }

  /** Catches everything: a scheduled task that throws would silently never run again. */
  private void look() {
    try {
      source.look(this);
    } catch (IOException | RuntimeException | Error e) {
      refuse(e.toString());
    }
  }

  @Override
  public boolean take(String from, ModelSource.Reading reading) {
    try {
      RowModel rows = reading.read();
      check.accept(rows);
      if (model != null) {
        swapped.inc();
        LOG.info("predicting with {} from now on", from);
      }
      model = new LoadedModel(rows, from);
      problem = "";
      return true;
    } catch (IOException | RuntimeException | Error e) {
      refuse(from + ": " + (e.getMessage() == null ? e.toString() : e.getMessage()));
      return false;
    }
  }

  private void refuse(String reason) {
    if (!reason.equals(problem) && !thread.isShutdown()) {
      problem = reason;
      refused.inc();
      LoadedModel now = model;
      LOG.warn(
          "a model is not used: {}; {}",
          reason,
          now == null ? "there is none yet" : now.from() + " stays");
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
    try {
      if (thread.awaitTermination(10, TimeUnit.SECONDS)) {
        source.close();
      } else {
        LOG.warn("the thread that looks for models does not end; what it has open stays so");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
