// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import io.github.avm4j.feature.CellReader;
import io.github.avm4j.feature.Row;
import java.io.IOException;
import java.util.List;

/** LIBSVM and SVMlight text, one {@link LibsvmRow} per line. */
final class LibsvmRows extends Rows {
  private final LineSource lines;
  private final LibsvmRow parser;

  LibsvmRows(Input input, ReaderOptions options) {
    lines = new LineSource(input.name(), input.stream(), options.maxLineBytes());
    parser = new LibsvmRow(input.name(), options);
  }

  @Override
  Layout layout() {
    return Layout.NUMBERED;
  }

  @Override
  CellReader cells() {
    return CellReader.DEFAULT;
  }

  @Override
  boolean read(Row row) throws IOException {
    while (lines.next()) {
      if (parser.parse(lines.buffer(), lines.from(), lines.to(), lines.line(), row)) {
        return true;
      }
    }
    return false;
  }

  @Override
  long line() {
    return lines.line();
  }

  @Override
  List<String> notes() {
    long queries = parser.queries();
    return queries == 0 ? List.of() : List.of("qid ignored on " + queries + " rows");
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
