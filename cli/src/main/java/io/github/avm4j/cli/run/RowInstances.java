// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.run;

import io.github.avm4j.cli.inference.Preview;
import io.github.avm4j.cli.inference.RowSource;
import io.github.avm4j.cli.input.RowProblem;
import io.github.avm4j.cli.input.UnusableCells;
import io.github.avm4j.data.OnBadRow;
import io.github.avm4j.data.RowReader;
import io.github.avm4j.evaluation.Instances;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.model.AvmException;
import io.github.avm4j.pipeline.RowLearner;
import java.io.IOException;
import java.util.List;

/** Encodes rows as instances; error messages name the position of the row. */
public final class RowInstances implements Instances {
  private final RowSource source;
  private final RowEncoder encoder;
  private final RowLearner learner;
  private final UnusableCells unusable;
  private final Row row = new Row();
  private final boolean skips;
  private final long limit;
  private boolean keeps;
  private long rows;
  private long skipped;
  private String firstSkipped = "";
  private FeatureVector x = FeatureVector.dense();
  private double y;

  private RowInstances(
      RowSource source, RowEncoder encoder, RowLearner learner, OnBadRow onBadRow, long limit) {
    this.source = source;
    this.skips = onBadRow == OnBadRow.SKIP;
    this.encoder = encoder;
    this.unusable = new UnusableCells(learner.schema(), encoder);
    this.learner = learner;
    this.limit = limit;
  }

  /** Rows to learn from, at most {@code limit}. */
  public static RowInstances of(
      RowSource source, List<String> columns, RowLearner rows, OnBadRow onBadRow, long limit) {
    return new RowInstances(source, rows.encoder(columns), rows, onBadRow, limit);
  }

  /** All rows of a preview, at most {@code limit}. */
  public static RowInstances of(Preview preview, RowLearner rows, OnBadRow onBadRow, long limit) {
    return of(preview, preview.reader().columns(), rows, onBadRow, limit);
  }

  /** Rows of a reader to predict, encoded as those of {@code rows}. */
  public static RowInstances of(RowReader reader, RowLearner rows, OnBadRow onBadRow) {
    RowEncoder encoder = rows.reader(reader.columns());
    return new RowInstances(RowSource.of(reader), encoder, rows, onBadRow, Long.MAX_VALUE);
  }

  /** The same rows, for a caller that keeps them and learns later. */
  public RowInstances kept() {
    keeps = true;
    return this;
  }

  @Override
  public boolean next() throws IOException {
    while (read()) {
      if (encode()) {
        return true;
      }
    }
    return false;
  }

  /** Reads the next row, which counts when it is encoded; false at the end. */
  boolean read() throws IOException {
    return rows < limit && source.next(row);
  }

  /** Encodes the row that was read; false if it is skipped. */
  boolean encode() {
    rows++;
    try {
      x = encoder.encode(row);
      y = learner.target(row);
      unusable.count(row, source::position);
      if (keeps) {
        learner.take();
      }
      return true;
    } catch (IllegalArgumentException e) {
      reject(e);
      return false;
    }
  }

  /**
   * Skips the current row, which an encoder, a learner or a model has rejected.
   *
   * @throws AvmException unless bad rows are skipped
   */
  void reject(IllegalArgumentException e) {
    String problem = this + ": " + RowProblem.text(e, learner.schema());
    if (!skips) {
      throw new AvmException(problem + " (use --on-bad-row skip to skip such rows)", e);
    }
    if (skipped++ == 0) {
      firstSkipped = problem;
    }
  }

  /** Number of rows read, skipped ones too. */
  public long rows() {
    return rows;
  }

  /** Number of skipped rows. */
  public long skipped() {
    return skipped;
  }

  /** Note on rows that were read but not used, empty if there are none. */
  public String skippedNote() {
    return skipped == 0
        ? ""
        : skipped + " rows could not be learned from, the first: " + firstSkipped;
  }

  /** Cells so far that could not be used and were treated as missing. */
  public UnusableCells unusable() {
    return unusable;
  }

  @Override
  public FeatureVector x() {
    return x;
  }

  @Override
  public double y() {
    return y;
  }

  @Override
  public double weight() {
    return row.weight();
  }

  /** Position of the current row. */
  @Override
  public String toString() {
    return source.position().toString();
  }
}
