// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.tensor;

import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.serve.models.ServedModel;
import java.util.ArrayList;
import java.util.List;

/**
 * The input and output tensors of a model. A model of numbered features takes one, {@code x}, of
 * [rows, features]; a model of columns takes one per column, of [rows], and any of them may be left
 * out.
 *
 * @param inputs what it takes
 * @param outputs what it gives
 */
public record Signature(List<Slot> inputs, List<Slot> outputs) {
  /** Name of the one input of models of numbered features. */
  static final String X = "x";

  static final String SCORE = "score";
  static final String PROBABILITIES = "probabilities";
  static final String PREDICTION = "prediction";

  /** Before a level of coverage. */
  static final String INTERVAL = "interval-";

  static final String SET = "set-";

  /**
   * A tensor's name, type and shape, −1 for a dimension of any size.
   *
   * @param name its name
   * @param type its type
   * @param shape its extents
   */
  public record Slot(String name, DataType type, List<Long> shape) {}

  /** The tensors of {@code model}. */
  static Signature of(ServedModel model) {
    List<Slot> outputs = new ArrayList<>(outputs(model));
    outputs.addAll(onRequest(model));
    return new Signature(inputs(model), outputs);
  }

  private static List<Slot> inputs(ServedModel model) {
    Schema schema = model.rows().schema();
    List<Slot> inputs = new ArrayList<>();
    if (schema.isNumbered()) {
      long features = model.rows().model().dimension();
      inputs.add(new Slot(X, DataType.FP64, List.of(-1L, features)));
    }
    for (Column column : schema.columns()) {
      if (column.width() > 0) {
        inputs.add(new Slot(column.name(), type(column), List.of(-1L)));
      }
    }
    return inputs;
  }

  /** What {@code model} gives unless a request names its outputs. */
  static List<Slot> outputs(ServedModel model) {
    List<Slot> outputs = new ArrayList<>();
    if (model.isRegression()) {
      outputs.add(new Slot(PREDICTION, DataType.FP64, List.of(-1L)));
    } else {
      outputs.add(new Slot(PREDICTION, DataType.BYTES, List.of(-1L)));
      outputs.add(new Slot(SCORE, DataType.FP64, List.of(-1L)));
      if (model.hasProbabilities()) {
        long classes = model.rows().model().classes();
        outputs.add(new Slot(PROBABILITIES, DataType.FP64, List.of(-1L, classes)));
      }
    }
    return outputs;
  }

  /**
   * What it gives only to a request that names it, for each level of coverage that it keeps: the
   * ends of {@code interval-0.9}, or which classes belong to {@code set-0.9}.
   */
  static List<Slot> onRequest(ServedModel model) {
    if (!model.isRegression() && !model.hasProbabilities()) {
      return List.of();
    }
    String prefix = model.isRegression() ? INTERVAL : SET;
    long width = model.isRegression() ? 2 : model.rows().model().classes();
    return model.rows().model().calibration().levels().stream()
        .map(level -> new Slot(prefix + level, DataType.FP64, List.of(-1L, width)))
        .toList();
  }

  /** Numbers for columns of numbers, texts for all others. */
  static DataType type(Column column) {
    return column.kind() == Column.Kind.NUMBER ? DataType.FP64 : DataType.BYTES;
  }
}
