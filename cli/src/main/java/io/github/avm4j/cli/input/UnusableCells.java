// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.input;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.github.avm4j.cli.text.Escaped;
import io.github.avm4j.data.Position;
import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.feature.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Counts, per column, the cells that an encoder could not use and treated as missing. */
public final class UnusableCells {
  private static final int SHOWN = 40;

  private final Schema schema;
  private final RowEncoder encoder;
  private final @Nullable Found[] found;

  private static final class Found {
    final String text;
    final Position position;
    long cells;

    Found(String text, Position position) {
      this.text = text;
      this.position = position;
    }
  }

  public UnusableCells(Schema schema, RowEncoder encoder) {
    this.schema = schema;
    this.encoder = encoder;
    found = new Found[schema.columns().size()];
  }

  /** Counts the unusable cells of {@code row}, the row encoded last. */
  public void count(Row row, Supplier<Position> position) {
    for (int k = 0; k < encoder.unusableCount(); k++) {
      int c = encoder.unusableColumn(k);
      Found cells = found[c];
      if (cells == null) {
        cells = new Found(encoder.unusableText(row, k), position.get());
        found[c] = cells;
      }
      cells.cells++;
    }
  }

  /** One line per column with unusable cells. */
  public List<String> notes() {
    List<String> notes = new ArrayList<>();
    for (int c = 0; c < found.length; c++) {
      Found cells = found[c];
      if (cells != null) {
        boolean one = cells.cells == 1;
        notes.add(
            String.format(
                Locale.ROOT,
                "%s: %,d %s %s and %s treated as missing (%s'%s', %s)",
                Escaped.text(schema.columns().get(c).name()),
                cells.cells,
                one ? "cell" : "cells",
                problem(schema.columns().get(c).kind(), one),
                one ? "was" : "were",
                one ? "" : "first ",
                shorten(cells.text),
                cells.position));
      }
    }
    return notes;
  }

  private static String problem(Column.Kind kind, boolean one) {
    return switch (kind) {
      case NUMBER -> one ? "is not a number" : "are not numbers";
      case DATE -> one ? "is not a date" : "are not dates";
      default -> one ? "holds a category not seen before" : "hold categories not seen before";
    };
  }

  /** Appends one JSON object per column with unusable cells. */
  public void describe(ArrayNode list) {
    for (int c = 0; c < found.length; c++) {
      Found cells = found[c];
      if (cells != null) {
        Column column = schema.columns().get(c);
        list.addObject()
            .put("column", column.name())
            .put("kind", column.kind().name().toLowerCase(Locale.ROOT))
            .put("cells", cells.cells)
            .put("first", cells.text)
            .put("file", cells.position.file())
            .put("line", cells.position.line());
      }
    }
  }

  private static String shorten(String text) {
    String shown = text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text;
    return Escaped.text(shown);
  }
}
