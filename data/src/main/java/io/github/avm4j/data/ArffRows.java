// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import io.github.avm4j.data.ArffHeader.Attribute;
import io.github.avm4j.feature.CellReader;
import io.github.avm4j.feature.Decimals;
import io.github.avm4j.feature.Row;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** ARFF rows, dense or sparse; {@code ?} is missing, {@code {w}} after a row is its weight. */
final class ArffRows extends Rows {
  private static final String NO_NUMBER = "a number or ? is expected";
  private static final Double ZERO = 0.0;

  private final LineSource lines;
  private final List<Attribute> attributes;
  private final Layout layout;
  private final Cells cells;

  ArffRows(Input input, ReaderOptions options, @Nullable Layout first) throws IOException {
    lines = new LineSource(input.name(), input.stream(), options.maxLineBytes());
    attributes = ArffHeader.read(input.name(), lines);
    List<String> names = new ArrayList<>();
    attributes.forEach(a -> names.add(a.name()));
    layout = Layout.of(input.name(), Layout.distinct(names), options);
    requireSame(input.name(), layout, first);
    cells = new Cells(input.name(), layout, options, reader(options));
  }

  /** Only ? is missing; declared values that would be one category, such as 7 and 07, are not. */
  private CellReader reader(ReaderOptions options) {
    Set<String> verbatim = new HashSet<>();
    declared()
        .forEach(
            (column, values) -> {
              long categories =
                  values.stream().map(CellReader.DEFAULT::category).distinct().count();
              if (categories < values.size() && layout.columns().contains(column)) {
                verbatim.add(column);
              }
            });
    return new CellReader(List.of("?"), false, verbatim).withMissing(options.missing());
  }

  @Override
  Layout layout() {
    return layout;
  }

  @Override
  Map<String, List<String>> declared() {
    Map<String, List<String>> declared = new HashMap<>();
    for (int c = 0; c < attributes.size(); c++) {
      if (attributes.get(c).type() == ArffHeader.Type.NOMINAL
          && layout.role(c) != Layout.IGNORED
          && layout.role(c) != Layout.WEIGHT) {
        declared.put(layout.names().get(c), List.copyOf(attributes.get(c).values()));
      }
    }
    return declared;
  }

  @Override
  CellReader cells() {
    return cells.reader();
  }

  @Override
  boolean read(Row row) throws IOException {
    while (lines.next()) {
      int start = skipSpace(lines.from());
      byte c = start < lines.to() ? lines.buffer()[start] : (byte) '%';
      if (c != '%') {
        cells.begin(row);
        cells.finish(c == '{' ? sparse(start + 1) : dense(start), lines.line());
        return true;
      }
    }
    return false;
  }

  private int dense(int start) {
    int column = 0;
    int i = start;
    while (true) {
      if (column == attributes.size() && i < lines.to() && lines.buffer()[i] == '{') {
        weight(i);
        return column;
      }
      i = field(column++, i, (byte) ',');
      if (i >= lines.to()) {
        return column;
      }
      i = skipSpace(i + 1);
    }
  }

  private int sparse(int start) {
    defaults();
    byte[] b = lines.buffer();
    int i = skipSpace(start);
    while (i < lines.to() && b[i] != '}') {
      int column = 0;
      int first = i;
      for (; i < lines.to() && b[i] >= '0' && b[i] <= '9'; i++) {
        column = Math.min(Layout.MOST, 10 * column + b[i] - '0');
      }
      int value = skipSpace(i);
      if (i == first || value == i || column >= attributes.size()) {
        cells.problem(-1, shown(first), "a sparse value is written \"index value\", from index 0");
        return attributes.size();
      }
      i = field(column, value, (byte) '}');
      i = i < lines.to() && b[i] == ',' ? skipSpace(i + 1) : i;
    }
    if (i == lines.to()) {
      cells.problem(-1, shown(lines.from()), "a sparse row ends with }");
    } else if ((i = skipSpace(i + 1)) < lines.to()) {
      weight(skipSpace(b[i] == ',' ? i + 1 : i));
    }
    return attributes.size();
  }

