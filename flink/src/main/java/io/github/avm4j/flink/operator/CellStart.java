// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.CellLearner;
import io.github.avm4j.learner.CellPlan;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.pipeline.RowModel;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The initial state of learning by cells, as bytes that are sent to the workers: the plan as a
 * model of rows, the settings of learners, the rows that the plan was made of, and where reading of
 * the input ended. The same settings and rows give the same bytes.
 */
public final class CellStart implements Serializable {
  /** Of a job that is shown and not started. */
  public static final CellStart NONE = new CellStart(new byte[] {});

  private static final long serialVersionUID = 1;
  private final byte[] file;

  private CellStart(byte[] file) {
    this.file = file;
  }

  /**
   * Makes the plan: a learner of all the rows, frozen, and cells around centres of them.
   *
   * @param start a learner that has learned nothing, with columns and class names
   * @param rows labelled examples
   * @param cells number of cells, ≥ 2
   * @param ends position after the last of the rows, by source
   * @return the start
   * @throws InvalidModelException if the start is not of the self-configuring learner
   * @throws IllegalArgumentException if the learner refuses a row, or there are too few
   */
  public static CellStart make(
      StartFiles start, List<Example> rows, int cells, Map<String, Long> ends)
      throws InvalidModelException {
    return make(start, rows, cells, ends, Map.of());
  }

  /**
   * Makes the plan of rows that were joined with labels: some of those that sources hold, which a
   * job reads from their beginning and passes over with {@link SortRecords}.
   *
   * @param start a learner that has learned nothing, with columns and class names
   * @param rows labelled examples
   * @param cells number of cells, ≥ 2
   * @param joined positions of the rows and of their labels, by source, ascending
   * @return the start
   * @throws InvalidModelException if the start is not of the self-configuring learner
   * @throws IllegalArgumentException if the learner refuses a row, or there are too few
   */
  public static CellStart makeJoined(
      StartFiles start, List<Example> rows, int cells, Map<String, long[]> joined)
      throws InvalidModelException {
    return make(start, rows, cells, Map.of(), joined);
  }

  private static CellStart make(
      StartFiles start,
      List<Example> rows,
      int cells,
      Map<String, Long> ends,
      Map<String, long[]> joined)
      throws InvalidModelException {
    RowModel like = RowModel.read(start.file());
    if (!(Learner.fromBytes(start.blank()) instanceof AutoLearner blank)) {
      throw new InvalidModelException("cells need the self-configuring learner");
    }
    double[] labels = IntStream.range(0, like.classNames().size()).asDoubleStream().toArray();
    AutoLearner learner =
        new AutoLearner(blank.settings().toBuilder().cells(0).labels(labels).build());
    List<FeatureVector> vectors = new ArrayList<>();
    for (Example row : rows) {
      learner.learn(row.x(), row.y(), row.weight());
      vectors.add(row.x());
    }
    CellPlan plan = CellPlan.of(learner, vectors, cells);
    RowModel model = new RowModel(like.schema(), like.target(), like.classNames(), plan.model());
    return new CellStart(
        new PlanFile(model.toBytes(), start.blank(), rows, ends, joined).toBytes());
  }

  /**
   * {@return the start in the bytes of a file}
   *
   * @param file the bytes
   * @throws IOException if they are not such a file
   */
  public static CellStart read(byte[] file) throws IOException {
    CellStart start = new CellStart(file.clone());
    start.plan();
    return start;
  }

  /** {@return the bytes of a file of it} */
  public byte[] toBytes() {
    return file.clone();
  }

  /** {@return a number that other plans hardly share} */
  public long fingerprint() {
    return PlanFile.crc(file, file.length - Long.BYTES);
  }

  /**
   * {@return the plan's file: a model of rows}
   *
   * @throws IOException if the bytes are damaged
   */
  public byte[] model() throws IOException {
    return PlanFile.read(file).plan;
  }

  /**
   * {@return where reading of the input goes on, by source}
   *
   * @throws IOException if the bytes are damaged
   */
  public Map<String, Long> ends() throws IOException {
    return PlanFile.read(file).ends;
  }

  /**
   * {@return the positions of the rows and labels that were joined for the plan, by source; empty
   * if its rows had labels}
   *
   * @throws IOException if the bytes are damaged
   */
  public Map<String, long[]> joined() throws IOException {
    return PlanFile.read(file).joined;
  }

  /**
   * {@return the number of rows that learners of its cells begin with}
   *
   * @throws IOException if the bytes are damaged
   */
  public int rows() throws IOException {
    return PlanFile.read(file).rows.size();
  }

  /**
   * {@return the plan}
   *
   * @throws IOException if the bytes are damaged
   */
  public CellPlan plan() throws IOException {
    PlanFile read = PlanFile.read(file);
    try {
      return new CellPlan(RowModel.read(read.plan).model());
    } catch (IllegalArgumentException e) {
      throw new IOException("this is no plan of cells: " + e.getMessage(), e);
    }
  }

  /**
   * Makes the source of new learners, each trained on the rows of the plan in its cell.
   *
   * @throws IOException if the bytes are damaged
   */
  Beginnings beginnings(CellPlan plan) throws IOException {
    PlanFile read = PlanFile.read(file);
    if (!(Learner.fromBytes(read.blank) instanceof AutoLearner blank)) {
      throw new IOException("the plan's learner is not the self-configuring one");
    }
    return new Beginnings(plan, blank.settings(), read.rows);
  }

  /** Makes the learner of a cell that has none yet. */
  static final class Beginnings {
    private final CellPlan plan;
    private final AutoConfig settings;
    private final Map<Integer, List<Example>> rows = new TreeMap<>();

    private Beginnings(CellPlan plan, AutoConfig settings, List<Example> all) {
      this.plan = plan;
      this.settings = settings;
      for (Example row : all) {
        rows.computeIfAbsent(plan.cellOf(row.x()), cell -> new ArrayList<>()).add(row);
      }
    }

    CellLearner of(int cell) {
      CellLearner learner = new CellLearner(plan, settings);
      for (Example row : rows.getOrDefault(cell, List.of())) {
        learner.begin(row.x(), row.y(), row.weight());
      }
      return learner;
    }
  }
}
