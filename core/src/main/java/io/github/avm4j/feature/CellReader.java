// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.feature;

import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The rules by which the cells of rows are read: what means missing, which numbers have a decimal
 * comma, which categories are taken as written. They belong to a {@link Schema} and are saved with
 * it, so that a cell means the same in a file, a map, a request and a table.
 *
 * <table>
 * <caption>What a cell is in a column</caption>
 * <tr><th>column</th><th>cell</th></tr>
 * <tr><td>any</td><td>missing if it is empty, a number that is not finite, or one of the words (in
 *     any case) and numbers that mean missing</td></tr>
 * <tr><td>of numbers</td><td>a number, also as text ({@code "120"}) and as people write it ({@code
 *     $1,200}); true is 1, false is 0</td></tr>
 * <tr><td>of categories</td><td>a text; a number in its shortest form, so that 1, 1.0, "1" and
 *     "+1" are one category; true and false in lower case</td></tr>
 * <tr><td>of categories, as written</td><td>the text that is written, so that 07 is not 7</td></tr>
 * <tr><td>of dates</td><td>a date, or a date and time, of the column's form or with the year
 *     first</td></tr>
 * </table>
 *
 * <p>Immutable.
 */
public final class CellReader {
  /** What means missing unless set otherwise: ?, NA, N/A, NaN, null and none. */
  public static final CellReader DEFAULT =
      new CellReader(List.of("?", "NA", "N/A", "NaN", "null", "none"), false, Set.of());

  private final List<String> missing;
  private final boolean decimalComma;
  private final Set<String> verbatim;
  private final double[] codes;
  private final int longest;

  /**
   * A reader by these rules.
   *
   * @param missing words and numbers that mean missing, beside the empty text
   * @param decimalComma whether a comma in a number stands for the point
   * @param verbatim names of categorical columns whose categories are taken as written
   */
  public CellReader(List<String> missing, boolean decimalComma, Set<String> verbatim) {
    this.missing = List.copyOf(missing);
    this.decimalComma = decimalComma;
    this.verbatim = Set.copyOf(verbatim);
    this.codes = missing.stream().mapToDouble(Decimals::parse).filter(Double::isFinite).toArray();
    this.longest = missing.stream().mapToInt(String::length).max().orElse(0);
  }

  /**
   * {@return these rules with more words and numbers that mean missing}
   *
   * @param more words and numbers
   */
  public CellReader withMissing(List<String> more) {
    List<String> all = new ArrayList<>(missing);
    more.stream().filter(word -> !all.contains(word)).forEach(all::add);
    return new CellReader(all, decimalComma, verbatim);
  }

  /**
   * {@return these rules with or without a decimal comma}
   *
   * @param value whether a comma in a number stands for the point
   */
  public CellReader withDecimalComma(boolean value) {
    return new CellReader(missing, value, verbatim);
  }

  /**
   * {@return these rules with other columns whose categories are taken as written}
   *
   * @param columns names of categorical columns whose categories are taken as written
   */
  public CellReader withVerbatim(Set<String> columns) {
    return new CellReader(missing, decimalComma, columns);
  }

  /** {@return the words and numbers that mean missing, beside the empty text} */
  public List<String> missing() {
    return missing;
  }

  /** {@return whether a comma in a number stands for the point} */
  public boolean decimalComma() {
    return decimalComma;
  }

  /** {@return names of the categorical columns whose categories are taken as written, sorted} */
  public List<String> verbatim() {
    return List.copyOf(new TreeSet<>(verbatim));
  }

  /** Whether the categories of that column are taken as written. */
  boolean isVerbatim(String column) {
    return verbatim.contains(column);
  }

  /**
   * {@return whether a cell is missing}
   *
   * @param row the row
   * @param column index of the cell, from 0
   */
  public boolean isMissing(Row row, int column) {
    return isMissing(row.cell(column));
  }

  /**
   * {@return whether a text is a missing cell}
   *
   * @param text the text
   */
  public boolean isMissing(String text) {
    String word = text.strip();
    return word.isEmpty() || isWord(word) || isCode(Decimals.parse(word));
  }

