// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import io.github.avm4j.feature.Row;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts the fields of a table's row where the layout wants them. A problem is kept until {@link
 * #finish}, so that a parser may go on to the row's end.
 */
final class Cells {
  private static final int LONGEST_NUMBER = 400;

  private final String file;
  private final Layout layout;
  private final boolean hasLabel;
  private final List<String> missing;
  private final boolean missingFirst;
  private final int longestMissing;
  private final TextPool pool = new TextPool();
  private final byte[] digits = new byte[LONGEST_NUMBER];
  private char[] chars = new char[64];
  private Row row = new Row();
  private @Nullable String problem;
  private int problemColumn;
  private String problemText = "";
  private final boolean[] asText;
  private boolean commas;
  private boolean damaged;
  private long firstDamaged;

  Cells(String file, Layout layout, ReaderOptions options) {
    this.file = file;
    this.layout = layout;
    hasLabel = options.hasLabel() && layout.labelName() != null;
    missing = options.missing();
    asText = new boolean[layout.names().size()];
    for (int c = 0; c < asText.length; c++) {
      asText[c] = layout.role(c) >= 0 && options.texts().contains(layout.names().get(c));
    }
    int longest = -1;
    boolean numeric = false;
    for (String token : missing) {
      longest = Math.max(longest, token.length());
      byte[] bytes = token.getBytes(StandardCharsets.UTF_8);
      numeric |= !Double.isNaN(Decimals.parse(bytes, 0, bytes.length));
    }
    longestMissing = longest;
    missingFirst = numeric;
  }

  /** Takes numbers with a comma for their point too. */
  void takeCommas(boolean value) {
    commas = value;
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

  /** A field as text: a number, missing, or text. Columns beyond the layout are passed over. */
  void put(int column, char[] text, int from, int length) {
    if (column >= layout.names().size() || layout.role(column) == Layout.IGNORED) {
      return;
    }
    if (length == 1 && !missingFirst && !asText[column] && text[from] >= '0' && text[from] <= '9') {
      number(column, text[from] - '0');
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
    if (missingFirst && isMissing(text, start, end)) {
      return;
    }
    double number = asText[column] ? Double.NaN : parse(text, start, end);
    boolean tooLarge = Double.isInfinite(number) && layout.role(column) >= 0;
    if (!Double.isNaN(number) && !tooLarge) {
      number(column, number);
    } else if (!isMissing(text, start, end) && !isInfinity(text, start, end)) {
      text(column, pool.get(text, start, end - start));
    }
  }

  /** The same for bytes. */
  void put(int column, byte[] text, int from, int to) {
    if (column >= layout.names().size() || layout.role(column) == Layout.IGNORED) {
      return;
    }
    boolean plain = !missingFirst && !asText[column];
    double number = plain ? Decimals.parse(text, from, to) : Double.NaN;
    if (Double.isFinite(number)) {
      number(column, number);
    } else {
      put(column, widen(text, from, to), 0, widened);
    }
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

  private double parse(char[] text, int from, int to) {
    int length = to - from;
    if (length == 0 || length > LONGEST_NUMBER || text[from] > '9') {
      return Double.NaN;
    }
    for (int k = 0; k < length; k++) {
      char c = text[from + k];
      if (c > 'e') {
        return Double.NaN;
      }
      digits[k] = (byte) (commas && c == ',' ? '.' : c);
    }
    return Decimals.parse(digits, 0, length);
  }

  /** Whether the column's cells are text even if they are numbers. */
  boolean isText(int column) {
    return asText[column];
  }

  boolean isMissing(String text) {
    return isMissing(text.toCharArray(), 0, text.length());
  }

  private boolean isMissing(char[] text, int from, int to) {
    if (to - from > longestMissing) {
      return false;
    }
    for (String token : missing) {
      if (sameWord(token, text, from, to)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isInfinity(char[] text, int from, int to) {
    int start = from < to && (text[from] == '-' || text[from] == '+') ? from + 1 : from;
    return sameWord("inf", text, start, to) || sameWord("infinity", text, start, to);
  }

  private static boolean sameWord(String word, char[] text, int from, int to) {
    if (word.length() != to - from) {
      return false;
    }
    for (int k = 0; k < word.length(); k++) {
      if (Character.toLowerCase(word.charAt(k)) != Character.toLowerCase(text[from + k])) {
        return false;
      }
    }
    return true;
  }

  void number(int column, double value) {
    int role = layout.role(column);
    if (role >= 0) {
      row.setNumber(role, value);
    } else if (role == Layout.LABEL) {
      row.setLabel(value);
    } else if (role == Layout.WEIGHT) {
      weight(value, Double.toString(value));
    }
  }

  void text(int column, String value) {
    int role = layout.role(column);
    damaged |= firstDamaged == 0 && isDamaged(value);
    if (role >= 0) {
      row.setText(role, value);
    } else if (role == Layout.LABEL) {
      row.setLabel(value);
    } else if (role == Layout.WEIGHT) {
      problem(column, value, "a weight must be a number");
    }
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
