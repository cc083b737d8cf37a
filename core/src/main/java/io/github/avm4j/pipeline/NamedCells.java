// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.pipeline;

import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.feature.Schema;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Encodes rows that are given as maps from column names to values; for one thread. */
final class NamedCells {
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
      try {
        row.set(c, cells.get(columns.get(c)));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("column " + columns.get(c) + ": " + e.getMessage(), e);
      }
    }
    features = encoder.encode(row);
    return features;
  }

  /** What {@link #encode} returned last. */
  FeatureVector features() {
    return features;
  }

  /** The row last encoded. */
  Row row() {
    return row;
  }
}
