// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.input;

import io.github.avm4j.cli.text.Escaped;
import io.github.avm4j.data.RowReader;
import io.github.avm4j.feature.CellReader;
import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.model.AvmException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Checks that rows match the schema of a model. */
public final class Fit {
  private Fit() {}

  /**
   * Creates an encoder of the reader's rows for the model's schema.
   *
   * @param notes receives a note on columns of the model that the rows do not have
   * @throws AvmException if no column matches
   */
  public static RowEncoder encoder(Schema schema, RowReader reader, Consumer<String> notes) {
    check(schema, reader, notes);
    return schema.encoder(reader.columns());
  }

  /**
   * Checks that the reader's rows match the model's schema.
   *
   * @param notes receives a note on columns of the model that the rows do not have
   * @throws AvmException if no column matches
   */
  public static void check(Schema schema, RowReader reader, Consumer<String> notes) {
    String file = reader.position().file();
    List<String> given = reader.columns();
    if (schema.isNumbered() && !given.isEmpty()) {
      throw new AvmException(
          file
              + ": has the columns "
              + Escaped.brief(given)
              + ", but the model has numbered features (LIBSVM): use rows in LIBSVM format, or"
              + " another model");
    }
    List<String> needed = new ArrayList<>();
    for (Column column : schema.columns()) {
      if (column.width() > 0) {
        needed.add(column.name());
      }
    }
    if (!schema.isNumbered() && given.isEmpty()) {
      throw new AvmException(
          file
              + ": has numbered features (LIBSVM), but the model needs the columns "
              + Escaped.brief(needed)
              + ": use rows with these columns, or another model");
    }
    List<String> absent = new ArrayList<>(needed);
    absent.removeAll(given);
    if (!absent.isEmpty() && absent.size() == needed.size()) {
      throw new AvmException(
          file
              + ": has none of the model's columns "
              + Escaped.brief(needed)
              + ", only "
              + Escaped.brief(given)
              + "; check that it is the right file and begins with column names (--header)");
    }
    List<String> words = new ArrayList<>(reader.cells().missing());
    words.removeAll(schema.cells().missing());
    words.removeAll(CellReader.DEFAULT.missing());
    if (!schema.isNumbered() && !words.isEmpty()) {
      notes.accept(
          "--missing "
              + Escaped.brief(words)
              + " has no effect: which texts mean missing was set in training and is part of the"
              + " model");
    }
    if (!absent.isEmpty()) {
      notes.accept(file + ": has no " + Escaped.brief(absent) + "; treated as missing");
    }
  }
}
