// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.feature;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A {@link Schema} whose categorical columns learn values: while a column has room, a value that is
 * met for the first time gets the next free feature. The number of features never changes. For one
 * thread.
 */
public final class GrowingSchema {
  private final List<Map<String, Integer>> positions = new ArrayList<>();
  private Schema schema;

  /**
   * Starts with the values that {@code schema} knows.
   *
   * @param schema columns of the rows
   */
  public GrowingSchema(Schema schema) {
    this.schema = schema;
    for (Column column : schema.columns()) {
      Map<String, Integer> known = new LinkedHashMap<>();
      for (String category : column.categories()) {
        known.put(category, known.size());
      }
      positions.add(known);
    }
  }

  /**
   * {@return an encoder for rows to learn from, whose new values are taken}
   *
   * @param names column names of the rows, in the order of their cells
   */
  public RowEncoder encoder(List<String> names) {
    return new RowEncoder(schema, schema.sources(names), positions, true);
  }

  /**
   * {@return an encoder for rows to predict: it knows every value taken so far, and takes none
   * itself}
   *
   * @param names column names of the rows, in the order of their cells
   */
  public RowEncoder reader(List<String> names) {
    return new RowEncoder(schema, schema.sources(names), positions, false);
  }

  /** {@return the schema with all values taken so far} */
  public Schema schema() {
    List<Column> columns = new ArrayList<>(schema.columns());
    boolean grown = false;
    for (int c = 0; c < columns.size(); c++) {
      int size = positions.get(c).size();
      if (columns.get(c).kind() == Column.Kind.CATEGORICAL
          && size > columns.get(c).categories().size()) {
        columns.set(c, columns.get(c).grown(List.copyOf(positions.get(c).keySet())));
        grown = true;
      }
    }
    if (grown) {
      schema = new Schema(columns, schema.cells());
    }
    return schema;
  }
}
