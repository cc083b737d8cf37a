// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.inference;

import io.github.avm4j.data.Position;
import io.github.avm4j.data.RowReader;
import io.github.avm4j.feature.Row;
import java.io.IOException;

/** A sequence of rows with their positions. */
public interface RowSource {
  /** Reads the next row into {@code row}; false at the end. */
  boolean next(Row row) throws IOException;

  /** Position of the last row in its file. */
  Position position();

  /** Rows of a reader. */
  static RowSource of(RowReader reader) {
    return new RowSource() {
      @Override
      public boolean next(Row row) throws IOException {
        return reader.next(row);
      }

      @Override
      public Position position() {
        return reader.position();
      }
    };
  }
}
