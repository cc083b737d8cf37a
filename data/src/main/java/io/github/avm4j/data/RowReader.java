// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import io.github.avm4j.feature.CellReader;
import io.github.avm4j.feature.Row;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rows in order, one at a time, in constant memory. Not safe for use by several threads. */
public interface RowReader extends Closeable {
  /** {@return the names of the feature columns; empty for formats with numbered features} */
  List<String> columns();

  /**
   * {@return the name of the label's column; null for formats that do not name it, or without a
   * label}
   */
  @Nullable String labelName();

  /** {@return why that column was taken for the label, in words; null if it was named} */
  default @Nullable String labelReason() {
    return null;
  }

  /** {@return all values of those columns, the label's included, whose values the file declares} */
  default Map<String, List<String>> declared() {
    return Map.of();
  }

  /**
   * {@return how the cells of these rows are read: the rules for a schema that is inferred from
   * them}
   */
  default CellReader cells() {
    return CellReader.DEFAULT;
  }

  /**
   * Fills {@code row} with the next row; false at the end. A number too large for a double is text.
   *
   * @param row receives the row
   * @return false at the end
   * @throws BadRowException if the row cannot be read; the call after it goes on with the next row
   * @throws BadFileException if the file cannot be read any further
   * @throws IOException if the disk or the stream fails
   */
  boolean next(Row row) throws IOException;

  /** {@return the position of the row last read} */
  Position position();

  /** {@return the number of rows read so far} */
  long rows();

  /** {@return the number of bad rows left out so far; always 0 with {@link OnBadRow#FAIL}} */
  long skipped();

  /** {@return what the reader changed in the data without being asked, for people to read} */
  List<String> notes();
}
