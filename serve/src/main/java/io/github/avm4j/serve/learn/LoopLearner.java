// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.learn;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.feature.SchemaFitter;
import io.github.avm4j.pipeline.Pending;
import io.github.avm4j.pipeline.RowLearner;
import io.github.avm4j.pipeline.RowModel;
import io.github.avm4j.pipeline.WaitingRows;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A learner from its first row on, whose columns nobody has named.
 *
 * <p>Until {@link #FIRST} rows the columns are inferred anew with each row, and a fresh learner
 * learns all rows so far: a column that looks like numbers in three rows may not in thirty, and a
 * schema cannot be changed under a learner. At that size the repetition costs less than a second
 * altogether. From then on the columns stay, and rows are learned once.
 *
 * <p>The same rows in the same order give the same learner, however they were grouped and wherever
 * it was stopped between: that is what the journal relies on. For one thread.
 */
final class LoopLearner {
  /** Rows that columns are inferred from. */
  static final int FIRST = 100;

  /**
   * Most columns that are inferred, and most classes. Each costs memory and time in every step, and
   * callers could send new ones without end.
   */
  private static final int MOST_COLUMNS = 1_000;

  private static final int MOST_CLASSES = 1_000;

  private @Nullable RowLearner learner;
  private final List<TaughtRow> first = new ArrayList<>();
  private @Nullable Task task;
  private long before;
  private long rows;
  private final Set<String> columns = new HashSet<>();
  private final Set<String> classes = new HashSet<>();
  private LearnErrors errors = new LearnErrors(false);

  /** Has learned nothing and knows nothing. */
  LoopLearner() {}

  /** Goes on with a learner; callers send what they have, so what it cannot use is ignored. */
  LoopLearner(RowLearner learner) {
    this.learner = learner.lenient();
    RowModel model = learner.snapshot();
    task = model.model().task();
    classes.addAll(model.classNames());
    before = model.model().provenance().instances();
    rows = before;
    errors = new LearnErrors(task == Task.REGRESSION);
  }

  /** Rows learned. */
  long rows() {
    return rows;
  }

  /** Those of its file, which {@link #errors} do not count. */
  long before() {
    return before;
  }

  /** Whether columns are still being inferred. */
  boolean isInferring() {
    return learner == null || !first.isEmpty();
  }

  LearnErrors errors() {
    return errors;
  }

  /** Its task; null before the first row. */
  @Nullable Task task() {
    return task;
  }

  /** The name of the truth in its rows: the target's, else label or target. */
  String target(Truth truth) {
    String name = ownTarget();
    return name.isEmpty() ? (truth.isNumber() ? Truth.TARGET : Truth.LABEL) : name;
  }

  /** The target's name in its file; empty if it has none. */
  String ownTarget() {
    return learner == null ? "" : learner.targetName();
  }

  /** The cells that it learns from; what it has no column for is left out. */
  Map<String, ? extends @Nullable Object> cells(TaughtRow row) {
    if (learner == null || isInferring()) {
      return row.cells();
    }
    Map<String, @Nullable Object> cells = new LinkedHashMap<>();
    for (Column column : learner.schema().columns()) {
      cells.put(column.name(), row.cells().get(column.name()));
    }
    return cells;
  }

  /**
   * Learns a row.
   *
   * @param last whether it is to predict now; while columns are inferred, rows between may be added
   *     without a learner each
   * @throws IllegalArgumentException if it cannot be learned
   */
  void learn(TaughtRow row, boolean last) {
    String refusal = refusal(row);
    if (!refusal.isEmpty()) {
      throw new IllegalArgumentException(refusal);
    }
    begin(row);
    if (!isInferring()) {
      once(Objects.requireNonNull(learner), row);
      count(row);
      return;
    }
    judge(row);
    count(row);
    columns.addAll(row.cells().keySet());
    first.add(row);
    if (last || first.size() >= FIRST) {
      infer();
    }
  }

  /** Learns rows that were learned before; those that were refused then are refused again. */
  void again(List<TaughtRow> all) {
    for (int k = 0; k < all.size(); k++) {
      try {
        learn(all.get(k), k == all.size() - 1);
      } catch (IllegalArgumentException | IllegalStateException e) {
        // as it was then
      }
    }
  }

  /** Why there is no room for a row; empty if there is. */
  String refusal(TaughtRow row) {
    if (isInferring()) {
      long more = row.cells().keySet().stream().filter(name -> !columns.contains(name)).count();
      if (columns.size() + more > MOST_COLUMNS) {
        return "with this row there would be %d columns; at most %d are inferred: name yours in"
                .formatted(columns.size() + more, MOST_COLUMNS)
            + " schema.json";
      }
    }
    boolean full = !row.truth().isNumber() && classes.size() >= MOST_CLASSES;
    return full && !classes.contains(row.truth().className())
        ? MOST_CLASSES + " classes are learned at most; is this a number? Then send \"target\""
        : "";
  }

  /** After it was judged, so that the constant prediction follows. */
  private void count(TaughtRow row) {
    errors.see(row.truth());
    rows++;
    if (!row.truth().isNumber()) {
      classes.add(row.truth().className());
    }
  }

  private void begin(TaughtRow row) {
    if (task == null) {
      task = row.truth().isNumber() ? Task.REGRESSION : Task.CLASSIFICATION;
      errors = new LearnErrors(row.truth().isNumber());
    }
  }

  private void judge(TaughtRow row) {
    RowLearner now = learner;
    if (now == null) {
      return;
    }
    if (task == Task.REGRESSION) {
      errors.numbers(now.predictNumber(row.cells()), (double) row.truth().value());
    } else {
      now.predictClass(row.cells())
          .ifPresent(name -> errors.classes(name, row.truth().className()));
    }
  }

  private void once(RowLearner now, TaughtRow row) {
    if (task == Task.REGRESSION) {
      double truth = (double) row.truth().value();
      errors.numbers(now.predictNumberThenLearn(row.cells(), truth), truth);
      return;
    }
    Optional<String> said = now.predictClassThenLearn(row.cells(), row.truth().value());
    said.ifPresent(name -> errors.classes(name, row.truth().className()));
  }

  private void infer() {
    List<Map<String, ?>> cells = new ArrayList<>();
    first.forEach(row -> cells.add(row.cells()));
    List<String> names = SchemaFitter.columns(cells, FIRST);
    Schema schema = fit(names, cells, Map.of());
    if (schema.dimension() == 0) { // names of rows alone, say: better than to learn nothing
      Map<String, Column.Kind> all = new LinkedHashMap<>();
      names.forEach(name -> all.put(name, Column.Kind.HASHED));
      schema = fit(names, cells, all);
    }
    RowLearner fresh =
        (task == Task.REGRESSION ? RowLearner.regressor(schema) : RowLearner.classifier(schema))
            .build()
            .lenient();
    IllegalArgumentException bad = null;
    for (TaughtRow row : first) {
      try {
        bad = null;
        fresh.learn(row.cells(), row.truth().value());
      } catch (IllegalArgumentException e) {
        bad = e; // of the newest row only: of others it has been said
      }
    }
    learner = fresh;
    if (first.size() >= FIRST) {
      first.clear();
    }
    if (bad != null) {
      throw bad;
    }
  }

  private static Schema fit(
      List<String> names, List<Map<String, ?>> cells, Map<String, Column.Kind> kinds) {
    SchemaFitter fitter = new SchemaFitter(names, kinds);
    cells.forEach(fitter::add);
    return fitter.fit();
  }

  /** A model of what it has learned; null before it can predict. */
  @Nullable RowModel snapshot() {
    RowLearner now = learner;
    if (now == null || rows < 2) {
      return null;
    }
    return now.snapshot();
  }

  /** A file of it and of the rows that wait; null while its journal alone is all there is to it. */
  byte @Nullable [] toBytes(WaitingRows waiting) {
    RowLearner now = learner;
    return now == null || isInferring() ? null : new Pending(now, waiting).toBytes();
  }
}
