// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.pipeline;

import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.feature.Schema;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Encodes rows that are given as maps from column names to values; for one thread. */
final class NamedCells {
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");

  private final List<String> columns;
  private final RowEncoder encoder;
  private final Row row = new Row();
  private FeatureVector features = FeatureVector.dense();

  NamedCells(List<String> columns, RowEncoder encoder) {
    this.columns = columns;
    this.encoder = encoder;
  }

  /** Names of a schema's columns; numbered features have none. */
  static List<String> names(Schema schema) {
    if (schema.isNumbered()) {
      throw new IllegalStateException(
          "the learner or model has numbered features, not columns: use feature vectors");
    }
    return schema.columns().stream().map(Column::name).toList();
  }

  /** The features of a row; valid until the next call. */
  FeatureVector encode(Map<String, ? extends @Nullable Object> cells) {
    row.reset(columns.size());
    for (int c = 0; c < columns.size(); c++) {
      set(c, cells.get(columns.get(c)));
    }
    features = encoder.encode(row);
    return features;
  }

  /** What {@link #encode} returned last. */
  FeatureVector features() {
    return features;
  }

  private void set(int column, @Nullable Object value) {
    if (value instanceof Number number) {
      row.setNumber(column, number.doubleValue());
    } else if (value instanceof Instant instant) {
      row.setText(column, LocalDateTime.ofInstant(instant, ZoneOffset.UTC).toString());
    } else if (value != null) {
      setText(column, value.toString());
    }
  }

  /** Texts that are numbers are numbers, as in a CSV file. */
  private void setText(int column, String text) {
    if (NUMBER.matcher(text).matches()) {
      row.setNumber(column, Double.parseDouble(text));
    } else {
      row.setText(column, text);
    }
  }

  /** A target as it is written: a number, or the name of a class. */
  void setLabel(Object target) {
    if (target instanceof Number number) {
      row.setLabel(number.doubleValue());
    } else {
      row.setLabel(target.toString());
    }
  }

  /** The row last encoded. */
  Row row() {
    return row;
  }
}
