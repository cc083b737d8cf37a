// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import io.github.avm4j.feature.CellReader;
import io.github.avm4j.feature.Row;
import java.io.IOException;
import java.util.List;

/** Fields between runs of spaces and tabs, without quotes. */
final class SpacedRows extends Rows {
  private final LineSource lines;
  private final Layout layout;
  private final Cells cells;
  private boolean header;

  SpacedRows(Input input, ReaderOptions options, Dialect dialect, Layout layout) {
    lines = new LineSource(input.name(), input.stream(), options.maxLineBytes());
    this.layout = layout;
    cells = new Cells(input.name(), layout, options);
    header = dialect.header();
  }

  @Override
  Layout layout() {
    return layout;
  }

  @Override
  CellReader cells() {
    return cells.reader();
  }

  @Override
  boolean read(Row row) throws IOException {
    while (lines.next()) {
      cells.begin(row);
      int fields = fields(lines.buffer(), lines.from(), lines.to(), cells);
      if (fields > 0 && !header) {
        cells.finish(fields, lines.line());
        return true;
      }
      header &= fields == 0;
    }
    return false;
  }

  /** Takes the fields in {@code b[from, end)}; their number. */
  static int fields(byte[] b, int from, int end, Cells cells) {
    int fields = 0;
    int i = from;
    while (true) {
      while (i < end && (b[i] & 0xFF) <= ' ') {
        i++;
      }
      if (i == end) {
        return fields;
      }
      int start = i;
      while (i < end && (b[i] & 0xFF) > ' ') {
        i++;
      }
      cells.put(fields++, b, start, i);
    }
  }

  @Override
  long line() {
    return lines.line();
  }

  @Override
  List<String> notes() {
    return cells.notes();
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
