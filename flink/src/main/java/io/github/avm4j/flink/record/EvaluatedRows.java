// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.pipeline.RowLearner;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A learner of raw rows with its prequential counts: the state of a partition of a table. Mutable;
 * one thread.
 */
public final class EvaluatedRows {
  private final RowLearner rows;
  private final Tally tally;
  private @Nullable RowEncoder encoder;
  private @Nullable RowEncoder reader;

  /**
   * Starts with a learner and no counts.
   *
   * @param rows the learner
   */
  public EvaluatedRows(RowLearner rows) {
    this(rows, new Tally());
  }

  EvaluatedRows(RowLearner rows, Tally tally) {
    this.rows = rows;
    this.tally = tally;
  }

  /**
   * Predicts, then learns.
   *
   * @param columns names of the row's cells, the same in every call
   * @param row cells and label
   * @return the prediction, NaN while nothing has been learned
   * @throws IllegalArgumentException if the learner does not accept the row
   */
  public double step(List<String> columns, Row row) {
    RowEncoder encode = encoder;
    if (encode == null) {
      encode = rows.encoder(columns);
      encoder = encode;
    }
    double y = rows.target(row);
    FeatureVector x = encode.encode(row);
    double prediction = rows.learner().predictThenLearn(x, y, 1);
    tally.add(rows.learner().task(), prediction, y);
    return prediction;
  }

  /**
   * {@return the prediction for a row that is not learned from; NaN while nothing has been learned}
   *
   * @param columns names of the row's cells, the same in every call
   * @param row cells
   */
  public double predict(List<String> columns, Row row) {
    if (rows.learner().instances() == 0) {
      return Double.NaN;
    }
    RowEncoder encode = reader;
    if (encode == null) {
      encode = rows.reader(columns);
      reader = encode;
    }
    return rows.learner().predict(encode.encode(row));
  }

  /** {@return the learner; callers must not let it learn} */
  public RowLearner rows() {
    return rows;
  }

  /** The counts; callers must not modify them. */
  Tally tally() {
    return tally;
  }

  /** {@return the number of rows predicted and learned from} */
  public long instances() {
    return tally.instances();
  }

  /**
   * {@return the error of the predictions so far: the share of wrong classes, or the root of the
   * mean squared error; NaN before the first}
   */
  public double error() {
    double mean = tally.loss() / tally.instances();
    return rows.learner().task() == Task.CLASSIFICATION ? mean : Math.sqrt(mean);
  }
}
