// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.sql;

import io.github.avm4j.Avm;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.Row;
import io.github.avm4j.pipeline.RowLearner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.flink.table.functions.TableSemantics;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.ColumnList;
import org.jspecify.annotations.Nullable;

/** Which columns of a table are learned from, and what is learned. */
final class LearningColumns {
  private final String label;
  private final int target;
  private final Column.Kind targetKind;
  private final Task task;
  private final SqlCells features = new SqlCells();

  /**
   * Of a call of the function.
   *
   * @param features null for all columns but the label and those partitioned by
   * @param task null if the label's type says it
   * @throws IllegalArgumentException that says what to write instead
   */
  LearningColumns(
      TableSemantics table,
      ColumnList label,
      @Nullable ColumnList features,
      @Nullable String task) {
    RowType type = (RowType) table.dataType().getLogicalType();
    if (label.getNames().size() != 1) {
      throw new IllegalArgumentException(
          "label => DESCRIPTOR(y) names one column, here are " + label.getNames());
    }
    this.label = label.getNames().get(0);
    int position = position(type, this.label);
    LogicalType labelType = type.getTypeAt(position);
    Column.Kind kind = SqlCells.kind(labelType);
    if (kind != Column.Kind.NUMERIC && kind != Column.Kind.CATEGORICAL) {
      throw new IllegalArgumentException(
          "the label "
              + this.label
              + " is a "
              + labelType.asSummaryString()
              + "; CAST it to STRING or BOOLEAN for classes, or to DOUBLE for numbers");
    }
    this.target = position;
    this.targetKind = kind;
    this.task = task(task, this.label, labelType, kind);
    for (String name : features == null ? others(table, type) : features.getNames()) {
      if (name.equals(this.label)) {
        throw new IllegalArgumentException("the label " + name + " cannot be a feature too");
      }
      int at = position(type, name);
      this.features.add(name, type.getTypeAt(at), at);
    }
    if (this.features.names().isEmpty()) {
      throw new IllegalArgumentException("there is no column to learn from beside the label");
    }
  }

  private static int position(RowType type, String name) {
    int position = type.getFieldIndex(name);
    if (position < 0) {
      throw new IllegalArgumentException(
          "the table has no column " + name + "; it has " + type.getFieldNames());
    }
    return position;
  }

  private List<String> others(TableSemantics table, RowType type) {
    List<String> others = new ArrayList<>();
    for (int p = 0; p < type.getFieldCount(); p++) {
      int column = p;
      boolean key = Arrays.stream(table.partitionByColumns()).anyMatch(k -> k == column);
      String name = type.getFieldNames().get(p);
      if (!key && !name.equals(label)) {
        others.add(name);
      }
    }
    return others;
  }

  private static Task task(
      @Nullable String said, String label, LogicalType type, Column.Kind kind) {
    if (said != null) {
      Task task =
          switch (said.toLowerCase(Locale.ROOT)) {
            case "classification" -> Task.CLASSIFICATION;
            case "regression" -> Task.REGRESSION;
            default ->
                throw new IllegalArgumentException(
                    "task => '" + said + "' is neither 'classification' nor 'regression'");
          };
      if (task == Task.REGRESSION && kind != Column.Kind.NUMERIC) {
        throw new IllegalArgumentException(
            "regression learns numbers, and the label "
                + label
                + " is a "
                + type.asSummaryString()
                + ": CAST it to DOUBLE");
      }
      return task;
    }
    if (kind == Column.Kind.CATEGORICAL) {
      return Task.CLASSIFICATION;
    }
    LogicalTypeRoot root = type.getTypeRoot();
    if (root == LogicalTypeRoot.DOUBLE
        || root == LogicalTypeRoot.FLOAT
        || root == LogicalTypeRoot.DECIMAL) {
      return Task.REGRESSION;
    }
    throw new IllegalArgumentException(
        "the label "
            + label
            + " is a "
            + type.asSummaryString()
            + ": say task => 'classification' or task => 'regression'");
  }

  Task task() {
    return task;
  }

  /** The names of the features, in the order of the cells. */
  List<String> names() {
    return features.names();
  }

  /** A learner that has seen nothing. */
  RowLearner learner() {
    return new RowLearner(
        features.schema(),
        label,
        (task == Task.CLASSIFICATION ? Avm.classifier() : Avm.regressor()).build());
  }

  /** Puts a row into cells and label; the label stays missing if it is NULL or no finite number. */
  void fill(org.apache.flink.types.Row from, Row cells) {
    features.fill(from::getField, cells);
    cells.setLabel(SqlCells.value(from.getField(target), targetKind));
  }
}
