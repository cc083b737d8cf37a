// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How to read rows; {@link #defaults()} suits most files.
 *
 * <p>A column is named by its name, or by its number: 1 is the first, -1 the last.
 *
 * @param format how the rows are written
 * @param label the label's column; null: the column called label, class, target, y or outcome, else
 *     the last
 * @param hasLabel whether every row must have a label; false for rows to predict, where the label's
 *     column may be absent
 * @param weight the column of weights (finite, at least 0); null: every row weighs 1
 * @param ignored columns to leave out
 * @param delimiter what stands between CSV fields; a space is any run of white space; null: found
 * @param header whether CSV begins with names
 * @param zeroBased whether LIBSVM indices start at 0
 * @param missing texts that mean "missing" in CSV and JSON, whatever their case
 * @param onBadRow what to do with a row that cannot be read
 * @param maxLineBytes longest line (CSV: longest field, in characters) that is read
 * @param texts columns of CSV and JSON whose cells are text as written, even if they are numbers;
 *     those that are not there do no harm
 */
public record ReaderOptions(
    Format format,
    @Nullable String label,
    boolean hasLabel,
    @Nullable String weight,
    List<String> ignored,
    @Nullable Character delimiter,
    Header header,
    boolean zeroBased,
    List<String> missing,
    OnBadRow onBadRow,
    int maxLineBytes,
    List<String> texts) {
  private static final int SMALLEST_LINE = 1024;

  /**
   * Copies the lists and checks the limit.
   *
   * @param format how the rows are written
   * @param label the label's column; null: the column called label, class, target, y or outcome,
   *     else the last
   * @param hasLabel whether every row must have a label; false for rows to predict, where the
   *     label's column may be absent
   * @param weight the column of weights (finite, at least 0); null: every row weighs 1
   * @param ignored columns to leave out
   * @param delimiter what stands between CSV fields; a space is any run of white space; null: found
   * @param header whether CSV begins with names
   * @param zeroBased whether LIBSVM indices start at 0
   * @param missing texts that mean "missing" in CSV and JSON, whatever their case
   * @param onBadRow what to do with a row that cannot be read
   * @param maxLineBytes longest line (CSV: longest field, in characters) that is read
   * @param texts columns of CSV and JSON whose cells are text as written, even if they are numbers;
   *     those that are not there do no harm
   */
  public ReaderOptions {
    ignored = List.copyOf(ignored);
    missing = List.copyOf(missing);
    texts = List.copyOf(texts);
    if (maxLineBytes < SMALLEST_LINE || maxLineBytes > 1 << 30) {
      throw new IllegalArgumentException(
          "maxLineBytes must be in 1024..1073741824, was " + maxLineBytes);
    }
  }

  /**
   * {@return the defaults: format, label, delimiter and header found from the file; bad rows fail;
   * lines up to 16 MiB}
   */
  public static ReaderOptions defaults() {
    return new ReaderOptions(
        Format.AUTO,
        null,
        true,
        null,
        List.of(),
        null,
        Header.AUTO,
        false,
        List.of("", "?", "NA", "N/A", "NaN", "null", "none"),
        OnBadRow.FAIL,
        1 << 24,
        List.of());
  }

  /**
   * {@return these options with another format}
   *
   * @param value the format; {@link Format#AUTO} finds it
   */
  public ReaderOptions withFormat(Format value) {
    return new ReaderOptions(
        value,
        label,
        hasLabel,
        weight,
        ignored,
        delimiter,
        header,
        zeroBased,
        missing,
        onBadRow,
        maxLineBytes,
        texts);
  }

  /**
   * {@return these options with another label column}
   *
   * @param value name or 1-based number of the column; null for the format's own
   */
  public ReaderOptions withLabel(@Nullable String value) {
    return new ReaderOptions(
        format,
        value,
        hasLabel,
        weight,
        ignored,
        delimiter,
        header,
        zeroBased,
        missing,
        onBadRow,
        maxLineBytes,
        texts);
  }

  /**
   * {@return these options with or without labels in every row}
   *
   * @param value whether every row has a label
   */
  public ReaderOptions withHasLabel(boolean value) {
    return new ReaderOptions(
        format,
        label,
        value,
        weight,
        ignored,
        delimiter,
        header,
        zeroBased,
        missing,
        onBadRow,
        maxLineBytes,
        texts);
  }

  /**
   * {@return these options with another column of weights}
   *
   * @param value name or 1-based number of the column; null for none
   */
  public ReaderOptions withWeight(@Nullable String value) {
    return new ReaderOptions(
        format,
        label,
        hasLabel,
        value,
        ignored,
        delimiter,
        header,
        zeroBased,
        missing,
        onBadRow,
        maxLineBytes,
        texts);
  }

  /**
   * {@return these options with other columns left out}
   *
   * @param value names or 1-based numbers of columns
   */
  public ReaderOptions withIgnored(List<String> value) {
    return new ReaderOptions(
        format,
        label,
        hasLabel,
        weight,
        value,
        delimiter,
        header,
        zeroBased,
        missing,
        onBadRow,
        maxLineBytes,
        texts);
  }

  /**
   * {@return these options with another delimiter}
   *
   * @param value the delimiter; null finds it
   */
  public ReaderOptions withDelimiter(@Nullable Character value) {
    return new ReaderOptions(
        format,
        label,
        hasLabel,
        weight,
        ignored,
        value,
        header,
        zeroBased,
        missing,
        onBadRow,
        maxLineBytes,
        texts);
  }

  /**
   * {@return these options with another word on the header}
   *
   * @param value whether the first line is a header
   */
  public ReaderOptions withHeader(Header value) {
    return new ReaderOptions(
        format,
        label,
        hasLabel,
        weight,
        ignored,
        delimiter,
        value,
        zeroBased,
        missing,
        onBadRow,
        maxLineBytes,
        texts);
  }

  /**
   * {@return these options with LIBSVM indices from 0 or from 1}
   *
   * @param value whether the first feature is 0
   */
  public ReaderOptions withZeroBased(boolean value) {
    return new ReaderOptions(
        format,
        label,
        hasLabel,
        weight,
        ignored,
        delimiter,
        header,
        value,
        missing,
        onBadRow,
        maxLineBytes,
        texts);
  }

  /**
   * {@return these options with other texts for "missing"}
   *
   * @param value texts that stand for a missing value
   */
  public ReaderOptions withMissing(List<String> value) {
    return new ReaderOptions(
        format,
        label,
        hasLabel,
        weight,
        ignored,
        delimiter,
        header,
        zeroBased,
        value,
        onBadRow,
        maxLineBytes,
        texts);
  }

  /**
   * {@return these options with another treatment of bad rows}
   *
   * @param value fail or skip
   */
  public ReaderOptions withOnBadRow(OnBadRow value) {
    return new ReaderOptions(
        format,
        label,
        hasLabel,
        weight,
        ignored,
        delimiter,
        header,
        zeroBased,
        missing,
        value,
        maxLineBytes,
        texts);
  }

  /**
   * {@return these options with another limit on lines}
   *
   * @param value bytes of a line, ≥ 1024
   */
  public ReaderOptions withMaxLineBytes(int value) {
    return new ReaderOptions(
        format, label, hasLabel, weight, ignored, delimiter, header, zeroBased, missing, onBadRow,
        value, texts);
  }

  /**
   * {@return these options with other columns of text as written}
   *
   * @param value names of columns whose numbers are kept as text
   */
  public ReaderOptions withTexts(List<String> value) {
    return new ReaderOptions(
        format,
        label,
        hasLabel,
        weight,
        ignored,
        delimiter,
        header,
        zeroBased,
        missing,
        onBadRow,
        maxLineBytes,
        value);
  }
}
