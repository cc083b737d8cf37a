// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.input;

import io.github.avm4j.cli.text.Escaped;
import io.github.avm4j.data.RowReader;
import io.github.avm4j.feature.Row;
import io.github.avm4j.model.AvmException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Columns of the input that are copied to the output beside the prediction.
 *
 * @param names names in the output
 * @param cells column indices in the rows, {@link #LABEL} for the label
 */
public record KeptColumns(List<String> names, List<Integer> cells) {
  private static final int LABEL = -1;

  /**
   * Finds the columns of these names.
   *
   * @throws AvmException if the rows have no column of one of the names
   */
  public static KeptColumns of(List<String> names, RowReader reader) {
    List<Integer> cells = new ArrayList<>();
    for (String name : names) {
      int cell = reader.columns().indexOf(name);
      if (cell < 0 && !name.equals(reader.labelName())) {
        throw new AvmException(
            reader.position().file()
                + ": has no column "
                + name
                + " for --keep; "
                + (reader.columns().isEmpty()
                    ? "its features are numbered"
                    : "the columns are " + Escaped.brief(reader.columns())));
      }
      cells.add(cell < 0 ? LABEL : cell);
    }
    return new KeptColumns(List.copyOf(names), cells);
  }

  /** Kept column {@code k} in {@code row} as it is written; null if missing. */
  public @Nullable String cell(Row row, int k) {
    int cell = cells.get(k);
    if (cell == LABEL) {
      return row.labelKind() == Row.Kind.MISSING ? null : row.labelText();
    }
    return row.kind(cell) == Row.Kind.MISSING ? null : row.written(cell);
  }
}
