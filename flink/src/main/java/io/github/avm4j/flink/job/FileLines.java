// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import io.github.avm4j.flink.record.Formats;
import io.github.avm4j.flink.record.Parsed;
import io.github.avm4j.flink.record.RawRecord;
import io.github.avm4j.flink.record.RecordFormat;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.file.src.reader.SimpleStreamFormat;
import org.apache.flink.core.fs.FSDataInputStream;
import org.jspecify.annotations.Nullable;

/** Parses the lines of a file; Flink decompresses .gz, .bz2, .xz and .zst by their names. */
final class FileLines extends SimpleStreamFormat<Parsed> {
  private static final long serialVersionUID = 1;

  private final RecordFormat format;
  private final int longest;
  private final long skip;

  /**
   * Lines of files.
   *
   * @param skip lines to pass over at the beginning of a file
   */
  FileLines(RecordFormat format, int longest, long skip) {
    this.format = format;
    this.longest = longest;
    this.skip = skip;
  }

  @Override
  public Reader<Parsed> createReader(Configuration config, FSDataInputStream in)
      throws IOException {
    Lines lines = new Lines(in, longest);
    for (long k = 0; k < skip; k++) {
      lines.read();
    }
    return new Reader<>() {
      @Override
      public @Nullable Parsed read() throws IOException {
        RawRecord line = lines.read();
        return line == null ? null : format.parse(line);
      }

      @Override
      public void close() throws IOException {
        lines.close();
      }
    };
  }

  @Override
  public TypeInformation<Parsed> getProducedType() {
    return Formats.PARSED.type();
  }

  /** Reads one file. A line too long is cut one byte past the limit, for the parser to refuse. */
  static final class Lines implements Closeable {
    private static final byte[] NO_KEY = {};

    private final InputStream in;
    private final int longest;
    private final byte[] buffer = new byte[1 << 16];
    private int next;
    private int filled;
    private long line;

    Lines(InputStream in, int longest) {
      this.in = in;
      this.longest = longest;
    }

    /** The next line; null at the end. */
    @Nullable RawRecord read() throws IOException {
      ByteArrayOutputStream text = new ByteArrayOutputStream(256);
      boolean any = false;
      while (true) {
        if (next == filled) {
          filled = in.read(buffer);
          next = 0;
          if (filled <= 0) {
            filled = 0;
            return any ? record(text) : null;
          }
        }
        any = true;
        int end = next;
        while (end < filled && buffer[end] != '\n') {
          end++;
        }
        text.write(buffer, next, Math.min(end - next, Math.max(0, longest + 1 - text.size())));
        next = Math.min(end + 1, filled);
        if (end < filled) {
          return record(text);
        }
      }
    }

    private RawRecord record(ByteArrayOutputStream text) {
      return new RawRecord("file", line++, NO_KEY, text.toByteArray(), 0);
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
