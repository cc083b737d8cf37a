// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import de.siegmar.fastcsv.reader.CsvCallbackHandler;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import de.siegmar.fastcsv.reader.RecordType;
import io.github.avm4j.feature.CellReader;
import io.github.avm4j.feature.Row;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** CSV with a one-character delimiter: quotes, line breaks in quotes, any line end. */
final class CsvRows extends Rows {
  private final String file;
  private final Layout layout;
  private final Filler filler;
  private final CsvReader<Filler> reader;
  private final Iterator<Filler> records;

  CsvRows(Input input, ReaderOptions options, Dialect dialect, Layout layout) {
    file = input.name();
    this.layout = layout;
    Cells cells = new Cells(file, layout, options);
    cells.takeCommas(dialect.takesCommas());
    filler = new Filler(cells, dialect.header());
    reader =
        builder(dialect.delimiter(), options.maxLineBytes())
            .build(filler, new InputStreamReader(input.stream(), StandardCharsets.UTF_8));
    records = reader.iterator();
  }

  static CsvReader.CsvReaderBuilder builder(char delimiter, int maxField) {
    return CsvReader.builder()
        .fieldSeparator(delimiter)
        .skipEmptyLines(true)
        .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
        .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
        .allowUnclosedQuote(false)
        .trimWhitespacesAroundQuotes(true)
        .detectBomHeader(false)
        .maxBufferSize(maxField);
  }

  /** The layout of a file with this dialect; the first file's if this one has no names. */
  static Layout layout(Input input, ReaderOptions options, Dialect dialect, @Nullable Layout first)
      throws BadFileException {
    if (first != null && !dialect.header()) {
      return first;
    }
    Layout found =
        Layout.of(
            input.name(),
            dialect.header()
                ? Layout.distinct(dialect.first())
                : Layout.numbered(dialect.first().size()),
            options);
    requireSame(input.name(), found, first);
    if (found.columns().isEmpty()) {
      String label = found.labelName();
      throw new BadFileException(
          input.name()
              + ": there is no feature column"
              + (label == null ? "" : " besides the label " + BadRowException.shorten(label))
              + "; is the delimiter right (--delimiter)?");
    }
    return found;
  }

  @Override
  Layout layout() {
    return layout;
  }

  @Override
  CellReader cells() {
    return filler.cells.reader();
  }

  @Override
  boolean read(Row row) throws IOException {
    filler.row = row;
    try {
      do {
        if (!records.hasNext()) {
          return false;
        }
        records.next();
      } while (filler.passOver());
    } catch (CsvParseException e) {
      throw new BadFileException(
          new Position(file, filler.line) + ": not CSV from here on: " + e.getMessage(), e);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    filler.cells.finish(filler.fields, filler.line);
    return true;
  }

  @Override
  long line() {
    return filler.line;
  }

  @Override
  List<String> notes() {
    return filler.cells.notes();
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }

  /** Takes fields as they are parsed and makes no strings of them. */
  private static final class Filler extends CsvCallbackHandler<Filler> {
    final Cells cells;
    Row row = new Row();
    long line;
    int fields;
    private boolean header;
    private boolean empty;

    Filler(Cells cells, boolean header) {
      this.cells = cells;
      this.header = header;
    }

    /** Whether the record was the header or a blank line. */
    boolean passOver() {
      boolean pass = header || empty;
      header = header && empty;
      return pass;
    }

    @Override
    protected void beginRecord(long startingLine) {
      line = startingLine;
      fields = 0;
      empty = false;
      cells.begin(row);
    }

    @Override
    protected void addField(char[] text, int from, int length, boolean quoted) {
      int start = from;
      int count = length;
      if (line == 1 && fields == 0 && count > 0 && text[start] == '\uFEFF') {
        start++;
        count--;
      }
      if (!header) {
        cells.put(fields, text, start, count);
      }
      fields++;
    }

    @Override
    protected RecordType getRecordType() {
      return empty ? RecordType.EMPTY : RecordType.DATA;
    }

    @Override
    protected int getFieldCount() {
      return fields;
    }

    @Override
    protected void setComment(char[] text, int from, int length) {}

    @Override
    protected void setEmpty() {
      empty = true;
    }

    @Override
    protected Filler buildRecord() {
      return this;
    }
  }
}
