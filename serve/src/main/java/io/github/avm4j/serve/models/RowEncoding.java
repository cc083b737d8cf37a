// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.models;

import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.feature.Schema;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How the rows of a model or detector become features: its columns by name, and an encoder for each
 * thread. Any number of threads; scratch is thread-local.
 */
public final class RowEncoding {
  private final Schema schema;
  private final int dimension;
  private final boolean openEnded;
  private final Map<String, Integer> columns = new HashMap<>();
  private final ThreadLocal<Scratch> scratch;

  /** What a thread needs to encode; nothing in it refers to this. */
  private static final class Scratch {
    final RowEncoder encoder;
    final Row row = new Row();

    Scratch(RowEncoder encoder) {
      this.encoder = encoder;
    }
  }

  /**
   * Of that schema.
   *
   * @param dimension number of features
   * @param openEnded whether vectors may have other features besides
   */
  public RowEncoding(Schema schema, int dimension, boolean openEnded) {
    this.schema = schema;
    this.dimension = dimension;
    this.openEnded = openEnded;
    List<String> names = schema.columns().stream().map(Column::name).toList();
    for (int c = 0; c < names.size(); c++) {
      columns.putIfAbsent(names.get(c), c);
    }
    this.scratch = ThreadLocal.withInitial(() -> new Scratch(schema.encoder(names)));
  }

  /** The columns. */
  public Schema schema() {
    return schema;
  }

  /** Number of features. */
  public int dimension() {
    return dimension;
  }

  /** Whether vectors may have other features besides. */
  public boolean isOpenEnded() {
    return openEnded;
  }

  /** Position of a column, −1 if none has that name. */
  public int column(String column) {
    return columns.getOrDefault(column, -1);
  }

  /** This thread's row, emptied, with a cell for each column. */
  public Row row() {
    Row row = scratch.get().row;
    row.reset(schema.columns().size());
    return row;
  }

  /** The features of this thread's row, valid until it is filled again. */
  public FeatureVector encode(Row row) {
    return scratch.get().encoder.encode(row);
  }

  /** The encoder of this thread's row, for what it could not use of the row last encoded. */
  public RowEncoder encoder() {
    return scratch.get().encoder;
  }
}
