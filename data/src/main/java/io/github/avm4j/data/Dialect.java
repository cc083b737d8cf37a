// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.StringArrayHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a CSV file is written, found from its head.
 *
 * @param delimiter what stands between fields; a space is any run of white space
 * @param first fields of the first row
 * @param header whether those are names
 */
record Dialect(char delimiter, List<String> first, boolean header) {
  private static final int LONGEST = 1 << 24;
  private static final char[] CANDIDATES = {',', '\t', ';', '|', ' '};

  static Dialect find(Input input, ReaderOptions options) throws BadFileException {
    String text = input.head().text();
    Character given = options.delimiter();
    List<List<String>> rows = List.of();
    char delimiter = ',';
    double best = -1;
    for (char candidate : given == null ? CANDIDATES : new char[] {given}) {
      List<List<String>> split = split(text, candidate);
      double score = score(split) + (isTabs(input.name()) && candidate == '\t' ? 10 : 0);
      if (score > best) {
        best = score;
        rows = split;
        delimiter = candidate;
      }
    }
    if (rows.isEmpty()) {
      throw new BadFileException(input.name() + ": there is no row in it");
    }
    boolean header =
        options.header() == Header.YES
            || (options.header() == Header.AUTO && isHeader(rows, options.missing()));
    return new Dialect(delimiter, rows.get(0), header);
  }

  /**
   * The same for a file after the first: its header, unless it was given, is what the first file's
   * was, or what repeats it.
   */
  Dialect after(@Nullable Layout earlier, ReaderOptions options) {
    if (earlier == null || options.header() != Header.AUTO) {
      return this;
    }
    boolean repeated = Layout.distinct(first).equals(earlier.names());
    boolean named = !Layout.numbered(earlier.names().size()).equals(earlier.names());
    return new Dialect(delimiter, first, repeated || (header && named));
  }

  private static boolean isTabs(String name) {
    return name.toLowerCase(Locale.ROOT).matches(".*\\.tsv(\\.(gz|bz2|xz|zst))?");
  }

  /** At most 20 rows of the head, blank ones left out. */
  private static List<List<String>> split(String text, char delimiter) {
    List<List<String>> rows = new ArrayList<>();
    if (delimiter == ' ') {
      for (String line : text.split("\r\n|\n|\r", 80)) {
        if (!line.isBlank() && rows.size() < 20) {
          rows.add(Arrays.asList(line.strip().split("[ \t]+")));
        }
      }
      return rows;
    }
    StringArrayHandler handler =
        StringArrayHandler.builder()
            .maxFields(Layout.MOST + 1)
            .maxFieldSize(LONGEST)
            .maxRecordSize(2 * LONGEST)
            .build();
    try (CsvReader<String[]> reader = CsvRows.builder(delimiter, LONGEST).build(handler, text)) {
      for (String[] record : reader) {
        rows.add(Arrays.asList(record));
        if (rows.size() == 20) {
          break;
        }
      }
    } catch (CsvParseException | UncheckedIOException | IOException e) {
      // The head may end within a quoted field; the rows before it tell enough.
      return rows;
    }
    return rows;
  }

  /** More for rows of one width, above 1; then for the share of numbers; then for the width. */
  private static double score(List<List<String>> rows) {
    if (rows.isEmpty()) {
      return -0.5;
    }
    int width = rows.get(0).size();
    boolean even = true;
    long numbers = 0;
    long fields = 0;
    for (List<String> row : rows) {
      even &= row.size() == width;
      fields += row.size();
      numbers += row.stream().filter(f -> FormatFinder.isNumber(f.strip())).count();
    }
    if (width < 2) {
      return 0;
    }
    return (even ? 4 : 1) + 2.0 * numbers / fields + Math.min(0.5, width * 1e-6);
  }

  private static boolean isHeader(List<List<String>> rows, List<String> missing) {
    List<String> names = rows.get(0);
    Set<String> distinct = new HashSet<>();
    boolean allText = true;
    for (String name : names) {
      if (!distinct.add(name.strip())) {
        return false;
      }
      allText &= !FormatFinder.isNumber(name.strip()) && !isMissing(name, missing);
    }
    boolean comesAgain = false;
    for (int c = 0; c < names.size(); c++) {
      if (namesNumbers(rows, c, missing)) {
        return true;
      }
      for (int r = 1; r < rows.size(); r++) {
        comesAgain |= c < rows.get(r).size() && rows.get(r).get(c).equals(names.get(c));
      }
    }
    return allText && !comesAgain && (rows.size() > 1 || names.size() > 1);
  }

  /** Whether column {@code c} has text on top and below it numbers, or nothing. */
  private static boolean namesNumbers(List<List<String>> rows, int c, List<String> missing) {
    String name = rows.get(0).get(c);
    if (FormatFinder.isNumber(name.strip()) || isMissing(name, missing)) {
      return false;
    }
    boolean numbers = false;
    for (int r = 1; r < rows.size(); r++) {
      String field = c < rows.get(r).size() ? rows.get(r).get(c) : "";
      if (FormatFinder.isNumber(field.strip())) {
        numbers = true;
      } else if (!isMissing(field, missing)) {
        return false;
      }
    }
    return numbers;
  }

  private static boolean isMissing(String field, List<String> missing) {
    return missing.stream().anyMatch(field.strip()::equalsIgnoreCase);
  }
}
