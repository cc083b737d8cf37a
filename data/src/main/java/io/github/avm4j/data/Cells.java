// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import io.github.avm4j.feature.CellReader;
import io.github.avm4j.feature.Decimals;
import io.github.avm4j.feature.Row;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts the fields of a table's row where the layout wants them. A problem is kept until {@link
 * #finish}, so that a parser may go on to the row's end.
 */
final class Cells {
  private final String file;
  private final Layout layout;
  private final boolean hasLabel;
  private final CellReader reader;
  private final TextPool pool = new TextPool();
  private char[] chars = new char[64];
  private Row row = new Row();
  private @Nullable String problem;
  private int problemColumn;
  private String problemText = "";
  private boolean commas;
  private boolean damaged;
  private long firstDamaged;

  Cells(String file, Layout layout, ReaderOptions options) {
    this(file, layout, options, options.cells());
  }

  /** With other rules for a missing label than those of the options. */
  Cells(String file, Layout layout, ReaderOptions options, CellReader reader) {
    this.file = file;
    this.layout = layout;
    this.reader = reader;
    hasLabel = options.hasLabel() && layout.labelName() != null;
  }

  /** Takes numbers with a comma for their point too. */
  void takeCommas(boolean value) {
    commas = value;
  }

  /** How the cells of these rows are read. */
  CellReader reader() {
    return reader.withDecimalComma(commas);
  }

  /** What people should know of the rows so far. */
  List<String> notes() {
    boolean names = layout.names().stream().anyMatch(Cells::isDamaged);
    if (!names && firstDamaged == 0) {
      return List.of();
    }
    return List.of(
        (names ? "a column's name has" : "line " + firstDamaged + " is the first with")
            + " bytes that are not UTF-8, which were read as \uFFFD; convert the file, for example"
            + " with iconv -f ISO-8859-1 -t UTF-8");
  }

  private static boolean isDamaged(String text) {
    return text.indexOf('\uFFFD') >= 0;
  }

  /** Starts a row of missing cells. */
  void begin(Row target) {
    row = target;
    row.reset(layout.columns().size());
    problem = null;
  }

  /** A field as text. Columns beyond the layout are passed over. */
  void put(int column, char[] text, int from, int length) {
    if (column >= layout.names().size() || layout.role(column) == Layout.IGNORED) {
      return;
    }
    int start = from;
    int end = from + length;
    while (start < end && text[start] <= ' ') {
      start++;
    }
    while (end > start && text[end - 1] <= ' ') {
      end--;
    }
    int role = layout.role(column);
    if (role < 0 || !row.setNumber(role, text, start, end, commas)) {
      value(column, pool.get(text, start, end - start));
    }
  }

  /** The same for bytes. */
  void put(int column, byte[] text, int from, int to) {
    put(column, widen(text, from, to), 0, widened);
  }

  private int widened;

  /** The bytes as characters in a buffer that is used again; their number is in widened. */
  private char[] widen(byte[] text, int from, int to) {
    int length = to - from;
    if (length > chars.length) {
      chars = new char[Math.max(length, 2 * chars.length)];
    }
    widened = length;
    for (int k = 0; k < length; k++) {
      if (text[from + k] < 0) {
        String decoded = new String(text, from, length, StandardCharsets.UTF_8);
        widened = decoded.length();
        decoded.getChars(0, widened, chars, 0);
        return chars;
      }
      chars[k] = (char) text[from + k];
    }
    return chars;
  }

  /** Text from bytes, without asking what it means. */
  String pooled(byte[] text, int from, int to) {
    return pool.get(widen(text, from, to), 0, widened);
  }

  /** A value of any type that a cell can have. */
  void value(int column, @Nullable Object value) {
    int role = layout.role(column);
    if (value instanceof String text) {
      damaged |= firstDamaged == 0 && isDamaged(text);
    }
    if (role >= 0) {
      row.set(role, value);
    } else if (role == Layout.LABEL) {
      double number = commas ? Decimals.parse(plain(value)) : Double.NaN;
      row.setLabel(Double.isFinite(number) ? (Object) number : value);
    } else if (role == Layout.WEIGHT && value != null && !reader.isMissing(value.toString())) {
      double number = Decimals.parse(plain(value));
      if (Double.isNaN(number)) {
        problem(column, value.toString(), "a weight must be a number");
      } else {
        weight(number, value.toString());
      }
    }
  }

  private String plain(@Nullable Object value) {
    String text = String.valueOf(value);
    return commas ? text.replace(',', '.') : text;
  }

  /** A weight that stands in no column. */
  void weight(double value, String text) {
    if (value >= 0 && value <= Double.MAX_VALUE) {
      row.setWeight(value);
    } else {
      problem(-1, text, "a weight must be finite and at least 0");
    }
  }

  /** Keeps the row's first problem; a column of -1 is none. */
  void problem(int column, String text, String what) {
    if (problem == null) {
      problem = what;
      problemColumn = column;
      problemText = text;
    }
  }

  /** Ends a row of {@code fields} fields that began on {@code line}. */
  void finish(int fields, long line) throws BadRowException {
    if (damaged && firstDamaged == 0) {
      firstDamaged = line;
    }
    if (problem == null && fields != layout.names().size()) {
      problemColumn = -1;
      problemText = "";
      problem = "the row has " + fields + " fields, the columns are " + layout.names().size();
    }
    reader.readLabel(row);
    boolean unlabelled = problem == null && hasLabel && row.labelKind() == Row.Kind.MISSING;
    if (unlabelled) {
      problemColumn = layout.names().indexOf(layout.labelName());
      problemText = "";
      problem = "the label is missing; skip bad rows, or say that rows have no label";
    }
    if (problem != null) {
      String column = problemColumn < 0 ? "" : name(problemColumn);
      throw new BadRowException(new Position(file, line), column, problemText, problem, unlabelled);
    }
  }

  private String name(int column) {
    return (column + 1) + " (" + BadRowException.shorten(layout.names().get(column)) + ")";
  }
}
