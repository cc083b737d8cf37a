// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.run;

import io.github.avm4j.Avm;
import io.github.avm4j.cli.failure.FailureException;
import io.github.avm4j.cli.progress.Progress;
import io.github.avm4j.cli.progress.Tally;
import io.github.avm4j.cli.row.RowProblem;
import io.github.avm4j.cli.row.RowSource;
import io.github.avm4j.cli.row.UnusableCells;
import io.github.avm4j.data.OnBadRow;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.pipeline.ClassNames;
import io.github.avm4j.pipeline.RowLearner;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Trains a learner on a stream of rows: predicts, learns, shows progress and saves.
 *
 * <p>Thread rule: {@link #stop} may be called from another thread. It waits for the current row,
 * saves the model, and no row is learned afterwards.
 */
public final class Training implements Progress.State {
  private final RowLearner rows;
  private final Path model;
  private final Progress progress;
  private final DoubleSupplier share;
  private final LongSupplier clock;
  private final long start;
  private final Tally tally;
  private SaveEvery saveEvery = new SaveEvery(0, 0);
  private OnBadRow onBadRow = OnBadRow.FAIL;
  private long savedRows;
  private long savedAt;
  private long read;
  private long skipped;
  private @Nullable String firstSkipped;
  private @Nullable UnusableCells unusable;
  private boolean stopped;

  public Training(
      RowLearner rows, Path model, Progress progress, DoubleSupplier share, LongSupplier clock) {
    this.rows = rows;
    this.model = model;
    this.progress = progress;
    this.share = share;
    this.clock = clock;
    start = clock.getAsLong();
    savedAt = start;
    tally = new Tally(rows.learner().task());
  }

  /** Sets the interval between saves. */
  public void saveEvery(SaveEvery value) {
    saveEvery = value;
  }

  /** Sets what happens at a row that cannot be learned from. */
  public void onBadRow(OnBadRow value) {
    onBadRow = value;
  }

  /** Learns from at most {@code limit} rows; false if stopped. */
  public boolean run(RowSource source, RowEncoder encoder, long limit) throws IOException {
    UnusableCells cells = new UnusableCells(rows.schema(), encoder);
    unusable = cells;
    Row row = new Row();
    while (read < limit && source.next(row)) {
      synchronized (this) {
        if (stopped) {
          return false;
        }
        read++;
        learn(row, source, encoder, cells);
        if (saveEvery.isDue(read - savedRows, clock.getAsLong() - savedAt)) {
          save();
        }
      }
    }
    synchronized (this) {
      if (!stopped) {
        progress.end(this);
        rows.finish();
        save();
      }
      return !stopped;
    }
  }

  private void learn(Row row, RowSource source, RowEncoder encoder, UnusableCells cells) {
    try {
      double target = rows.target(row);
      double prediction =
          rows.learner().predictThenLearn(encoder.encode(row), target, row.weight());
      tally.add(prediction, target);
      cells.count(row, source::position);
    } catch (IllegalArgumentException e) {
      String problem = source.position() + ": " + RowProblem.text(e, rows.schema());
      if (onBadRow != OnBadRow.SKIP) {
        progress.end(this);
        throw new FailureException(problem + " (use --on-bad-row skip to skip such rows)", e);
      }
      skipped++;
      firstSkipped = firstSkipped == null ? problem : firstSkipped;
      return;
    }
    progress.row(this);
  }

  /** Saves after the current row and stops learning. */
  public synchronized void stop() throws IOException {
    if (!stopped) {
      stopped = true;
      progress.end(this);
      save();
    }
  }

  private void save() throws IOException {
    Avm.save(rows.toBytes(), model);
    savedRows = read;
    savedAt = clock.getAsLong();
  }

  /** Number of rows read, learned from or not. */
  public long read() {
    return read;
  }

  /** Note on skipped rows, null if there are none. */
  public @Nullable String skippedNote() {
    return firstSkipped == null
        ? null
        : skipped + " rows could not be learned from, the first: " + firstSkipped;
  }

  /** Notes on cells that could not be used and were treated as missing. */
  public List<String> unusableNotes() {
    return unusable == null ? List.of() : unusable.notes();
  }

  /** Names of the classes seen so far. */
  public ClassNames names() {
    return rows.names();
  }

  /** The learner in training. */
  public Learner learner() {
    return rows.learner();
  }

  @Override
  public Tally tally() {
    return tally;
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
