// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.feature;

import io.github.avm4j.internal.text.WrittenNumber;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One raw row before encoding: cells by column, or numbered features (as LIBSVM has them), with a
 * label and a weight. A container that readers refill; nothing is kept of the last row after {@link
 * #reset}.
 *
 * <p>A cell is missing, a finite number, or text. A row has cells or numbered features, not both.
 */
public final class Row {
  /** What a cell holds. */
  public enum Kind {
    /** Nothing is known. */
    MISSING,
    /** A finite number. */
    NUMBER,
    /** Text that is not a number. */
    TEXT
  }

  private final Cell label = new Cell();
  private Cell[] cells = new Cell[0];
  private int width;
  private int[] indices = new int[16];
  private double[] values = new double[16];
  private int features;
  private double weight = 1;

  /** A row without cells. */
  public Row() {}

  private static final class Cell {
    Kind kind = Kind.MISSING;
    double number;
    @Nullable String text;

    void set(Kind newKind, double newNumber, @Nullable String newText) {
      kind = newKind;
      number = newNumber;
      text = newText;
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
  }

  /** {@return the number of cells} */
  public int width() {
    return width;
  }

  /**
   * Makes a cell a number; NaN and infinities are missing.
   *
   * @param column index of the cell, from 0
   * @param value the number
   */
  public void setNumber(int column, double value) {
    cell(column).set(Double.isFinite(value) ? Kind.NUMBER : Kind.MISSING, value, null);
  }

  /**
   * Makes a cell text.
   *
   * @param column index of the cell, from 0
   * @param value the text
   */
  public void setText(int column, String value) {
    cell(column).set(Kind.TEXT, 0, value);
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

  /** The cell as a number, also one written as people write it ({@code $1,200}); else NaN. */
  double asNumber(int column) {
    return asNumber(cell(column));
  }

  private static double asNumber(Cell cell) {
    return switch (cell.kind) {
      case NUMBER -> cell.number;
      case TEXT -> cell.text == null ? Double.NaN : WrittenNumber.parse(cell.text);
      case MISSING -> Double.NaN;
    };
  }

  /**
   * {@return the cell as text: a number in its shortest form; only if it is not missing}
   *
   * @param column index of the cell, from 0
   */
  public String text(int column) {
    return text(cell(column));
  }

  private Cell cell(int column) {
    if (column < 0 || column >= width) {
      throw new IndexOutOfBoundsException("column " + column + " of " + width);
    }
    return cells[column];
  }

  private static String text(Cell cell) {
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
    label.set(Double.isFinite(value) ? Kind.NUMBER : Kind.MISSING, value, null);
  }

  /**
   * Sets a label that is text.
   *
   * @param value the label
   */
  public void setLabel(String value) {
    label.set(Kind.TEXT, 0, value);
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
    return asNumber(label);
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
      cells[c].set(other.cells[c].kind, other.cells[c].number, other.cells[c].text);
    }
    label.set(other.label.kind, other.label.number, other.label.text);
    weight = other.weight;
    for (int k = 0; k < other.features; k++) {
      addFeature(other.indices[k], other.values[k]);
    }
  }
}
