// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import io.github.avm4j.flink.record.Formats;
import io.github.avm4j.flink.record.RawRecord;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.file.src.reader.SimpleStreamFormat;
import org.apache.flink.core.fs.FSDataInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the lines of a file as records; Flink decompresses .gz, .bz2, .xz and .zst by their names.
 */
final class FileLines extends SimpleStreamFormat<RawRecord> {
  private static final long serialVersionUID = 1;

  private final boolean skipHeader;
  private final int longest;
  private final long skip;

  /**
   * Lines of files.
   *
   * @param skip lines to pass over at the beginning of a file, its header not counted
   */
  FileLines(boolean skipHeader, int longest, long skip) {
    this.skipHeader = skipHeader;
    this.longest = longest;
    this.skip = skip;
  }

  @Override
  public Lines createReader(Configuration config, FSDataInputStream in) throws IOException {
    Lines lines = new Lines(in, longest);
    if (skipHeader) {
      lines.read();
    }
    for (long k = 0; k < skip; k++) {
      lines.read();
    }
    return lines;
  }

  @Override
  public TypeInformation<RawRecord> getProducedType() {
    return Formats.RAW_RECORD.type();
  }

  /** Reads one file. A line too long is cut one byte past the limit, for the parser to refuse. */
  static final class Lines implements Reader<RawRecord> {
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

    @Override
    public @Nullable RawRecord read() throws IOException {
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
