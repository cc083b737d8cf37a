// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.tensor;

import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Row;
import io.github.avm4j.model.Calibration;
import io.github.avm4j.model.Interval;
import io.github.avm4j.serve.http.Limits;
import io.github.avm4j.serve.http.Problem;
import io.github.avm4j.serve.models.RowPrediction;
import io.github.avm4j.serve.models.ServedModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Computes a model's output tensors from its input tensors. All rows are predicted, or none. */
final class Inference {
  /** Rows that are predicted at once. */
  private static final int BATCH = 16;

  private final ServedModel model;
  private final Limits limits;
  private final Runnable checkCancelled;

  /** With {@code checkCancelled} called before each row; it throws once the client is gone. */
  Inference(ServedModel model, Limits limits, Runnable checkCancelled) {
    this.model = model;
    this.limits = limits;
    this.checkCancelled = checkCancelled;
  }

  /**
   * Predicts every row.
   *
   * @param wanted names of the outputs to give, empty for those that are given unasked
   * @throws Problem if the tensors do not fit the model
   */
  List<Tensor> run(List<Tensor> inputs, List<String> wanted) {
    List<Signature.Slot> slots = new ArrayList<>(Signature.outputs(model));
    if (!wanted.isEmpty()) {
      slots.addAll(Signature.onRequest(model));
    }
    for (String output : wanted) {
      if (slots.stream().noneMatch(slot -> slot.name().equals(output))) {
        throw Problem.badRequest("the model has no output '" + output + "'");
      }
    }
    RowPrediction[] predictions =
        model.rows().schema().isNumbered() ? numbered(inputs) : columns(inputs);
    List<Tensor> outputs = new ArrayList<>();
    for (Signature.Slot slot : slots) {
      if (wanted.isEmpty() || wanted.contains(slot.name())) {
        outputs.add(output(slot.name(), predictions));
      }
    }
    return outputs;
  }

  private RowPrediction[] numbered(List<Tensor> inputs) {
    if (inputs.size() != 1 || !inputs.get(0).name().equals(Signature.X)) {
      throw Problem.badRequest(
          "the model takes one input, '" + Signature.X + "', not " + names(inputs));
    }
    Tensor x = inputs.get(0);
    if (x.type() == DataType.BYTES || x.shape().length != 2) {
      throw Problem.badRequest(
          "'x' must be numbers of shape [rows, features], was "
              + x.type()
              + " of shape "
              + Arrays.toString(x.shape()));
    }
    limits.checkRows(x.rows());
    RowPrediction[] predictions = new RowPrediction[x.rows()];
    int width = x.width();
    FeatureVector[] batch = new FeatureVector[Math.min(BATCH, predictions.length)];
    Arrays.setAll(batch, k -> FeatureVector.dense(new double[width]));
    for (int first = 0; first < predictions.length; first += BATCH) {
      int count = Math.min(BATCH, predictions.length - first);
      for (int k = 0; k < count; k++) {
        System.arraycopy(x.numbers(), (first + k) * width, batch[k].values(), 0, width);
      }
      predict(batch, count, predictions, first);
    }
    return predictions;
  }

  private void predict(FeatureVector[] batch, int count, RowPrediction[] predictions, int first) {
    checkCancelled.run();
    try {
      model.predict(batch, count, predictions, first);
    } catch (IllegalArgumentException e) {
      for (int k = 0; k < count; k++) {
        predictions[first + k] = predict(batch[k], first + k); // which of them it is
      }
    }
  }

  private RowPrediction[] columns(List<Tensor> inputs) {
    if (inputs.isEmpty()) {
      throw Problem.badRequest("no inputs; the model takes its columns by name");
    }
    int rows = inputs.get(0).rows();
    limits.checkRows(rows);
    int[] columns = new int[inputs.size()];
    boolean[] taken = new boolean[model.rows().schema().columns().size()];
    for (int k = 0; k < columns.length; k++) {
      columns[k] = column(inputs.get(k), rows);
      if (taken[columns[k]]) {
        throw Problem.badRequest("input '" + inputs.get(k).name() + "' comes twice");
      }
      taken[columns[k]] = true;
    }
    RowPrediction[] predictions = new RowPrediction[rows];
    for (int r = 0; r < rows; r++) {
      Row row = model.encoding().row();
      for (int k = 0; k < columns.length; k++) {
        set(row, columns[k], inputs.get(k), r);
      }
      predictions[r] = predict(model.encoding().encode(row), r);
    }
    return predictions;
  }

