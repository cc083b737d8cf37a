// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.run;

import io.github.avm4j.Avm;
import io.github.avm4j.cli.progress.Progress;
import io.github.avm4j.evaluation.Figures;
import io.github.avm4j.evaluation.Prequential;
import io.github.avm4j.evaluation.Score;
import io.github.avm4j.model.AvmException;
import io.github.avm4j.pipeline.RowLearner;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * Trains a learner on a stream of rows by prequential evaluation, shows progress and saves.
 *
 * <p>Thread rule: {@link #stop} may be called from another thread. It waits for the current row,
 * saves the model, and no row is learned afterwards.
 */
public final class Training implements Progress.State {
  private final RowLearner rows;
  private final RowInstances stream;
  private final Path model;
  private final SaveEvery saveEvery;
  private final Progress progress;
  private final DoubleSupplier share;
  private final LongSupplier clock;
  private final long start;
  private final Prequential run;
  private long savedRows;
  private long savedAt;
  private boolean stopped;

  /** Read without the monitor: who waits for it alone may wait through many rows. */
  private volatile boolean stopping;

  public Training(
      RowLearner rows,
      RowInstances stream,
      Path model,
      SaveEvery saveEvery,
      Progress progress,
      DoubleSupplier share,
      LongSupplier clock) {
    this.rows = rows;
    this.stream = stream;
    this.model = model;
    this.saveEvery = saveEvery;
    this.progress = progress;
    this.share = share;
    this.clock = clock;
    start = clock.getAsLong();
    savedAt = start;
    run = new Prequential(rows.learner(), Score.of(rows.learner().task(), 1), clock, clock);
  }

  /** Learns from all rows; false if stopped. */
  public boolean run() throws IOException {
    while (!stopping && stream.read()) {
      synchronized (this) {
        if (stopped) {
          return false;
        }
        learn();
        if (saveEvery.isDue(stream.rows() - savedRows, clock.getAsLong() - savedAt)) {
          save();
        }
      }
    }
    synchronized (this) {
      if (stopping) {
        stop();
        return false;
      }
      progress.end(this);
      rows.finish();
      save();
      return true;
    }
  }

  private void learn() {
    boolean learned = false;
    try {
      learned = stream.encode() && step();
    } catch (AvmException e) {
      progress.end(this);
      throw e;
    }
    if (learned) {
      progress.row(this);
    }
  }

  private boolean step() {
    try {
      run.step(stream.x(), stream.y(), stream.weight());
      return true;
    } catch (IllegalArgumentException e) {
      stream.reject(e);
      return false;
    }
  }

  /** Saves after the current row and stops learning. */
  public void stop() throws IOException {
    stopping = true;
    synchronized (this) {
      if (!stopped) {
        stopped = true;
        progress.end(this);
        save();
      }
    }
  }

  private void save() throws IOException {
    Avm.save(rows.toBytes(), model);
    savedRows = stream.rows();
    savedAt = clock.getAsLong();
  }

  @Override
  public long rows() {
    return stream.rows() - stream.skipped();
  }

  @Override
  public Figures figures() {
    return run.score().cumulative();
  }

  @Override
  public int size() {
    return rows.learner().size();
  }

  @Override
  public long nanos() {
    return clock.getAsLong() - start;
  }

  @Override
  public double share() {
    return share.getAsDouble();
  }
}
