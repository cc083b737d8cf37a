// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.avm4j.data.ReaderOptions;
import io.github.avm4j.data.Readers;
import io.github.avm4j.data.RowReader;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.pipeline.RowLearner;
import io.github.avm4j.pipeline.RowModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The electricity data, a row each half hour, by days; rows have the ids day-D/R. */
final class ElectricityDaysDemo {
  /** Rows of a day. */
  static final int ROWS = 48;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final List<double[]> cells = new ArrayList<>();
  private final List<String> labels = new ArrayList<>();
  private final List<String> names;

  ElectricityDaysDemo(Path file) throws IOException {
    try (RowReader reader = Readers.open(ReaderOptions.defaults().withLabel("class"), file)) {
      names = List.copyOf(reader.columns());
      Row row = new Row();
      while (reader.next(row)) {
        double[] values = new double[row.width()];
        for (int c = 0; c < values.length; c++) {
          values[c] = row.number(c);
        }
        cells.add(values);
        labels.add(row.labelText());
      }
    }
  }

  /** Whole days. */
  int count() {
    return labels.size() / ROWS;
  }

  String id(int day, int r) {
    return "day-" + day + "/" + r;
  }

  String label(int day, int r) {
    return labels.get(day * ROWS + r);
  }

  /** A row as the topic has it. */
  String features(int day, int r) {
    StringBuilder line = new StringBuilder();
    for (double cell : cells.get(day * ROWS + r)) {
      line.append(line.isEmpty() ? "" : ",").append(cell);
    }
    return line.toString();
  }

  /** A day's rows as the server is asked. */
  String question(int day) {
    ArrayNode rows = JSON.createArrayNode();
    for (int r = 0; r < ROWS; r++) {
      ObjectNode row = rows.addObject();
      double[] values = cells.get(day * ROWS + r);
      for (int c = 0; c < values.length; c++) {
        row.put(names.get(c), values[c]);
      }
    }
    return rows.toString();
  }

  /** A day's labels as the server is told. */
  String labels(int day) {
    ArrayNode all = JSON.createArrayNode();
    for (int r = 0; r < ROWS; r++) {
      all.addObject().put("id", id(day, r)).put("label", label(day, r));
    }
    return all.toString();
  }

  /** What a model says to a row, asked here. */
  String prediction(RowModel rows, int day, int r) {
    RowEncoder encoder = rows.schema().encoder(names);
    Row row = new Row();
    fill(row, day * ROWS + r);
    return rows.name(rows.model().predict(encoder.encode(row)));
  }

  private void fill(Row row, int at) {
    double[] values = cells.get(at);
    row.reset(values.length);
    for (int c = 0; c < values.length; c++) {
      row.setNumber(c, values[c]);
    }
  }

  /** The model of a loop over the first {@code days}, without a cluster. */
  byte[] plainLoop(StreamConfig config, int days) throws IOException {
    RowLearner rows = RowLearner.read(config.start().file());
    RowEncoder encoder = rows.schema().encoder(names);
    Row row = new Row();
    for (int k = 0; k < days * ROWS; k++) {
      fill(row, k);
      row.setLabel(Double.parseDouble(labels.get(k)));
      rows.learner().predictThenLearn(encoder.encode(row), rows.target(row), 1);
    }
    return rows.snapshot().toBytes();
  }
}
