// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.row;

import io.github.avm4j.cli.failure.FailureException;
import io.github.avm4j.data.RowReader;
import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.feature.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Whether rows fit a model that was made from others. */
public final class Fit {
  private Fit() {}

  /**
   * An encoder of the reader's rows for the model's schema.
   *
   * @param notes is told of columns the model knows and the rows do not have
   * @throws FailureException if nothing fits
   */
  public static RowEncoder encoder(Schema schema, RowReader reader, Consumer<String> notes) {
    check(schema, reader, notes);
    return schema.encoder(reader.columns());
  }

  /**
   * Whether the reader's rows fit the model's schema.
   *
   * @param notes is told of columns the model knows and the rows do not have
   * @throws FailureException if nothing fits
   */
  public static void check(Schema schema, RowReader reader, Consumer<String> notes) {
    String file = reader.position().file();
    List<String> given = reader.columns();
    if (schema.isNumbered() && !given.isEmpty()) {
      throw new FailureException(
          file
              + ": has columns "
              + brief(given)
              + ", but the model has numbered features: give rows in LIBSVM format, or another"
              + " model");
    }
    List<String> needed = new ArrayList<>();
    for (Column column : schema.columns()) {
      if (column.width() > 0) {
        needed.add(column.name());
      }
    }
    if (!schema.isNumbered() && given.isEmpty()) {
      throw new FailureException(
          file
              + ": has numbered features (LIBSVM), but the model needs columns "
              + brief(needed)
              + ": give rows with these, or another model");
    }
    List<String> absent = new ArrayList<>(needed);
    absent.removeAll(given);
    if (!absent.isEmpty() && absent.size() == needed.size()) {
      throw new FailureException(
          file
              + ": has none of the model's columns "
              + brief(needed)
              + ", but "
              + brief(given)
              + "; is this the right file, and does it begin with names (--header)?");
    }
    if (!absent.isEmpty()) {
      notes.accept(file + ": has no " + brief(absent) + "; taken as missing");
    }
  }

  /** At most eight names. */
  public static String brief(List<String> names) {
    int most = 8;
    return names.size() <= most
        ? String.join(", ", names)
        : String.join(", ", names.subList(0, most)) + ", … (" + names.size() + ")";
  }
}