  /** What a sparse row does not name is 0, or the first nominal value. */
  private void defaults() {
    for (int c = 0; c < attributes.size(); c++) {
      String first = attributes.get(c).first();
      if (attributes.get(c).type() == ArffHeader.Type.NUMERIC) {
        cells.value(c, ZERO);
      } else if (first != null) {
        nominal(c, first);
      }
    }
  }

  private void weight(int start) {
    byte[] b = lines.buffer();
    int end = lines.to();
    while (end > start && (b[end - 1] & 0xFF) <= ' ') {
      end--;
    }
    boolean braces = end - start > 2 && b[start] == '{' && b[end - 1] == '}';
    cells.weight(braces ? Decimals.parse(b, start + 1, end - 1) : Double.NaN, shown(start));
  }

  /** Takes the field at {@code start}; where the comma, tab or {@code stop} after it stands. */
  private int field(int column, int start, byte stop) {
    byte[] b = lines.buffer();
    int end = lines.to();
    if (start < end && (b[start] == '\'' || b[start] == '"')) {
      return quoted(column, start);
    }
    int i = start;
    while (i < end && b[i] != ',' && b[i] != stop && b[i] != '\t') {
      i++;
    }
    int last = i;
    while (last > start && (b[last - 1] & 0xFF) <= ' ') {
      last--;
    }
    if (column < attributes.size() && !(last - start == 1 && b[start] == '?')) {
      if (attributes.get(column).type() != ArffHeader.Type.NUMERIC) {
        text(column, cells.pooled(b, start, last));
      } else if (Double.isNaN(Decimals.parse(b, start, last))) {
        cells.problem(column, shown(start), NO_NUMBER);
      } else {
        cells.put(column, b, start, last);
      }
    }
    while (i < end && b[i] == '\t' && skipSpace(i) < end && isStop(b[skipSpace(i)], stop)) {
      i = skipSpace(i);
    }
    return b.length > i && i < end ? i : end;
  }

  private static boolean isStop(byte c, byte stop) {
    return c == ',' || c == stop;
  }

  private int quoted(int column, int start) {
    byte[] b = lines.buffer();
    int close = start + 1;
    while (close < lines.to() && b[close] != b[start]) {
      close += b[close] == '\\' ? 2 : 1;
    }
    String line =
        close < lines.to() ? new String(b, start, close + 1 - start, StandardCharsets.UTF_8) : "";
    ArffText value = line.isEmpty() ? null : ArffText.at(line, 0, ",");
    int after = skipSpace(close + 1);
    if (value == null || (after < lines.to() && b[after] != ',' && b[after] != '}')) {
      cells.problem(-1, shown(start), "a quoted value ends with its quote and a comma");
      return lines.to();
    }
    if (column < attributes.size()) {
      text(column, value.text());
    }
    return Math.min(after, lines.to());
  }

  private void text(int column, String value) {
    switch (attributes.get(column).type()) {
      case TEXT -> cells.value(column, value);
      case NOMINAL -> nominal(column, value);
      case NUMERIC -> {
        if (Double.isNaN(Decimals.parse(value))) {
          cells.problem(column, value, NO_NUMBER);
        } else {
          cells.value(column, value);
        }
      }
    }
  }

  private void nominal(int column, String value) {
    if (attributes.get(column).values().contains(value)) {
      cells.value(column, value);
    } else {
      cells.problem(column, value, "this value is not among those declared");
    }
  }

  private int skipSpace(int start) {
    byte[] b = lines.buffer();
    int i = start;
    while (i < lines.to() && (b[i] & 0xFF) <= ' ') {
      i++;
    }
    return i;
  }

  private String shown(int start) {
    int length = Math.max(0, Math.min(100, lines.to() - start));
    return new String(lines.buffer(), start, length, StandardCharsets.UTF_8);
  }

  @Override
  long line() {
    return lines.line();
  }

  @Override
  List<String> notes() {
    return cells.notes();
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
