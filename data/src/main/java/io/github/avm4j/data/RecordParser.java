// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import io.github.avm4j.feature.Row;
import java.util.List;

/**
 * Parses single records, such as those of a Kafka topic: the bytes of one row as LIBSVM, CSV or
 * JSON. The columns are known before; a bad record has no effect on the next. Not safe for use by
 * several threads.
 */
public interface RecordParser {
  /**
   * {@return a parser of records of one format}
   *
   * @param options format, label, weight, words for missing values; of CSV the delimiter, which
   *     must be ASCII
   * @param columns all columns: of CSV in their order, of JSON those that are looked at; empty for
   *     LIBSVM
   * @throws BadFileException if a column that the options name is not there
   * @throws IllegalArgumentException if records cannot have the format
   */
  static RecordParser of(ReaderOptions options, List<String> columns) {
    return switch (options.format()) {
      case LIBSVM -> new LibsvmRow("record", options);
      case JSONL -> new JsonRow("record", Layout.of("record", columns, options), options);
      case CSV -> new CsvRow("record", Layout.of("record", columns, options), options);
      default ->
          throw new IllegalArgumentException(
              "a record is LIBSVM, CSV or JSONL, not " + options.format());
    };
  }

  /** {@return the names of the row's cells, in order; empty for LIBSVM} */
  List<String> columns();

  /**
   * Fills a row with a record. Line ends behind the record are left out.
   *
   * @param record the bytes
   * @param row receives the row
   * @throws BadRowException if the record is not one row of the format; the message says why
   */
  void parse(byte[] record, Row row) throws BadRowException;
}
