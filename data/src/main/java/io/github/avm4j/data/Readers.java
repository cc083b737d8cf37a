// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Opens readers. Compression (gzip, bzip2, xz, zstd) is recognised by the first bytes, the format
 * by the name, else by the content.
 *
 * <pre>{@code
 * try (RowReader reader = Readers.open(ReaderOptions.defaults(), Path.of("a9a.xz"))) {
 *   Row row = new Row();
 *   while (reader.next(row)) {
 *     …
 *   }
 * }
 * }</pre>
 */
public final class Readers {
  private Readers() {}

  /**
   * The rows of {@code files} in order; {@code -} is standard input. Files after the first must
   * have its columns; their CSV headers are passed over.
   *
   * @param options how to read
   * @param files files, read one after the other
   * @return the reader
   * @throws IOException if the first file cannot be read
   * @throws BadFileException if it lacks a wanted column
   */
  public static RowReader open(ReaderOptions options, Path... files) throws IOException {
    if (files.length == 0) {
      throw new IllegalArgumentException("at least one file is needed");
    }
    List<Source> sources = new ArrayList<>();
    for (Path file : files) {
      sources.add(Source.of(file));
    }
    return new ChainReader(options, sources, false);
  }

  /**
   * The rows of a stream, which messages and format finding call {@code name}.
   *
   * @param options how to read
   * @param name name of the stream in messages
   * @param stream the bytes, compressed or not; closed with the reader
   * @return the reader
   * @throws IOException if the stream cannot be read
   */
  public static RowReader open(ReaderOptions options, String name, InputStream stream)
      throws IOException {
    return new ChainReader(options, List.of(new Source(name, null, stream)), false);
  }

  /**
   * The rows of a stream whose writer waits for a response to each line: every row is given as soon
   * as its line has come, and the format is found from the first line alone. Not for compressed
   * streams.
   *
   * @param options how to read
   * @param name name of the stream in messages
   * @param stream the bytes, not compressed; closed with the reader
   * @return the reader
   * @throws IOException if the stream cannot be read
   */
  public static RowReader openPrompt(ReaderOptions options, String name, InputStream stream)
      throws IOException {
    return new ChainReader(options, List.of(new Source(name, null, stream)), true);
  }

  /** The rows of one input. */
  static Rows rows(Input input, ReaderOptions options, @Nullable Layout first) throws IOException {
    Format format = options.format() == Format.AUTO ? FormatFinder.find(input) : options.format();
    if (first != null && (first == Layout.NUMBERED) != (format == Format.LIBSVM)) {
      throw new BadFileException(
          input.name() + ": is " + format + ", which does not go with the files before it");
    }
    return switch (format) {
      case LIBSVM -> new LibsvmRows(input, options);
      case CSV -> csv(input, options, first);
      case ARFF -> new ArffRows(input, options, first);
      case JSONL -> JsonRows.open(input, options, first);
      case PARQUET -> ParquetRows.open(input, options, first);
      case AUTO -> throw new AssertionError();
    };
  }

  private static Rows csv(Input input, ReaderOptions options, @Nullable Layout first)
      throws IOException {
    Dialect dialect = Dialect.find(input, options).after(first, options);
    Layout layout = CsvRows.layout(input, options, dialect, first);
    return dialect.delimiter() == ' '
        ? new SpacedRows(input, options, dialect, layout)
        : new CsvRows(input, options, dialect, layout);
  }
}