  private int column(Tensor input, int rows) {
    int c = model.encoding().column(input.name());
    if (c < 0) {
      throw Problem.badRequest("the model has no input '" + input.name() + "'");
    }
    if (input.rows() != rows || input.width() != 1) {
      throw Problem.badRequest(
          "input '"
              + input.name()
              + "' must have the shape ["
              + rows
              + "], as the first, was "
              + Arrays.toString(input.shape()));
    }
    Column column = model.rows().schema().columns().get(c);
    boolean text = input.type() == DataType.BYTES;
    if (text && column.kind() == Column.Kind.NUMBER) {
      throw Problem.badRequest("input '" + input.name() + "' must be numbers, was BYTES");
    }
    return c;
  }

  private static void set(Row row, int column, Tensor input, int r) {
    if (input.type() == DataType.BYTES) {
      row.setText(column, input.texts()[r]);
    } else {
      row.setNumber(column, input.numbers()[r]);
    }
  }

  private RowPrediction predict(FeatureVector x, int r) {
    checkCancelled.run();
    try {
      return model.predict(x);
    } catch (IllegalArgumentException e) {
      throw Problem.badRequest("row " + r + ": " + e.getMessage());
    }
  }

  private Tensor output(String name, RowPrediction[] predictions) {
    long n = predictions.length;
    if (name.equals(Signature.PREDICTION) && !model.isRegression()) {
      String[] labels = new String[predictions.length];
      Arrays.setAll(labels, r -> model.className(predictions[r].winner()));
      return Tensor.texts(name, new long[] {n}, labels);
    }
    if (name.startsWith(Signature.INTERVAL)) {
      return intervals(name, predictions);
    }
    if (name.startsWith(Signature.SET)) {
      return sets(name, predictions);
    }
    if (!name.equals(Signature.PROBABILITIES)) {
      double[] scores = new double[predictions.length];
      Arrays.setAll(scores, r -> predictions[r].score());
      return Tensor.numbers(name, DataType.FP64, new long[] {n}, scores);
    }
    int classes = model.rows().model().classes();
    double[] all = new double[predictions.length * classes];
    for (int r = 0; r < predictions.length; r++) {
      double[] row = predictions[r].probabilities();
      if (row != null) {
        System.arraycopy(row, 0, all, r * classes, classes);
      }
    }
    return Tensor.numbers(name, DataType.FP64, new long[] {n, classes}, all);
  }

  /** Ends of intervals; the largest number stands for infinity, which JSON does not have. */
  private Tensor intervals(String name, RowPrediction[] predictions) {
    double level = Double.parseDouble(name.substring(Signature.INTERVAL.length()));
    Calibration calibration = model.rows().model().calibration();
    double[] ends = new double[2 * predictions.length];
    for (int r = 0; r < predictions.length; r++) {
      Interval interval = calibration.interval(predictions[r].score(), level);
      ends[2 * r] = Math.max(-Double.MAX_VALUE, interval.lower());
      ends[2 * r + 1] = Math.min(Double.MAX_VALUE, interval.upper());
    }
    return Tensor.numbers(name, DataType.FP64, new long[] {predictions.length, 2}, ends);
  }

  /** 1 for each class that belongs to the set, 0 for the others. */
  private Tensor sets(String name, RowPrediction[] predictions) {
    double level = Double.parseDouble(name.substring(Signature.SET.length()));
    Calibration calibration = model.rows().model().calibration();
    int classes = model.rows().model().classes();
    double[] members = new double[predictions.length * classes];
    for (int r = 0; r < predictions.length; r++) {
      double[] probabilities = predictions[r].probabilities();
      if (probabilities != null) {
        boolean[] set = calibration.set(probabilities, classes, predictions[r].winner(), level);
        for (int j = 0; j < classes; j++) {
          members[r * classes + j] = set[j] ? 1 : 0;
        }
      }
    }
    return Tensor.numbers(name, DataType.FP64, new long[] {predictions.length, classes}, members);
  }

  private static List<String> names(List<Tensor> inputs) {
    return inputs.stream().map(Tensor::name).limit(8).toList();
  }
}
