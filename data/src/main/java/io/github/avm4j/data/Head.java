// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The first bytes of a stream, read ahead to find out what it holds. */
final class Head {
  private static final int USUAL = 1 << 16;
  private static final int LINES = 20;

  private final byte[] bytes;
  private final boolean whole;

  Head(byte[] bytes, boolean whole) {
    this.bytes = bytes;
    this.whole = whole;
  }

  /** At least the first line, unless it is too long; not a copy. */
  byte[] bytes() {
    return bytes;
  }

  /** Reads until 20 lines or 64 KiB are there, and one whole line at least, if short enough. */
  static Head read(InputStream in, int maxLine) throws IOException {
    return read(in, maxLine, LINES);
  }

  /** Reads the first line and what came with it: from a source that waits for a response. */
  static Head readLine(InputStream in, int maxLine) throws IOException {
    return read(in, maxLine, 1);
  }

  private static Head read(InputStream in, int maxLine, int most) throws IOException {
    byte[] bytes = new byte[USUAL];
    int filled = 0;
    int lines = 0;
    boolean ended = false;
    while (!ended && lines < most && (filled < USUAL || (lines < 2 && filled <= maxLine))) {
      if (filled == bytes.length) {
        bytes = Arrays.copyOf(bytes, 2 * filled);
      }
      int got = in.read(bytes, filled, bytes.length - filled);
      ended = got < 0;
      for (int k = 0; k < got; k++) {
        if (bytes[filled + k] == '\n') {
          lines++;
        }
      }
      filled += Math.max(got, 0);
    }
    return new Head(Arrays.copyOf(bytes, filled), ended);
  }

  /** The stream as it was before its head was read. */
  InputStream before(InputStream rest) {
    return whole && bytes.length == 0
        ? rest
        : new SequenceInputStream(new ByteArrayInputStream(bytes), rest);
  }

  /** The head as text, byte order mark left out, cut after the last whole line. */
  String text() {
    int end = bytes.length;
    while (!whole && end > 0 && bytes[end - 1] != '\n') {
      end--;
    }
    String text = new String(bytes, 0, end == 0 ? bytes.length : end, StandardCharsets.UTF_8);
    return text.startsWith("\uFEFF") ? text.substring(1) : text;
  }

  /** The first whole lines that are not blank, at most 20. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (String line : text().split("\r\n|\n|\r", 4 * LINES)) {
      if (!line.isBlank() && lines.size() < LINES) {
        lines.add(line);
      }
    }
    return lines;
  }
}
