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
 *
 * <p>A plan may be {@linkplain #renewed renewed} at a savepoint. It then names the plans before it,
 * and for each cell the renewal that gave it its centre, so that learners of cells that are still
 * the same go on.
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
        new PlanFile(model.toBytes(), start.blank(), rows, ends, PlanFile.Origin.NONE, joined)
            .toBytes());
  }

  /**
   * This plan with cells moved to where rows are now; see {@link CellPlan#renewed}. Cells with a
   * new centre begin with those of the rows that are in them. Reading of the input begins, without
   * a savepoint, where it did.
   *
   * @param recent labelled examples that the job has learned from
   * @param most number of cells
   * @return the renewed plan; this one if no cell got a new centre
   * @throws IOException if the bytes are damaged
   * @throws IllegalArgumentException if a row does not fit the plan
   */
  public CellStart renewed(List<Example> recent, int most) throws IOException {
    PlanFile before = PlanFile.read(file);
    CellPlan old = plan();
    CellPlan plan = old.renewed(recent.stream().map(Example::x).toList(), most);
    List<Long> former = new ArrayList<>(before.origin.former);
    former.add(fingerprint());
    int[] since = new int[plan.size()];
    int[] sinceBefore = since();
    for (int cell = 0; cell < since.length; cell++) {
      since[cell] = plan.sharesCell(old, cell) ? sinceBefore[cell] : former.size();
    }
    if (IntStream.of(since).noneMatch(renewal -> renewal == former.size())) {
      return this;
    }
    List<Example> rows = new ArrayList<>();
    int[] cellOfRow = rows(before, old, recent, plan, since, rows);
    RowModel like = RowModel.read(before.plan);
    RowModel model = new RowModel(like.schema(), like.target(), like.classNames(), plan.model());
    PlanFile.Origin origin = new PlanFile.Origin(cellOfRow, begun(), former, since);
    return new CellStart(
        new PlanFile(model.toBytes(), before.blank, rows, before.ends, origin, before.joined)
            .toBytes());
  }

  /**
   * Adds the rows that learners of cells begin with: recent ones for cells with a new centre, for
   * the others those they had.
   *
   * @return the cell of each
   */
  private static int[] rows(
      PlanFile before,
      CellPlan old,
      List<Example> recent,
      CellPlan plan,
      int[] since,
      List<Example> rows) {
    int renewal = before.origin.former.size() + 1;
    IntStream.Builder cells = IntStream.builder();
    int[] cellBefore = cellOfRow(before, old);
    for (int k = 0; k < cellBefore.length; k++) {
      if (since[cellBefore[k]] != renewal) {
        rows.add(before.rows.get(k));
        cells.add(cellBefore[k]);
      }
    }
    for (Example row : recent) {
      int cell = plan.cellOf(row.x());
      if (since[cell] == renewal) {
        rows.add(row);
        cells.add(cell);
      }
    }
    return cells.build().toArray();
  }

  private static int[] cellOfRow(PlanFile file, CellPlan plan) {
    return file.isRenewed()
        ? file.origin.cellOfRow
        : file.rows.stream().mapToInt(row -> plan.cellOf(row.x())).toArray();
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
   * {@return the fingerprints of the plans that this one renews, the first of them first}
   *
   * @throws IOException if the bytes are damaged
   */
  public List<Long> former() throws IOException {
    return PlanFile.read(file).origin.former;
  }

  /** For each cell the renewal that gave it its centre, from 1; 0 for the first plan. */
  int[] since() throws IOException {
    PlanFile read = PlanFile.read(file);
    return read.isRenewed() ? read.origin.since : new int[plan().size()];
  }

  /**
   * {@return the number of cells that the last renewal gave a new centre}
   *
   * @throws IOException if the bytes are damaged
   */
  public int renewedCells() throws IOException {
    int last = former().size();
    return last == 0 ? 0 : (int) IntStream.of(since()).filter(renewal -> renewal == last).count();
  }

  /** The rows of the first plan, which are counted as learned from. */
  long begun() throws IOException {
    PlanFile read = PlanFile.read(file);
    return read.isRenewed() ? read.origin.begun : read.rows.size();
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
      CellPlan plan = new CellPlan(RowModel.read(read.plan).model());
      if (read.isRenewed() && read.origin.since.length != plan.size()) {
        throw new IOException("the plan has another number of cells than its renewal");
      }
      return plan;
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
    return new Beginnings(plan, blank.settings(), read.rows, cellOfRow(read, plan));
  }

  /** Makes the learner of a cell that has none yet. */
  static final class Beginnings {
    private final CellPlan plan;
    private final AutoConfig settings;
    private final Map<Integer, List<Example>> rows = new TreeMap<>();

    private Beginnings(CellPlan plan, AutoConfig settings, List<Example> all, int[] cellOfRow) {
      this.plan = plan;
      this.settings = settings;
      for (int k = 0; k < cellOfRow.length; k++) {
        rows.computeIfAbsent(cellOfRow[k], cell -> new ArrayList<>()).add(all.get(k));
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
