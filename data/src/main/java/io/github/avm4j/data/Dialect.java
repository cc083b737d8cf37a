// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.data;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.StringArrayHandler;
import io.github.avm4j.feature.CellReader;
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
      double score = score(split, candidate) + (isTabs(input.name()) && candidate == '\t' ? 10 : 0);
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
            || (options.header() == Header.AUTO && isHeader(rows, delimiter, options.cells()));
    if (header && options.header() == Header.AUTO) {
      requireDistinct(input.name(), rows.get(0));
    }
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

  private static void requireDistinct(String file, List<String> names) throws BadFileException {
    Set<String> seen = new HashSet<>();
    for (String name : names) {
      if (!name.isBlank() && !seen.add(name.strip())) {
        throw new BadFileException(
            file
                + ": two columns are called '"
                + BadRowException.shorten(name.strip())
                + "'; rename one, or use --header to number them, or --no-header if the first line"
                + " is a row");
      }
    }
  }

  /** Whether a number may have a comma for its point: where the comma is not the delimiter. */
  boolean takesCommas() {
    return delimiter == ';';
  }

  private static boolean isNumber(String field, char delimiter) {
    String text = field.strip();
    return FormatFinder.isNumber(text) || (delimiter == ';' && isCommaNumber(text));
  }

  private static boolean isCommaNumber(String text) {
    return text.indexOf(',') >= 0 && FormatFinder.isNumber(text.replace(',', '.'));
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
  private static double score(List<List<String>> rows, char delimiter) {
    if (rows.isEmpty()) {
      return -0.5;
    }
    int width = rows.get(0).size();
    boolean even = true;
    long numbers = 0;
    long commas = 0;
    long fields = 0;
    for (List<String> row : rows) {
      even &= row.size() == width;
      fields += row.size();
      numbers += row.stream().filter(f -> isNumber(f, delimiter)).count();
      commas += row.stream().filter(f -> delimiter == ';' && isCommaNumber(f.strip())).count();
    }
    if (width < 2) {
      return 0;
    }
    // 0,5;1 has as many fields with either: a comma between digits is a point then.
    double points = commas > 0 ? 0.25 : 0;
    return (even ? 4 : 1) + 2.0 * numbers / fields + points + Math.min(0.5, width * 1e-6);
  }

  private static boolean isHeader(List<List<String>> rows, char delimiter, CellReader cells) {
    List<String> names = rows.get(0);
    boolean allText = true;
    for (String name : names) {
      allText &= !isNumber(name, delimiter) && !cells.isMissing(name);
    }
    boolean comesAgain = false;
    for (int c = 0; c < names.size(); c++) {
      if (namesNumbers(rows, c, delimiter, cells)) {
        return true;
      }
      for (int r = 1; r < rows.size(); r++) {
        comesAgain |= c < rows.get(r).size() && rows.get(r).get(c).equals(names.get(c));
      }
    }
    boolean distinct = Set.copyOf(names).size() == names.size();
    return allText && !comesAgain && (rows.size() > 1 || (distinct && names.size() > 1));
  }

  /** Whether column {@code c} has text on top and below it numbers, or nothing. */
  private static boolean namesNumbers(
      List<List<String>> rows, int c, char delimiter, CellReader cells) {
    String name = rows.get(0).get(c);
    if (isNumber(name, delimiter) || cells.isMissing(name)) {
      return false;
    }
    boolean numbers = false;
    for (int r = 1; r < rows.size(); r++) {
      String field = c < rows.get(r).size() ? rows.get(r).get(c) : "";
      if (isNumber(field, delimiter)) {
        numbers = true;
      } else if (!cells.isMissing(field)) {
        return false;
      }
    }
    return numbers;
  }
}
