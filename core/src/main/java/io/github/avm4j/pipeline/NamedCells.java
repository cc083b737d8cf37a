// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.pipeline;

import io.github.avm4j.config.NearestNames;
import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.DateForm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.feature.Schema;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Encodes rows that are given as maps from column names to values; for one thread. */
final class NamedCells {
  private static final int SHOWN = 40;
  private static final String INSTEAD =
      "; leave it out if it is missing; lenient() counts such cells and takes them as missing";

  private final List<Column> columns;
  private final List<String> names;
  private final String target;
  private final UnusableCells unusable;
  private final RowEncoder encoder;
  private final Row row = new Row();
  private @Nullable Set<String> known;
  private FeatureVector features = FeatureVector.dense();

  /**
   * For rows of a schema.
   *
   * @param target a column that rows may have beside those of the schema; empty for none
   * @param encoder gives an encoder for cells in the order of these names
   */
  NamedCells(
      Schema schema,
      String target,
      UnusableCells unusable,
      Function<List<String>, RowEncoder> encoder) {
    if (schema.isNumbered()) {
      throw new IllegalStateException(
          "the features are numbered and have no names: use learner(), model() or detector() with"
              + " numbers, not a map");
    }
    this.columns = schema.columns();
    this.names = columns.stream().map(Column::name).toList();
    this.target = target;
    this.unusable = unusable;
    this.encoder = encoder.apply(names);
  }

  /**
   * The features of a row; valid until the next call.
   *
   * @throws IllegalArgumentException if a cell cannot be used, unless such cells are counted
   */
  FeatureVector encode(Map<String, ? extends @Nullable Object> cells) {
    row.reset(names.size());
    int found = 0;
    for (int c = 0; c < names.size(); c++) {
      Object value = cells.get(names.get(c));
      found += value != null || cells.containsKey(names.get(c)) ? 1 : 0;
      try {
        row.set(c, value);
      } catch (IllegalArgumentException e) {
        unusable.meet(names.get(c), "column " + names.get(c) + ": " + e.getMessage());
      }
    }
    if (found < cells.size()) {
      cells.keySet().forEach(this::checkKnown);
    }
    features = encoder.encode(row);
    for (int k = 0; k < encoder.unusableCount(); k++) {
      Column column = columns.get(encoder.unusableColumn(k));
      String expected = expected(column);
      if (!expected.isEmpty()) {
        String was = encoder.unusableText(row, k);
        unusable.meet(
            column.name(),
            "column %s must be %s, was '%s'%s"
                .formatted(
                    column.name(),
                    expected,
                    was.length() > SHOWN ? was.substring(0, SHOWN) + "…" : was,
                    INSTEAD));
      }
    }
    return features;
  }

  /** What the cells of a column must be; empty where any will do: a category may be a new one. */
  private static String expected(Column column) {
    return switch (column.kind()) {
      case NUMBER -> "a number";
      case DATE -> {
        String form = column.details().dates().pattern();
        String always = DateForm.YEAR_FIRST.pattern();
        yield "a date (" + (form.equals(always) ? always : form + " or " + always) + ")";
      }
      default -> "";
    };
  }

  private void checkKnown(String name) {
    Set<String> all = known;
    if (all == null) {
      all = new HashSet<>(names);
      all.add(target);
      known = all;
    }
    if (!all.contains(name)) {
      List<String> near = NearestNames.of(name, names);
      String nearest =
          near.isEmpty() ? "." : "; did you mean '" + String.join("' or '", near) + "'?";
      unusable.meet(
          name,
          "the schema has no column '%s'%s Its columns are %s; lenient() counts and ignores others"
              .formatted(name, nearest, InferenceNotes.brief(names)));
    }
  }

  /** What {@link #encode} returned last. */
  FeatureVector features() {
    return features;
  }

  /** The row last encoded. */
  Row row() {
    return row;
  }
}
