// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.feature;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.chrono.ChronoLocalDate;
import java.time.chrono.ChronoLocalDateTime;
import java.time.chrono.ChronoZonedDateTime;
import java.time.temporal.TemporalAccessor;
import java.util.Arrays;
import java.util.Date;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One raw row before encoding: cells by column, or numbered features (as LIBSVM has them), with a
 * label and a weight. A container that readers refill; nothing is kept of the last row after {@link
 * #reset}.
 *
 * <p>A cell is empty, a finite number, or text, whatever it came through: a text that is a plain
 * number is that number, true and false are texts, a date is its text in ISO 8601, and blanks
 * around a text are left out. Which words and numbers mean that a cell is missing, and what a cell
 * is in a column, is the schema's to say ({@link CellReader}). A row has cells or numbered
 * features, not both.
 */
public final class Row {
  /** What a cell holds. */
  public enum Kind {
    /** Nothing, or blanks, or a number that is not finite. */
    MISSING,
    /** A finite number. */
    NUMBER,
    /** Text that is not a number. */
    TEXT
  }

  /** What a cell can be, for messages. */
  public static final String EXPECTED =
      "a cell is a number, a text, true, false, a date or null, not an object or a list";

  private static final int LONGEST_NUMBER = 400;
  private static final int SHOWN = 40;

  private final Cell label = new Cell();
  private Cell[] cells = new Cell[0];
  private int width;
  private int[] indices = new int[16];
  private double[] values = new double[16];
  private int features;
  private double weight = 1;

  /** How the row's numbers are written, one after the other. */
  private char[] written = new char[0];

  private int writtenCount;
  private byte[] digits = new byte[0];

  /** A row without cells. */
  public Row() {}

  /** A cell; a number's text is written[from, to) if it is not the shortest. */
  static final class Cell {
    Kind kind = Kind.MISSING;
    double number;
    @Nullable String text;
    private int from;
    private int to;

    void set(Kind newKind, double newNumber, @Nullable String newText) {
      kind = newKind;
      number = newNumber;
      text = newText;
      from = 0;
      to = 0;
    }

    void setNumber(double value) {
      set(Double.isFinite(value) ? Kind.NUMBER : Kind.MISSING, value, null);
    }
  }

  /**
   * Empties the row and gives it {@code newWidth} missing cells; weight 1, no label.
   *
   * @param newWidth number of cells
   */
  public void reset(int newWidth) {
    if (newWidth > cells.length) {
      int old = cells.length;
      cells = Arrays.copyOf(cells, newWidth);
      for (int c = old; c < newWidth; c++) {
        cells[c] = new Cell();
      }
    }
    width = newWidth;
    for (int c = 0; c < width; c++) {
      cells[c].set(Kind.MISSING, 0, null);
    }
    label.set(Kind.MISSING, 0, null);
    features = 0;
    weight = 1;
    writtenCount = 0;
  }

  /** {@return the number of cells} */
  public int width() {
    return width;
  }

  /**
   * Sets a cell to any value that can be one: a number (also of {@link java.math}), a text, a
   * Boolean, a date of {@code java.time} or {@link Date}, or null. A float is the shortest decimal
   * that it is written as, so that 0.1f and 0.1 are one number.
   *
   * @param column index of the cell, from 0
   * @param value the value
   * @throws IllegalArgumentException if no cell can be such a value
   */
  public void set(int column, @Nullable Object value) {
    set(cell(column), value);
  }

  /**
   * Makes a cell a number; NaN and infinities are missing.
   *
   * @param column index of the cell, from 0
   * @param value the number
   */
  public void setNumber(int column, double value) {
    cell(column).setNumber(value);
  }

  /**
   * Makes a cell the number that a text writes, as in {@code -2.5e3}; it keeps how it is written.
   *
   * @param column index of the cell, from 0
   * @param text holds the text, without blanks around it
   * @param from where it begins
   * @param to where it ends
   * @param decimalComma whether a comma may stand for the point
   * @return false if it writes no finite number; the cell is unchanged then
   */
  public boolean setNumber(int column, char[] text, int from, int to, boolean decimalComma) {
    return setNumber(cell(column), text, from, to, decimalComma);
  }

  /**
   * Makes a cell the text, or the number if it writes one; a blank text makes it empty.
   *
   * @param column index of the cell, from 0
   * @param value the text
   */
  public void setText(int column, String value) {
    setText(cell(column), value);
  }

  private void set(Cell cell, @Nullable Object value) {
    if (value instanceof String text) {
      setText(cell, text);
    } else if (value == null) {
      cell.set(Kind.MISSING, 0, null);
    } else if (value instanceof Float number) {
      cell.setNumber(Double.parseDouble(number.toString()));
    } else if (value instanceof Number number) {
      double rounded = number.doubleValue();
      if (Double.isInfinite(rounded) && !(value instanceof Double)) {
        setText(cell, value.toString());
      } else {
        cell.setNumber(rounded);
      }
    } else {
      setText(cell, text(value));
    }
  }

  private static String text(Object value) {
    if (value instanceof ChronoZonedDateTime<?> time) {
      return OffsetDateTime.of(LocalDateTime.from(time), time.getOffset()).toString();
    }
    if (value instanceof ChronoLocalDateTime<?> time) {
      return LocalDateTime.from(time).toString();
    }
    if (value instanceof ChronoLocalDate date) {
      return LocalDate.from(date).toString();
    }
    if (value.getClass() == Date.class) {
      return ((Date) value).toInstant().toString();
    }
    boolean written =
        value instanceof CharSequence
            || value instanceof Boolean
            || value instanceof Character
            || value instanceof Enum
            || value instanceof TemporalAccessor
            || value instanceof Date
            || value instanceof UUID;
    if (!written) {
      String shown = value.toString();
      throw new IllegalArgumentException(
          "%s; was %s of %s"
              .formatted(
                  EXPECTED,
                  shown.length() > SHOWN ? shown.substring(0, SHOWN) + "…" : shown,
                  value.getClass()));
    }
    return value.toString();
  }

  private void setText(Cell cell, String value) {
    int from = 0;
    int to = value.length();
    while (from < to && value.charAt(from) <= ' ') {
      from++;
    }
    while (to > from && value.charAt(to - 1) <= ' ') {
      to--;
    }
    boolean perhaps = from < to && value.charAt(from) <= '9' && to - from <= LONGEST_NUMBER;
    if (from == to) {
      cell.set(Kind.MISSING, 0, null);
    } else if (!perhaps || !setNumber(cell, value.toCharArray(), from, to, false)) {
      cell.set(Kind.TEXT, 0, value.substring(from, to));
    }
  }

  private boolean setNumber(Cell cell, char[] text, int from, int to, boolean decimalComma) {
    int length = to - from;
    if (length == 1 && text[from] >= '0' && text[from] <= '9') {
      cell.set(Kind.NUMBER, text[from] - '0', null);
      return true;
    }
    if (length == 0 || length > LONGEST_NUMBER || text[from] > '9') {
      return false;
    }
    digits = digits.length == 0 ? new byte[LONGEST_NUMBER] : digits;
    for (int k = 0; k < length; k++) {
      char c = text[from + k];
      if (c > 'e') {
        return false;
      }
      digits[k] = (byte) (decimalComma && c == ',' ? '.' : c);
    }
    double number = Decimals.parse(digits, 0, length);
    if (!Double.isFinite(number)) {
      return false;
    }
    cell.set(Kind.NUMBER, number, null);
    if (writtenCount + length > written.length) {
      written = Arrays.copyOf(written, Math.max(64, 2 * (writtenCount + length)));
    }
    System.arraycopy(text, from, written, writtenCount, length);
    cell.from = writtenCount;
    writtenCount += length;
    cell.to = writtenCount;
    return true;
  }

  /**
   * {@return the kind of a cell}
   *
   * @param column index of the cell, from 0
   */
  public Kind kind(int column) {
    return cell(column).kind;
  }

  /**
   * {@return the cell's number; only if it is one}
   *
   * @param column index of the cell, from 0
   */
  public double number(int column) {
    return cell(column).number;
  }

  /**
   * {@return the cell as text: a number in its shortest form; only if it is not missing}
   *
   * @param column index of the cell, from 0
   */
  public String text(int column) {
    return text(cell(column));
  }

  /**
   * {@return the cell as it was written, blanks around it left out; only if it is not missing}
   *
   * @param column index of the cell, from 0
   */
  public String written(int column) {
    return written(cell(column));
  }

  String written(Cell cell) {
    return cell.from == cell.to ? text(cell) : new String(written, cell.from, cell.to - cell.from);
  }

  Cell cell(int column) {
    if (column < 0 || column >= width) {
      throw new IndexOutOfBoundsException("column " + column + " of " + width);
    }
    return cells[column];
  }

  static String text(Cell cell) {
    if (cell.text != null) {
      return cell.text;
    }
    if (cell.kind == Kind.MISSING) {
      throw new IllegalStateException("the cell is missing");
    }
    return canonical(cell.number);
  }

  /**
   * {@return a number as text: {@code 1} rather than {@code 1.0}, so that "1", "+1" and "1.0" are
   * one}
   *
   * @param number a finite number
   */
  public static String canonical(double number) {
    long whole = (long) number;
    return whole == number && Math.abs(number) < 1e15
        ? Long.toString(whole)
        : Double.toString(number);
  }

  /**
   * Adds a numbered feature; indices (0-based) must ascend.
   *
   * @param index 0-based index, larger than the last
   * @param value value of the feature
   */
  public void addFeature(int index, double value) {
    if (features == indices.length) {
      indices = Arrays.copyOf(indices, 2 * features);
      values = Arrays.copyOf(values, 2 * features);
    }
    indices[features] = index;
    values[features++] = value;
  }

  /** {@return the number of numbered features} */
  public int featureCount() {
    return features;
  }

  /** {@return the numbered features as a view, valid until the row is refilled} */
  public FeatureVector features() {
    return FeatureVector.sparse(indices, values, features);
  }

  /**
   * Sets a label that is a number.
   *
   * @param value the label
   */
  public void setLabel(double value) {
    label.setNumber(value);
  }

  /**
   * Sets the label to any value that a cell can have, as {@link #set} does.
   *
   * @param value the label
   * @throws IllegalArgumentException if no label can be such a value
   */
  public void setLabel(@Nullable Object value) {
    set(label, value);
  }

  Cell label() {
    return label;
  }

  /** {@return the kind of the label} */
  public Kind labelKind() {
    return label.kind;
  }

  /** {@return the label's number; only if it is one} */
  public double labelNumber() {
    return label.number;
  }

  /**
   * {@return the label as a number, also one written as people write it ({@code $1,200}); else NaN}
   */
  public double labelAsNumber() {
    return CellReader.DEFAULT.number(label);
  }

  /** {@return the label as text: a number in its shortest form; only if it is not missing} */
  public String labelText() {
    return text(label);
  }

  /** {@return the weight of the row, 1 unless set} */
  public double weight() {
    return weight;
  }

  /**
   * Sets the weight.
   *
   * @param value weight of the row, ≥ 0
   */
  public void setWeight(double value) {
    weight = value;
  }

  /**
   * Copies everything from {@code other}.
   *
   * @param other the row to copy
   */
  public void copyFrom(Row other) {
    reset(other.width);
    for (int c = 0; c < width; c++) {
      copy(other.cells[c], cells[c]);
    }
    copy(other.label, label);
    written = Arrays.copyOf(other.written, other.writtenCount);
    writtenCount = other.writtenCount;
    weight = other.weight;
    for (int k = 0; k < other.features; k++) {
      addFeature(other.indices[k], other.values[k]);
    }
  }

  private static void copy(Cell from, Cell to) {
    to.set(from.kind, from.number, from.text);
    to.from = from.from;
    to.to = from.to;
  }
}
