// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import io.github.avm4j.feature.Row;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parses one record of CSV that stands alone. Files have {@link CsvRows}, whose library reads from
 * a stream only and would have to be given a new one for every record.
 */
final class CsvRow implements RecordParser {
  private final String file;
  private final Layout layout;
  private final Cells cells;
  private final byte delimiter;
  private byte[] unquoted = new byte[64];

  CsvRow(String file, Layout layout, ReaderOptions options) {
    this.file = file;
    this.layout = layout;
    cells = new Cells(file, layout, options);
    @Nullable Character set = options.delimiter();
    char between = set == null ? ',' : set;
    cells.takeCommas(between == ';');
    delimiter = (byte) between;
  }

  @Override
  public List<String> columns() {
    return layout.columns();
  }

  @Override
  public void parse(byte[] record, Row row) {
    int to = record.length;
    while (to > 0 && (record[to - 1] == '\n' || record[to - 1] == '\r')) {
      to--;
    }
    cells.begin(row);
    int fields = 0;
    if (delimiter == ' ') {
      fields = SpacedRows.fields(record, 0, to, cells);
    } else {
      int i = 0;
      while (to > 0 && i <= to) {
        i = field(record, i, to, fields++) + 1;
      }
    }
    if (fields == 0) {
      throw BadRowException.none(file);
    }
    cells.finish(fields, 0);
  }

  /** Takes the field that begins at {@code from}; where it ends. */
  private int field(byte[] text, int from, int to, int column) {
    int start = from;
    while (start < to && text[start] == ' ') {
      start++;
    }
    if (start < to && text[start] == '"') {
      return quoted(text, start + 1, to, column);
    }
    int end = from;
    while (end < to && text[end] != delimiter) {
      if (text[end] == '\n' || text[end] == '\r') {
        cells.problem(-1, "", "one row is expected, here is a line end");
      }
      end++;
    }
    cells.put(column, text, from, end);
    return end;
  }

  /** The same behind an opening quote. */
  private int quoted(byte[] text, int from, int to, int column) {
    if (unquoted.length < to - from) {
      unquoted = new byte[2 * (to - from)];
    }
    int length = 0;
    int i = from;
    while (i < to && (text[i] != '"' || i + 1 < to && text[i + 1] == '"')) {
      i += text[i] == '"' ? 1 : 0;
      unquoted[length++] = text[i++];
    }
    if (i == to) {
      cells.problem(-1, "", "not CSV: a quote is opened and not closed");
      return to;
    }
    cells.put(column, unquoted, 0, length);
    int end = i + 1;
    while (end < to && text[end] == ' ') {
      end++;
    }
    if (end < to && text[end] != delimiter) {
      cells.problem(-1, "", "not CSV: text behind a closing quote; a quote in a field is doubled");
      return to;
    }
    return end;
  }
}
