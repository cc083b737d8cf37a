// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Lines as slices of one byte buffer, ends ({@code \n} or {@code \r\n}) and byte order mark left
 * out. The buffer grows to the longest line and never beyond the limit.
 */
final class LineSource implements Closeable {
  private static final VarHandle EIGHT =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final String file;
  private final InputStream in;
  private final int maxLine;
  private byte[] buffer = new byte[1 << 16];
  private int filled;
  private int next;
  private int from;
  private int to;
  private long line;
  private boolean ended;

  LineSource(String file, InputStream in, int maxLine) {
    this.file = file;
    this.in = in;
    this.maxLine = maxLine;
  }

  /**
   * Goes to the next line; false at the end.
   *
   * @throws BadRowException if the line is too long; it has been passed over
   */
  boolean next() throws IOException {
    from = next;
    int scanned = from;
    while (true) {
      int end = newline(scanned);
      if (end >= 0) {
        next = end + 1;
        take(end);
        return true;
      }
      scanned = filled;
      if (ended) {
        next = filled;
        if (from == filled) {
          return false;
        }
        take(filled);
        return true;
      }
      if (filled - from > maxLine) {
        throw passOver();
      }
      scanned -= makeRoom();
      fill();
    }
  }

  private int newline(int start) {
    byte[] b = buffer;
    int end = filled;
    int i = start;
    for (; i + Long.BYTES <= end; i += Long.BYTES) {
      long x = (long) EIGHT.get(b, i) ^ 0x0A0A0A0A0A0A0A0AL;
      long hit = (x - 0x0101010101010101L) & ~x & 0x8080808080808080L;
      if (hit != 0) {
        return i + (Long.numberOfTrailingZeros(hit) >>> 3);
      }
    }
    for (; i < end; i++) {
      if (b[i] == '\n') {
        return i;
      }
    }
    return -1;
  }

  private void take(int end) {
    line++;
    to = end > from && buffer[end - 1] == '\r' ? end - 1 : end;
    if (line == 1 && to - from >= 3 && isMark(buffer, from)) {
      from += 3;
    }
  }

  private static boolean isMark(byte[] b, int i) {
    return b[i] == (byte) 0xEF && b[i + 1] == (byte) 0xBB && b[i + 2] == (byte) 0xBF;
  }

  /** Moves the open line to the front or enlarges the buffer; by how much the line moved. */
  private int makeRoom() {
    int moved = from;
    if (moved > 0) {
      System.arraycopy(buffer, from, buffer, 0, filled - from);
      filled -= moved;
      next -= moved;
      from = 0;
    }
    if (filled == buffer.length) {
      buffer = Arrays.copyOf(buffer, (int) Math.min(2L * buffer.length, maxLine + 2L));
    }
    return moved;
  }

  private void fill() throws IOException {
    int got = in.read(buffer, filled, buffer.length - filled);
    if (got < 0) {
      ended = true;
    } else {
      filled += got;
    }
  }

  private BadRowException passOver() throws IOException {
    String start = new String(buffer, from, 60, StandardCharsets.ISO_8859_1);
    line++;
    int end = -1;
    while (end < 0 && !ended) {
      filled = 0;
      fill();
      end = newline(0);
    }
    next = end < 0 ? filled : end + 1;
    from = next;
    to = next;
    return new BadRowException(
        new Position(file, line),
        "",
        start,
        "the line is longer than "
            + maxLine
            + " bytes: is this a file of rows, one per line? (ReaderOptions.maxLineBytes allows more)");
  }

  byte[] buffer() {
    return buffer;
  }

  int from() {
    return from;
  }

  int to() {
    return to;
  }

  /** Number of the current line, from 1. */
  long line() {
    return line;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
