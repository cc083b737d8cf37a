// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import io.github.avm4j.data.Format;
import io.github.avm4j.data.ReaderOptions;
import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Text format of records, and the columns that are not features.
 *
 * @param format LIBSVM, CSV or JSONL
 * @param columns all columns: of CSV in their order; of JSON those that are looked at; none for
 *     LIBSVM
 * @param label the label's column; null for LIBSVM, or if labels come separately
 * @param weight the column of weights; null if every record weighs 1
 * @param key the column of keys; null for the record's own key
 * @param id the column of ids; null for the record's own key
 * @param time the column of event times, milliseconds since 1970; null for the record's own time
 * @param delimiter between CSV fields
 * @param longest most bytes of a record
 */
public record TextFormat(
    Format format,
    List<String> columns,
    @Nullable String label,
    @Nullable String weight,
    @Nullable String key,
    @Nullable String id,
    @Nullable String time,
    char delimiter,
    int longest)
    implements Serializable {

  /**
   * Checks that the named columns are there.
   *
   * @param format LIBSVM, CSV or JSONL
   * @param columns all columns: of CSV in their order; of JSON those that are looked at; none for
   *     LIBSVM
   * @param label the label's column; null for LIBSVM, or if labels come separately
   * @param weight the column of weights; null if every record weighs 1
   * @param key the column of keys; null for the record's own key
   * @param id the column of ids; null for the record's own key
   * @param time the column of event times, milliseconds since 1970; null for the record's own time
   * @param delimiter between CSV fields
   * @param longest most bytes of a record
   */
  public TextFormat {
    columns = List.copyOf(columns);
    boolean numbered = format == Format.LIBSVM;
    if (!numbered && format != Format.CSV && format != Format.JSONL) {
      throw new IllegalArgumentException(
          "a record's format is LIBSVM, CSV or JSONL, not " + format);
    }
    if (numbered != columns.isEmpty()) {
      throw new IllegalArgumentException(
          numbered
              ? "LIBSVM records have numbered features, no columns " + columns
              : format + " records need columns");
    }
    if (delimiter > '~') {
      throw new IllegalArgumentException("the delimiter must be ASCII, was " + delimiter);
    }
    for (String column : new String[] {label, weight, key, id, time}) {
      if (column != null && !columns.contains(column)) {
        throw new IllegalArgumentException(
            "no column is named " + column + "; there are " + columns);
      }
    }
  }

  /** {@return the format of LIBSVM records of at most 1 MiB, keyed and timed by Kafka} */
  public static TextFormat libsvm() {
    return new TextFormat(Format.LIBSVM, List.of(), null, null, null, null, null, ',', 1 << 20);
  }

  /** The options of the reader behind it. */
  ReaderOptions options() {
    return ReaderOptions.defaults()
        .withFormat(format)
        .withLabel(format == Format.LIBSVM ? null : label == null ? ABSENT : label)
        .withHasLabel(false)
        .withWeight(weight)
        .withDelimiter(format == Format.CSV ? (Character) delimiter : null)
        .withMaxLineBytes(Math.max(longest, 1024) + 2);
  }

  /** A name no column has, so that the reader takes none for the label. */
  private static final String ABSENT = "\u0000no label";
}
