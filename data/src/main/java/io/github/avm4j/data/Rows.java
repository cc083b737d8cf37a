// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import io.github.avm4j.feature.CellReader;
import io.github.avm4j.feature.Row;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rows of one file. */
abstract class Rows implements Closeable {
  /** Which raw columns the file has and what each is for; empty for numbered features. */
  abstract Layout layout();

  /** As {@link RowReader#next}. */
  abstract boolean read(Row row) throws IOException;

  /** Line or record last read. */
  abstract long line();

  /** As {@link RowReader#declared}. */
  Map<String, List<String>> declared() {
    return Map.of();
  }

  /** As {@link RowReader#cells}. */
  abstract CellReader cells();

  /** As {@link RowReader#notes}. */
  List<String> notes() {
    return List.of();
  }

  /** Says so if this file's columns are not those of the first. */
  static void requireSame(String file, Layout found, @Nullable Layout first)
      throws BadFileException {
    if (first != null && !first.names().equals(found.names())) {
      throw new BadFileException(
          file
              + ": the columns "
              + BadRowException.shorten(String.join(", ", found.names()))
              + " are not those of the first file, "
              + BadRowException.shorten(String.join(", ", first.names())));
    }
  }
}
