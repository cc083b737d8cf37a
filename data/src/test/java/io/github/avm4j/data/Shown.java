// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import io.github.avm4j.feature.CellReader;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Row;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Rows as short texts, for tests: {@code label|cell,cell} or {@code label|index:value}. */
final class Shown {
  private Shown() {}

  static List<String> rows(ReaderOptions options, String name, String text) throws IOException {
    return rows(open(options, name, text));
  }

  static RowReader open(ReaderOptions options, String name, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return Readers.open(options, name, new ByteArrayInputStream(bytes));
  }

  /** All rows; closes the reader. */
  static List<String> rows(RowReader reader) throws IOException {
    List<String> shown = new ArrayList<>();
    Row row = new Row();
    try (reader) {
      while (reader.next(row)) {
        shown.add(row(row, reader.cells()));
      }
    }
    return shown;
  }

  static String row(Row row, CellReader reader) {
    StringBuilder out = new StringBuilder();
    out.append(row.labelKind() == Row.Kind.MISSING ? "" : row.labelText());
    out.append(row.weight() == 1 ? "|" : "*" + Row.canonical(row.weight()) + "|");
    List<String> cells = new ArrayList<>();
    for (int c = 0; c < row.width(); c++) {
      boolean number = row.kind(c) == Row.Kind.NUMBER;
      cells.add(reader.isMissing(row, c) ? "?" : number ? row.text(c) : "'" + row.text(c) + "'");
    }
    FeatureVector x = row.features();
    for (int k = 0; k < x.count(); k++) {
      cells.add(x.indices()[k] + ":" + Row.canonical(x.values()[k]));
    }
    return out + String.join(",", cells);
  }
}
