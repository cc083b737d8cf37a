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
import org.apache.flink.table.functions.TableSemantics;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeFamily;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.ColumnList;
import org.jspecify.annotations.Nullable;

/** Which columns of a table are learned from, and what is learned. */
final class LearningColumns {
  private final String truth;
  private final int position;
  private final Column.Kind kind;
  private final Task task;
  private final SqlCells features = new SqlCells();

  /**
   * Of a call of the function.
   *
   * @param label the column of classes; null if numbers are learned
   * @param target the column of numbers; null if classes are learned
   * @param features null for all columns but the label or target and those partitioned by
   * @throws IllegalArgumentException that says what to write instead
   */
  LearningColumns(
      TableSemantics table,
      @Nullable ColumnList label,
      @Nullable ColumnList target,
      @Nullable ColumnList features) {
    RowType type = (RowType) table.dataType().getLogicalType();
    if ((label == null) == (target == null)) {
      throw new IllegalArgumentException(
          "either label => DESCRIPTOR(y), to learn classes, or target => DESCRIPTOR(y), to learn"
              + " numbers, is needed");
    }
    task = label != null ? Task.CLASSIFICATION : Task.REGRESSION;
    truth = one(label != null ? "label" : "target", label != null ? label : target);
    position = position(type, truth);
    kind = check(truth, type.getTypeAt(position));
    for (String name : features == null ? others(table, type) : features.getNames()) {
      if (name.equals(truth)) {
        throw new IllegalArgumentException(name + " is learned and cannot be a feature too");
      }
      int at = position(type, name);
      this.features.add(name, type.getTypeAt(at), at);
    }
    if (this.features.names().isEmpty()) {
      throw new IllegalArgumentException("there is no column to learn from beside " + truth);
    }
  }

  private static String one(String argument, @Nullable ColumnList columns) {
    List<String> names = columns == null ? List.of() : columns.getNames();
    if (names.size() != 1) {
      throw new IllegalArgumentException(
          argument + " => DESCRIPTOR(y) names one column, here are " + names);
    }
    return names.get(0);
  }

  private Column.Kind check(String name, LogicalType type) {
    Column.Kind found = SqlCells.kind(type);
    boolean isClass = found == Column.Kind.CATEGORY || type.is(LogicalTypeFamily.INTEGER_NUMERIC);
    boolean fits = task == Task.CLASSIFICATION ? isClass : found == Column.Kind.NUMBER;
    if (found == null || !fits) {
      String what =
          task == Task.CLASSIFICATION
              ? "the label %s is a %s; CAST it to STRING if it holds classes, or write target =>"
                  + " for numbers"
              : "the target %s is a %s; CAST it to DOUBLE, or write label => for classes";
      throw new IllegalArgumentException(what.formatted(name, type.asSummaryString()));
    }
    return found;
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
      if (!key && !name.equals(truth)) {
        others.add(name);
      }
    }
    return others;
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
        truth,
        (task == Task.CLASSIFICATION ? Avm.classifier() : Avm.regressor()).build());
  }

  /** Puts a row into cells and label; the label stays missing if it is NULL or no finite number. */
  void fill(org.apache.flink.types.Row from, Row cells) {
    features.fill(from::getField, cells);
    cells.setLabel(SqlCells.value(from.getField(position), kind));
  }
}
