// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import io.github.avm4j.feature.Decimals;
import io.github.avm4j.feature.Row;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Parses one row of LIBSVM or SVMlight in place: {@code label [qid:n] index:value … [# comment]}.
 */
final class LibsvmRow implements RecordParser {
  private static final long LARGEST = Integer.MAX_VALUE - 1;

  private final String file;
  private final boolean hasLabel;
  private final int base;
  private byte[] text = {};
  private int to;
  private long line;
  private long queries;

  LibsvmRow(String file, ReaderOptions options) {
    this.file = file;
    hasLabel = options.hasLabel();
    base = options.zeroBased() ? 0 : 1;
  }

  @Override
  public List<String> columns() {
    return List.of();
  }

  @Override
  public void parse(byte[] record, Row row) {
    if (!parse(record, 0, record.length, 0, row)) {
      throw BadRowException.none(file);
    }
  }

  /** Fills {@code row} with the text in {@code [from, to)}; false if there is none. */
  boolean parse(byte[] b, int from, int end, long number, Row row) throws BadRowException {
    text = b;
    to = end;
    line = number;
    int start = skipSpace(b, from, end);
    if (start == end || b[start] == '#') {
      return false;
    }
    row.reset(0);
    features(row, label(row, start));
    return true;
  }

  /** Reads the label at {@code start}; where the features begin. */
  private int label(Row row, int start) throws BadRowException {
    int end = skipToken(text, start, to);
    double label = Decimals.parse(text, start, end);
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
    byte[] b = text;
    int end = to;
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
    byte[] b = text;
    if (stopped == token
        && to - token > 4
        && b[token] == 'q'
        && b[token + 1] == 'i'
        && b[token + 2] == 'd'
        && b[token + 3] == ':') {
      queries++;
      return skipToken(b, token, to);
    }
    throw stopped < to && b[stopped] >= '0' && b[stopped] <= '9'
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
    int end = Math.min(skipToken(text, start, to), start + 100);
    String shown = new String(text, start, end - start, StandardCharsets.UTF_8);
    return new BadRowException(new Position(file, line), column, shown, problem);
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

  /** The number of rows with a query, which is ignored. */
  long queries() {
    return queries;
  }
}
