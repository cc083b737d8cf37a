// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.github.avm4j.data.BadRowException;
import io.github.avm4j.data.Format;
import io.github.avm4j.data.Readers;
import io.github.avm4j.data.RowReader;
import io.github.avm4j.feature.Row;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parses the text of single records with the file readers of avm4j-data: they are given an endless
 * file whose next line is the next record, after a first line with the names of the columns. A
 * reader that fails on a line is replaced by a new one.
 */
final class RecordReader {
  private final TextFormat format;
  private final Feed feed = new Feed();
  private @Nullable RowReader reader;

  RecordReader(TextFormat format) {
    this.format = format;
  }

  /** Names of the row's cells, in order. */
  List<String> columns() throws IOException {
    return reader().columns();
  }

  /**
   * Fills {@code row} with the record.
   *
   * @throws IOException if it is not one row of the format; the message says why
   */
  void read(byte[] text, Row row) throws IOException {
    int length = text.length;
    while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r')) {
      length--;
    }
    if (length > format.longest()) {
      throw new IOException(
          "the record has " + length + " bytes, more than " + format.longest() + "; raise longest");
    }
    for (int k = 0; k < length; k++) {
      if (text[k] == '\n' || text[k] == '\r') {
        throw new IOException("a record is one line, here is a line end at byte " + k);
      }
    }
    RowReader current = reader();
    feed.put(text, length);
    boolean keep = false;
    try {
      if (!current.next(row)) {
        throw new IOException("there is no row in the record");
      }
      keep = feed.isEmpty();
    } catch (BadRowException e) {
      keep = feed.isEmpty();
      throw e;
    } finally {
      if (!keep) {
        reader = null;
      }
    }
  }

  private RowReader reader() throws IOException {
    RowReader current = reader;
    if (current == null) {
      byte[] head = head().getBytes(StandardCharsets.UTF_8);
      feed.put(head, head.length);
      current = Readers.openPrompt(format.options(), "record", feed);
      if (format.format() != Format.CSV) {
        current.next(new Row());
      }
      reader = current;
    }
    return current;
  }

  private String head() {
    StringBuilder head = new StringBuilder();
    switch (format.format()) {
      case CSV -> {
        for (String column : format.columns()) {
          head.append(head.isEmpty() ? "" : format.delimiter());
          head.append('"').append(column.replace("\"", "\"\"")).append('"');
        }
      }
      case JSON_LINES -> {
        for (String column : format.columns()) {
          head.append(head.isEmpty() ? "{\"" : ",\"");
          head.append(JsonStringEncoder.getInstance().quoteAsString(column)).append("\":null");
        }
        head.append('}');
      }
      default -> head.append('0');
    }
    return head.toString();
  }

  /** The endless file: what was put, a line end, and then as if at its end until more is put. */
  private static final class Feed extends InputStream {
    private byte[] bytes = {};
    private int length;
    private int next;

    void put(byte[] text, int count) {
      bytes = text;
      length = count;
      next = 0;
    }

    boolean isEmpty() {
      return next > length;
    }

    @Override
    public int available() {
      return Math.max(0, length + 1 - next);
    }

    @Override
    public int read() {
      if (next > length) {
        return -1;
      }
      int at = next++;
      return at == length ? '\n' : bytes[at] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int most) {
      if (most == 0) {
        return 0;
      }
      int n = Math.min(most, length - next);
      if (n <= 0) {
        int single = read();
        if (single < 0) {
          return -1;
        }
        target[offset] = (byte) single;
        return 1;
      }
      System.arraycopy(bytes, next, target, offset, n);
      next += n;
      if (n < most && next == length) {
        target[offset + n++] = '\n';
        next++;
      }
      return n;
    }
  }
}
