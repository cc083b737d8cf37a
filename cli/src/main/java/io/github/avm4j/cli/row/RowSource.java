// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.row;

import io.github.avm4j.data.Position;
import io.github.avm4j.data.RowReader;
import io.github.avm4j.feature.Row;
import java.io.IOException;

/** Rows for a command, whether looked at before or not. */
public interface RowSource {
  /** Fills {@code row} with the next row; false at the end. */
  boolean next(Row row) throws IOException;

  /** Where the row last given stands. */
  Position position();

  /** The rows of a reader, nothing looked at. */
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
