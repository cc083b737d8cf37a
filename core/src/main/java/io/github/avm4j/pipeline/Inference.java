// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.pipeline;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.NearestNames;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.feature.SchemaFitter;
import io.github.avm4j.learner.AutoLearner;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is inferred from the first rows of a stream: the columns, the task, and why. {@code avm
 * train} starts with it, so that rows in Java and the same rows in a file give the same learner.
 *
 * <pre>{@code
 * Inference inferred = Inference.of(rows, "bought"); // rows are maps from names to values
 * System.out.println(inferred); // classification (2 classes so far, inferred) of bought from …
 * inferred.notes().forEach(System.out::println); // task: classification, because …
 * RowLearner learner = inferred.learner(); // has learned nothing yet
 * }</pre>
 *
 * <p>Options that notes name are those of the command. In Java, {@link SchemaFitter} sets the kinds
 * of columns, {@link io.github.avm4j.feature.CellReader#withMissing} what {@code --missing} sets,
 * and {@link RowLearner#classifier} or {@link RowLearner#regressor} the task. Immutable.
 */
public final class Inference {
  /** Number of rows that are looked at. */
  public static final int ROWS = 1000;

  private static final int MOST_CLASSES = 50;

  private final Schema schema;
  private final Task task;
  private final boolean taskSet;
  private final String target;
  private final int classes;
  private final List<String> notes = new ArrayList<>();

  private Inference(
      SchemaFitter fitter, List<Row> rows, String target, @Nullable Task task, boolean declared) {
    schema = fitter.fit();
    if (!schema.isNumbered() && schema.dimension() == 0) {
      throw new IllegalArgumentException(noFeatures(fitter.examples()));
    }
    taskSet = task != null;
    this.target = target;
    Set<String> labels = new HashSet<>();
    long labelled = 0;
    for (Row row : rows) {
      if (row.labelKind() != Row.Kind.MISSING) {
        labels.add(row.labelText());
        labelled++;
      }
    }
    classes = labels.size();
    if (task != null) {
      this.task = task;
    } else {
      TargetInference inferred = TargetInference.of(rows, target, declared);
      this.task = inferred.task();
      notes.add(inferred.line());
    }
    notes.addAll(InferenceNotes.of(fitter.findings()));
    if (this.task == Task.CLASSIFICATION && classes > MOST_CLASSES && 2L * classes >= labelled) {
      notes.add(
          "nearly every label is new: "
              + classes
              + " classes in "
              + labelled
              + " rows. If they are numbers, use --task regression; to predict another column, use"
              + " --label");
    }
  }

  /**
   * Infers from the first {@link #ROWS} of rows that are given by column name.
   *
   * @param rows values by column name; they are read from their start
   * @param target name of the column to predict
   * @return what is inferred
   * @throws IllegalArgumentException if there is no row, a value is no cell, or no column can be
   *     used as a feature
   */
  public static Inference of(
      Iterable<? extends Map<String, ? extends @Nullable Object>> rows, String target) {
    Set<String> names = new LinkedHashSet<>(SchemaFitter.columns(rows, ROWS));
    if (!names.remove(target)) {
      List<String> near = NearestNames.of(target, names);
      throw new IllegalArgumentException(
          "no column is named "
              + target
              + (near.isEmpty()
                  ? "; there are "
                  : "; did you mean '" + String.join("' or '", near) + "'? There are ")
              + InferenceNotes.brief(List.copyOf(names)));
    }
    SchemaFitter fitter = new SchemaFitter(List.copyOf(names), Map.of());
    List<Row> labels = new ArrayList<>();
    for (Map<String, ? extends @Nullable Object> row : rows) {
      if (labels.size() == ROWS) {
        break;
      }
      fitter.add(row);
      Row label = new Row();
      label.setLabel(row.get(target));
      fitter.cells().readLabel(label);
      labels.add(label);
    }
    return new Inference(fitter, labels, target, null, false);
  }

  /**
   * Infers from rows of a reader.
   *
   * @param fitter a fitter for the rows' columns that has seen none of them
   * @param rows the first rows
   * @param target name of the predicted column; empty if unknown
   * @param task the task; null to infer it
   * @param declared whether the file declares the values of the target
   * @return what is inferred
   * @throws IllegalArgumentException if no column can be used as a feature
   */
  public static Inference of(
      SchemaFitter fitter, List<Row> rows, String target, @Nullable Task task, boolean declared) {
    rows.forEach(fitter::add);
    return new Inference(fitter, rows, target, task, declared);
  }

  private static String noFeatures(Map<String, String> examples) {
    List<String> reasons = new ArrayList<>();
    examples.forEach(
        (name, text) -> {
          String shown = text.length() > 20 ? text.substring(0, 20) + "…" : text;
          reasons.add(name + (text.isEmpty() ? " (empty)" : " (such as '" + shown + "')"));
        });
    return "no column can be used as a feature: "
        + InferenceNotes.brief(reasons)
        + ". Not used are empty columns, columns in --drop, identifiers and free text;"
        + " --number or --category COLUMN uses one. Numbers need a decimal point, or a decimal"
        + " comma if ';' is the delimiter";
  }

  /** {@return the columns} */
  public Schema schema() {
    return schema;
  }

  /** {@return the task, set or inferred} */
  public Task task() {
    return task;
  }

  /** {@return lines on what was inferred, why, and how to change it; may be empty} */
  public List<String> notes() {
    return List.copyOf(notes);
  }

  /** {@return a learner of default settings for these columns and this task, to learn all rows} */
  public RowLearner learner() {
    return new RowLearner(schema, target, new AutoLearner(AutoConfig.of(task)));
  }

  /** {@return one line on task and columns} */
  @Override
  public String toString() {
    String what =
        task == Task.CLASSIFICATION
            ? "classification (" + classes + " classes so far" + (taskSet ? ")" : ", inferred)")
            : "regression" + (taskSet ? "" : " (inferred)");
    return what + (target.isEmpty() ? "" : " of " + target) + " from " + schema;
  }
}
