// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import io.github.avm4j.feature.Row;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** LIBSVM and SVMlight text, parsed in place: {@code label [qid:n] index:value … [# comment]}. */
final class LibsvmRows extends Rows {
  private static final long LARGEST = Integer.MAX_VALUE - 1;

  private final LineSource lines;
  private final String file;
  private final boolean hasLabel;
  private final int base;
  private long queries;

  LibsvmRows(Input input, ReaderOptions options) {
    file = input.name();
    lines = new LineSource(file, input.stream(), options.maxLineBytes());
    hasLabel = options.hasLabel();
    base = options.zeroBased() ? 0 : 1;
  }

  @Override
  Layout layout() {
    return Layout.NUMBERED;
  }

  @Override
  boolean read(Row row) throws IOException {
    while (lines.next()) {
      int start = skipSpace(lines.buffer(), lines.from(), lines.to());
      if (start < lines.to() && lines.buffer()[start] != '#') {
        row.reset(0);
        features(row, label(row, start));
        return true;
      }
    }
    return false;
  }

  /** Reads the label at {@code start}; where the features begin. */
  private int label(Row row, int start) throws BadRowException {
    byte[] b = lines.buffer();
    int end = skipToken(b, start, lines.to());
    double label = Decimals.parse(b, start, end);
    if (Math.abs(label) <= Double.MAX_VALUE) {
      row.setLabel(label);
      return end;
    }
    if (hasLabel) {
      throw bad(
          "label",
          start,
          "the label must be a finite number; for rows to predict say that they have no label");
    }
    return start;
  }

  private void features(Row row, int start) throws BadRowException {
    byte[] b = lines.buffer();
    int end = lines.to();
    int i = start;
    long previous = -1;
    while ((i = skipSpace(b, i, end)) < end && b[i] != '#') {
      int token = i;
      long index = 0;
      int d;
      while (i < end && (d = b[i] - '0') >= 0 && d <= 9 && index <= LARGEST) {
        index = 10 * index + d;
        i++;
      }
      if (i == token || i == end || b[i] != ':') {
        i = special(token, i);
        continue;
      }
      index -= base;
      if (index <= previous || index > LARGEST) {
        throw badIndex(token, index, previous);
      }
      int value = ++i;
      i = skipToken(b, i, end);
      double number = Decimals.parse(b, value, i);
      if (!(Math.abs(number) <= Double.MAX_VALUE)) {
        throw bad("", token, "the value of a feature must be a finite number");
      }
      row.addFeature((int) index, number);
      previous = index;
    }
  }

  /** Passes over {@code qid:n}; anything else that is not {@code index:value} is an error. */
  private int special(int token, int stopped) throws BadRowException {
    byte[] b = lines.buffer();
    if (stopped == token
        && lines.to() - token > 4
        && b[token] == 'q'
        && b[token + 1] == 'i'
        && b[token + 2] == 'd'
        && b[token + 3] == ':') {
      queries++;
      return skipToken(b, token, lines.to());
    }
    throw stopped < lines.to() && b[stopped] >= '0' && b[stopped] <= '9'
        ? badIndex(token, LARGEST + 1, 0)
        : bad("", token, "a feature is written index:value");
  }

  private BadRowException badIndex(int token, long index, long previous) {
    if (index < 0) {
      return bad("", token, "index 0 where indices start at 1; if they start at 0, set zeroBased");
    }
    return index > LARGEST
        ? bad("", token, "the index must be at most " + (LARGEST + base))
        : bad("", token, "indices must ascend, this one comes after " + (previous + base));
  }

  private BadRowException bad(String column, int start, String problem) {
    int end = Math.min(skipToken(lines.buffer(), start, lines.to()), start + 100);
    String text = new String(lines.buffer(), start, end - start, StandardCharsets.UTF_8);
    return new BadRowException(new Position(file, lines.line()), column, text, problem);
  }

  private static int skipSpace(byte[] b, int start, int end) {
    int i = start;
    while (i < end && (b[i] & 0xFF) <= ' ') {
      i++;
    }
    return i;
  }

  private static int skipToken(byte[] b, int start, int end) {
    int i = start;
    while (i < end && (b[i] & 0xFF) > ' ') {
      i++;
    }
    return i;
  }

  @Override
  long line() {
    return lines.line();
  }

  @Override
  List<String> notes() {
    return queries == 0 ? List.of() : List.of("qid ignored on " + queries + " rows");
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