  /**
   * Empties the label of a row if it means missing. As a label {@code none} does not: it is the
   * class of what has no defect, say, and often the most frequent one.
   *
   * @param row the row
   */
  public void readLabel(Row row) {
    boolean none = row.labelKind() == Row.Kind.TEXT && row.labelText().equalsIgnoreCase("none");
    if (!none && isMissing(row.label())) {
      row.setLabel(Double.NaN);
    }
  }

  private boolean isMissing(Row.Cell cell) {
    return switch (cell.kind) {
      case MISSING -> true;
      case NUMBER -> codes.length > 0 && isCode(cell.number);
      case TEXT ->
          isWord(Row.text(cell))
              || (decimalComma && codes.length > 0 && isCode(commaNumber(Row.text(cell))));
    };
  }

  private boolean isCode(double number) {
    for (double code : codes) {
      if (code == number) {
        return true;
      }
    }
    return false;
  }

  /** Texts that say that a number is not finite are no more than such a number is. */
  private boolean isWord(String text) {
    int length = text.length();
    if (length <= longest) {
      for (String word : missing) {
        if (word.equalsIgnoreCase(text)) {
          return true;
        }
      }
    }
    if (length < 3 || length > 9) {
      return false;
    }
    int start = text.charAt(0) == '-' || text.charAt(0) == '+' ? 1 : 0;
    return text.equalsIgnoreCase("nan")
        || isRest(text, start, "inf")
        || isRest(text, start, "infinity");
  }

  private static boolean isRest(String text, int start, String word) {
    return text.length() - start == word.length()
        && text.regionMatches(true, start, word, 0, word.length());
  }

  /** The number that a cell is in a column of numbers; NaN if it is none. */
  double number(Row row, int column) {
    return number(row.cell(column));
  }

  double number(Row.Cell cell) {
    if (cell.kind != Row.Kind.TEXT) {
      return cell.kind == Row.Kind.NUMBER ? cell.number : Double.NaN;
    }
    String text = Row.text(cell);
    String truth = truth(text);
    return truth == null ? writtenNumber(text) : truth.equals("true") ? 1 : 0;
  }

  /** The number that a text writes as people do, NaN if none; the text is no plain number. */
  double writtenNumber(String text) {
    double number = decimalComma ? commaNumber(text) : Double.NaN;
    return Double.isNaN(number) ? WrittenNumber.parse(text) : number;
  }

  private static double commaNumber(String text) {
    double number = text.indexOf(',') < 0 ? Double.NaN : Decimals.parse(text.replace(',', '.'));
    return Double.isFinite(number) ? number : Double.NaN;
  }

  private static @Nullable String truth(String text) {
    return text.equalsIgnoreCase("true") ? "true" : text.equalsIgnoreCase("false") ? "false" : null;
  }

  /** The category that a cell is; only if it is not missing. */
  String key(Row row, int column, boolean asWritten) {
    Row.Cell cell = row.cell(column);
    if (asWritten) {
      return row.written(cell);
    }
    return cell.kind == Row.Kind.NUMBER ? Row.text(cell) : textCategory(Row.text(cell));
  }

  /**
   * {@return the category that a text is in a column whose categories are not taken as written}
   *
   * @param text the text, without blanks around it
   */
  public String category(String text) {
    double number = Decimals.parse(text);
    return Double.isFinite(number) ? Row.canonical(number) : textCategory(text);
  }

  private String textCategory(String text) {
    double number = decimalComma ? commaNumber(text) : Double.NaN;
    String truth = Double.isNaN(number) ? truth(text) : Row.canonical(number);
    return truth == null ? text : truth;
  }

  /** The date, or date and time, that a cell is in a column of dates of that form; null if none. */
  @Nullable LocalDateTime time(Row row, int column, DateForm form) {
    Row.Cell cell = row.cell(column);
    return cell.kind == Row.Kind.TEXT ? form.parseOrIso(Row.text(cell)) : null;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CellReader cells
        && missing.equals(cells.missing)
        && decimalComma == cells.decimalComma
        && verbatim.equals(cells.verbatim);
  }

  @Override
  public int hashCode() {
    return Objects.hash(missing, decimalComma, verbatim);
  }

  @Override
  public String toString() {
    return "missing "
        + missing
        + (decimalComma ? ", decimal comma" : "")
        + (verbatim.isEmpty() ? "" : ", as written " + verbatim());
  }
}
