// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.Schema;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A file in the real onnxruntime. */
final class OnnxRuntime implements AutoCloseable {
  private static final OrtEnvironment ENVIRONMENT = OrtEnvironment.getEnvironment();

  final OrtSession session;
  private final boolean single;

  OnnxRuntime(byte[] file, Precision precision) throws OrtException {
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      options.setIntraOpNumThreads(1);
      session = ENVIRONMENT.createSession(file, options);
    }
    single = precision == Precision.FLOAT;
  }

  Answers ask(Schema schema, List<String> columns, List<Row> rows) throws OrtException {
    Map<String, OnnxTensor> inputs = new HashMap<>();
    if (session.getInputNames().contains("features")) {
      inputs.put("features", numbers(matrix(schema, columns, rows)));
    } else {
      for (Column column : schema.columns()) {
        if (column.width() > 0) {
          inputs.put(column.name(), cells(column, columns.indexOf(column.name()), rows));
        }
      }
    }
    try (OrtSession.Result result = session.run(inputs)) {
      if (!session.getOutputNames().contains("scores")) {
        Object values = result.get("prediction").orElseThrow().getValue();
        return new Answers(List.of(), column(doubles(new Object[] {values})[0]), new double[0][]);
      }
      String[] labels = (String[]) result.get("prediction").orElseThrow().getValue();
      return new Answers(
          List.of(labels),
          doubles((Object[]) result.get("scores").orElseThrow().getValue()),
          doubles((Object[]) result.get("probabilities").orElseThrow().getValue()));
    } finally {
      inputs.values().forEach(OnnxTensor::close);
    }
  }

  private double[][] matrix(Schema schema, List<String> columns, List<Row> rows)
      throws OrtException {
    long[] shape =
        ((ai.onnxruntime.TensorInfo) session.getInputInfo().get("features").getInfo()).getShape();
    double[][] matrix = new double[rows.size()][(int) shape[1]];
    for (int i = 0; i < matrix.length; i++) {
      Row row = rows.get(i);
      if (schema.isNumbered()) {
        FeatureVector x = row.features();
        for (int k = 0; k < x.count(); k++) {
          matrix[i][x.indices()[k]] = x.values()[k];
        }
        continue;
      }
      int j = 0;
      for (Column column : schema.columns()) {
        if (column.width() > 0) {
          matrix[i][j++] = number(row, columns.indexOf(column.name()));
        }
      }
    }
    return matrix;
  }

  private static double number(Row row, int cell) {
    return row.kind(cell) == Row.Kind.NUMBER ? row.number(cell) : Double.NaN;
  }

  private OnnxTensor cells(Column column, int cell, List<Row> rows) throws OrtException {
    if (column.kind() == Column.Kind.CATEGORY || column.kind() == Column.Kind.HASHED) {
      String[][] texts = new String[rows.size()][1];
      for (int i = 0; i < texts.length; i++) {
        Row row = rows.get(i);
        texts[i][0] = row.kind(cell) == Row.Kind.MISSING ? "" : row.text(cell);
      }
      return OnnxTensor.createTensor(ENVIRONMENT, texts);
    }
    double[][] numbers = new double[rows.size()][1];
    for (int i = 0; i < numbers.length; i++) {
      Row row = rows.get(i);
      numbers[i][0] = column.kind() == Column.Kind.DATE ? seconds(row, cell) : number(row, cell);
    }
    return column.kind() == Column.Kind.DATE
        ? OnnxTensor.createTensor(ENVIRONMENT, numbers)
        : numbers(numbers);
  }

  static double seconds(Row row, int cell) {
    if (row.kind(cell) != Row.Kind.TEXT) {
      return Double.NaN;
    }
    String text = row.text(cell).replace(' ', 'T');
    return LocalDateTime.parse(text.length() == 10 ? text + "T00:00" : text)
        .toEpochSecond(ZoneOffset.UTC);
  }

  private OnnxTensor numbers(double[][] values) throws OrtException {
    if (!single) {
      return OnnxTensor.createTensor(ENVIRONMENT, values);
    }
    float[][] rounded = new float[values.length][values[0].length];
    for (int i = 0; i < values.length; i++) {
      for (int j = 0; j < values[i].length; j++) {
        rounded[i][j] = (float) values[i][j];
      }
    }
    return OnnxTensor.createTensor(ENVIRONMENT, rounded);
  }

  private static double[][] doubles(Object[] rows) {
    double[][] result = new double[rows.length][];
    for (int i = 0; i < rows.length; i++) {
      if (rows[i] instanceof double[] values) {
        result[i] = values;
      } else {
        float[] values = (float[]) rows[i];
        result[i] = new double[values.length];
        for (int j = 0; j < values.length; j++) {
          result[i][j] = values[j];
        }
      }
    }
    return result;
  }

  private static double[][] column(double[] values) {
    double[][] result = new double[values.length][1];
    for (int i = 0; i < values.length; i++) {
      result[i][0] = values[i];
    }
    return result;
  }

  @Override
  public void close() throws OrtException {
    session.close();
  }
}
