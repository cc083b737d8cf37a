// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.Avm;
import io.github.avm4j.config.Task;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.pipeline.RowDetector;
import io.github.avm4j.pipeline.RowLearner;
import java.io.Serializable;
import java.util.List;

/**
 * The initial learner of a job, as bytes that are sent to the workers: a learner of rows with its
 * schema and class names, fixed for the life of the job.
 */
public final class StartFiles implements Serializable {
  private static final long serialVersionUID = 1;

  private final byte[] file;

  /**
   * From a learner that may have learned already. Parsers work in parallel and cannot agree on
   * features for new values of a categorical column, so these are hashed.
   *
   * @param rows the learner, not changed
   */
  public StartFiles(RowLearner rows) {
    file = rows.closed().toBytes();
  }

  /**
   * From a detector of anomalies, which may have learned already. Only its file is of use then.
   *
   * @param rows the detector, not changed
   */
  public StartFiles(RowDetector rows) {
    file = rows.toBytes();
  }

  /** {@return the learner's or detector's file} */
  public byte[] file() {
    return file.clone();
  }

  /** {@return the file of a learner of the same configuration that has learned nothing} */
  public byte[] blank() {
    Learner learner = learner();
    return (learner instanceof AutoLearner auto
            ? Avm.learner(auto.settings())
            : Avm.learner(learner.config()))
        .toBytes();
  }

  /** {@return whether it is the self-configuring learner} */
  public boolean isAuto() {
    return learner() instanceof AutoLearner;
  }

  /** {@return whether it learns classes or numbers} */
  public Task task() {
    return learner().task();
  }

  /** {@return whether it has learned from anything} */
  public boolean hasLearned() {
    return learner().instances() > 0;
  }

  /** {@return the levels of coverage that it keeps for intervals or prediction sets} */
  public List<Double> levels() {
    return learner().calibration().levels();
  }

  private Learner learner() {
    return Learner.fromBytes(file);
  }
}
