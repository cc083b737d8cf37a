// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli;

import io.github.avm4j.data.RowReader;
import io.github.avm4j.feature.Row;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Columns of the input that go to the output beside the answer.
 *
 * @param names as they are written there
 * @param cells their places in the rows, {@link #LABEL} for the label
 */
record Kept(List<String> names, List<Integer> cells) {
  private static final int LABEL = -1;

  /**
   * The columns of these names.
   *
   * @throws FailureException if the rows have none of such a name
   */
  static Kept of(List<String> names, RowReader reader) {
    List<Integer> cells = new ArrayList<>();
    for (String name : names) {
      int cell = reader.columns().indexOf(name);
      if (cell < 0 && !name.equals(reader.labelName())) {
        throw new FailureException(
            reader.position().file()
                + ": has no column "
                + name
                + " for --keep; "
                + (reader.columns().isEmpty()
                    ? "its features are numbered"
                    : "the columns are " + Fit.brief(reader.columns())));
      }
      cells.add(cell < 0 ? LABEL : cell);
    }
    return new Kept(List.copyOf(names), cells);
  }

  /** What column {@code k} has in {@code row}; null if nothing. */
  @Nullable String cell(Row row, int k) {
    int cell = cells.get(k);
    if (cell == LABEL) {
      return row.labelKind() == Row.Kind.MISSING ? null : row.labelText();
    }
    return row.kind(cell) == Row.Kind.MISSING ? null : row.text(cell);
  }
}
