// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.sql;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.follow.Arrival;
import io.github.avm4j.follow.NewestModel.Loaded;
import io.github.avm4j.model.Model;
import io.github.avm4j.pipeline.RowModel;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.data.GenericRowData;

/** Whether a model fits what a CREATE MODEL declares. */
final class ModelFit {
  private ModelFit() {}

  /**
   * Checks columns and outputs, then predicts a row that is all NULL.
   *
   * @throws IllegalArgumentException that says what to declare
   */
  static void check(RowModel rows, SqlCells inputs, List<OutputColumn> outputs) {
    if (rows.schema().isNumbered()) {
      checkNumbered(rows.model(), inputs);
    } else {
      checkNames(rows, inputs.names());
    }
    checkOutputs(rows, outputs);
    Loaded loaded = new Loaded(new Arrival("", "", 0, "probe", null), rows);
    GenericRowData empty = new GenericRowData(inputs.names().size());
    GenericRowData out = new PredictRows.Bound(loaded, inputs).predict(empty, inputs, outputs);
    for (int k = 0; k < out.getArity(); k++) {
      if (out.getField(k) instanceof Double number && !Double.isFinite(number)) {
        throw new IllegalArgumentException("it predicts " + number + " for a row of NULLs");
      }
    }
  }

  private static void checkNumbered(Model model, SqlCells inputs) {
    String other = inputs.firstOther();
    if (other != null) {
      throw new IllegalArgumentException(
          "the model has numbered features, which are numbers; INPUT column " + other + " is none");
    }
    int columns = inputs.names().size();
    int features = model.dimension();
    if (model.isOpenEnded() ? columns == 0 : columns != features) {
      throw new IllegalArgumentException(
          "the model has %d numbered features and INPUT %d columns; declare one for each, in order"
              .formatted(features, columns));
    }
  }

  private static void checkNames(RowModel rows, List<String> names) {
    Schema schema = rows.schema();
    List<String> needed = new ArrayList<>();
    List<String> known = new ArrayList<>();
    for (Column column : schema.columns()) {
      known.add(column.name());
      if (column.kind() != Column.Kind.DROPPED) {
        needed.add(column.name());
      }
    }
    List<String> missing = needed.stream().filter(name -> !names.contains(name)).toList();
    List<String> unknown = names.stream().filter(name -> !known.contains(name)).toList();
    if (!missing.isEmpty() || !unknown.isEmpty()) {
      throw new IllegalArgumentException(
          "the model's columns are "
              + needed
              + "; INPUT"
              + (missing.isEmpty() ? "" : " lacks " + missing)
              + (missing.isEmpty() || unknown.isEmpty() ? "" : " and")
              + (unknown.isEmpty() ? "" : " has " + unknown + ", which the model does not know")
              + ": declare the model's columns by these names, in any order");
    }
  }

  private static void checkOutputs(RowModel rows, List<OutputColumn> outputs) {
    Model model = rows.model();
    boolean classes = model.task() == Task.CLASSIFICATION;
    if (classes && model.classes() == 0) {
      throw new IllegalArgumentException(
          "a classifier that knows no class yet: let it learn first");
    }
    if (!classes
        && (outputs.contains(OutputColumn.CLASS) || outputs.contains(OutputColumn.PROBABILITY))) {
      throw new IllegalArgumentException(
          "the model predicts numbers: declare the prediction as DOUBLE, without a probability");
    }
    if (outputs.contains(OutputColumn.PROBABILITY) && !model.hasProbabilities()) {
      throw new IllegalArgumentException(
          "the model has no probabilities: leave 'probability' out of OUTPUT");
    }
    if (classes && outputs.contains(OutputColumn.NUMBER)) {
      rows.classNames().forEach(ModelFit::checkNumber);
    }
  }

  private static void checkNumber(String name) {
    try {
      Double.parseDouble(name);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "the model predicts classes, and '" + name + "' is no number: declare STRING", e);
    }
  }
}
