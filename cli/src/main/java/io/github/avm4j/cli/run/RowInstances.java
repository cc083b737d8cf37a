// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.run;

import io.github.avm4j.cli.failure.FailureException;
import io.github.avm4j.cli.option.Preview;
import io.github.avm4j.cli.row.RowProblem;
import io.github.avm4j.cli.row.RowSource;
import io.github.avm4j.cli.row.UnusableCells;
import io.github.avm4j.data.OnBadRow;
import io.github.avm4j.data.RowReader;
import io.github.avm4j.evaluation.Instances;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.pipeline.RowLearner;
import java.io.IOException;

/** Raw rows as instances, at most so many; a row that cannot be used is named by its place. */
public final class RowInstances implements Instances {
  private final RowSource source;
  private final RowEncoder encoder;
  private final RowLearner rows;
  private final UnusableCells unusable;
  private final Row row = new Row();
  private final boolean skips;
  private long left;
  private long skipped;
  private FeatureVector x = FeatureVector.dense();
  private double y;

  private RowInstances(
      RowSource source, RowEncoder encoder, RowLearner rows, OnBadRow onBadRow, long limit) {
    this.source = source;
    this.skips = onBadRow == OnBadRow.SKIP;
    this.encoder = encoder;
    this.unusable = new UnusableCells(rows.schema(), encoder);
    this.rows = rows;
    this.left = limit;
  }

  /** All rows of a preview, the first ones included. */
  public static RowInstances of(Preview preview, RowLearner rows, OnBadRow onBadRow, long limit) {
    RowEncoder encoder = rows.encoder(preview.reader().columns());
    return new RowInstances(preview, encoder, rows, onBadRow, limit);
  }

  /** The rows of a reader to predict, encoded as those of {@code rows}. */
  public static RowInstances of(RowReader reader, RowLearner rows, OnBadRow onBadRow) {
    RowEncoder encoder = rows.reader(reader.columns());
    return new RowInstances(RowSource.of(reader), encoder, rows, onBadRow, Long.MAX_VALUE);
  }

  @Override
  public boolean next() throws IOException {
    while (left > 0 && source.next(row)) {
      left--;
      try {
        x = encoder.encode(row);
        y = rows.target(row);
        unusable.count(row, source::position);
        return true;
      } catch (IllegalArgumentException e) {
        refuse(e);
      }
    }
    return false;
  }

  /**
   * Leaves out the row in hand, which an encoder, a learner or a model has refused.
   *
   * @throws FailureException if rows are not to be left out
   */
  void refuse(IllegalArgumentException e) {
    if (!skips) {
      throw new FailureException(
          this
              + ": "
              + RowProblem.text(e, rows.schema())
              + " (--on-bad-row skip leaves such rows out)",
          e);
    }
    skipped++;
  }

  /** Rows left out because they have no label or do not fit. */
  public long skipped() {
    return skipped;
  }

  /** Cells of the rows so far that were taken as missing though they hold something. */
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

  /** Where the instance stands. */
  @Override
  public String toString() {
    return source.position().toString();
  }
}
