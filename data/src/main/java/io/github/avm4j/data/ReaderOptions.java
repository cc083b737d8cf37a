// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import io.github.avm4j.feature.CellReader;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How to read rows; {@link #defaults()} suits most files. Options do not change: each method gives
 * a changed copy.
 *
 * <p>A column is named by its name, or by its number: 1 is the first, -1 the last.
 */
public final class ReaderOptions implements Cloneable {
  private static final int SMALLEST_LINE = 1024;

  private Format format = Format.AUTO;
  private @Nullable String label;
  private boolean hasLabel = true;
  private @Nullable String weight;
  private List<String> ignored = List.of();
  private @Nullable Character delimiter;
  private Header header = Header.AUTO;
  private boolean zeroBased;
  private List<String> missing = List.of();
  private OnBadRow onBadRow = OnBadRow.FAIL;
  private int maxLineBytes = 1 << 24;

  private ReaderOptions() {}

  /**
   * {@return the defaults: format, label, delimiter and header found from the file; bad rows fail;
   * lines up to 16 MiB}
   */
  public static ReaderOptions defaults() {
    return new ReaderOptions();
  }

  private ReaderOptions with(Consumer<ReaderOptions> change) {
    try {
      ReaderOptions copy = (ReaderOptions) clone();
      change.accept(copy);
      return copy;
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * {@return these options with another format}
   *
   * @param value the format; {@link Format#AUTO} finds it
   */
  public ReaderOptions withFormat(Format value) {
    return with(options -> options.format = value);
  }

  /**
   * {@return these options with another label column}
   *
   * @param value name or number of the column; null: the column called label, class, target or
   *     outcome, or y or price if it is the first or last one; else the last
   */
  public ReaderOptions withLabel(@Nullable String value) {
    return with(options -> options.label = value);
  }

  /**
   * {@return these options with or without labels in every row}
   *
   * @param value whether every row must have a label; false for rows to predict, where the label's
   *     column may be absent
   */
  public ReaderOptions withHasLabel(boolean value) {
    return with(options -> options.hasLabel = value);
  }

  /**
   * {@return these options with another column of weights}
   *
   * @param value name or number of a column of finite numbers, at least 0; null: every row weighs 1
   */
  public ReaderOptions withWeight(@Nullable String value) {
    return with(options -> options.weight = value);
  }

  /**
   * {@return these options with other columns left out}
   *
   * @param value names or numbers of columns
   */
  public ReaderOptions withIgnored(List<String> value) {
    List<String> copy = List.copyOf(value);
    return with(options -> options.ignored = copy);
  }

  /**
   * {@return these options with another delimiter}
   *
   * @param value what stands between CSV fields; a space is any run of white space; null finds it
   */
  public ReaderOptions withDelimiter(@Nullable Character value) {
    return with(options -> options.delimiter = value);
  }

  /**
   * {@return these options with another word on the header}
   *
   * @param value whether CSV begins with names
   */
  public ReaderOptions withHeader(Header value) {
    return with(options -> options.header = value);
  }

  /**
   * {@return these options with LIBSVM indices from 0 or from 1}
   *
   * @param value whether the first feature is 0
   */
  public ReaderOptions withZeroBased(boolean value) {
    return with(options -> options.zeroBased = value);
  }

  /**
   * {@return these options with more words and numbers that mean missing, beside those of {@link
   * CellReader#DEFAULT}, of ARFF beside "?"}
   *
   * @param value words and numbers, whatever their case
   */
  public ReaderOptions withMissing(List<String> value) {
    List<String> copy = List.copyOf(value);
    return with(options -> options.missing = copy);
  }

  /**
   * {@return these options with another treatment of bad rows}
   *
   * @param value what to do with a row that cannot be read
   */
  public ReaderOptions withOnBadRow(OnBadRow value) {
    return with(options -> options.onBadRow = value);
  }

  /**
   * {@return these options with another limit on lines}
   *
   * @param value longest line (CSV: longest field, in characters) that is read, in 1024..2^30
   */
  public ReaderOptions withMaxLineBytes(int value) {
    if (value < SMALLEST_LINE || value > 1 << 30) {
      throw new IllegalArgumentException("maxLineBytes must be in 1024..1073741824, was " + value);
    }
    return with(options -> options.maxLineBytes = value);
  }

  Format format() {
    return format;
  }

  /** {@return name or number of the label's column; null if it is found} */
  public @Nullable String label() {
    return label;
  }

  boolean hasLabel() {
    return hasLabel;
  }

  @Nullable String weight() {
    return weight;
  }

  /** {@return names or numbers of the columns that are left out} */
  public List<String> ignored() {
    return ignored;
  }

  @Nullable Character delimiter() {
    return delimiter;
  }

  /** {@return whether CSV begins with names} */
  public Header header() {
    return header;
  }

  boolean zeroBased() {
    return zeroBased;
  }

  /** Words and numbers that mean missing beside those of the format. */
  List<String> missing() {
    return missing;
  }

  /** How cells are read where the format says no more. */
  CellReader cells() {
    return CellReader.DEFAULT.withMissing(missing);
  }

  /** {@return what to do with a row that cannot be read} */
  public OnBadRow onBadRow() {
    return onBadRow;
  }

  int maxLineBytes() {
    return maxLineBytes;
  }
}
