// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Markdown tables in lab/results. A cell is named {@code FILE#HEADING|ROW|COLUMN}: the heading
 * may be left out, a row is its first cell or its first two, and {@code *} is every row.
 */
final class ResultTables {
  private static final Path FOLDER = Path.of("..", "results");
  private static final Pattern SLOT =
      Pattern.compile(
          "(?:(min|max) )?([\\w-]+\\.md)(?:#([^|]+))?\\|([^|]+)\\|([^|@]+)(?:@(\\d))?"
              + "(?:\\|(\\d))?");
  private static final Pattern NUMBER = Pattern.compile("[0-9][0-9,]*(?:\\.[0-9]+)?");

  /** A row of a table under a heading: cells by column. */
  record Row(String heading, List<String> names, Map<String, String> cells) {}

  private final Map<String, List<Row>> files = new HashMap<>();

  /** All rows of the tables of a file. */
  List<Row> rows(String file) throws IOException {
    List<Row> rows = files.get(file);
    if (rows == null) {
      rows = rows(FOLDER.resolve(file));
      files.put(file, rows);
    }
    return rows;
  }

  /** The rows of the tables of a Markdown file. */
  static List<Row> rows(Path file) throws IOException {
    List<Row> rows = new ArrayList<>();
    String heading = "";
    List<String> columns = List.of();
    for (String line : Files.readAllLines(file)) {
      if (line.startsWith("#")) {
        heading = line.replaceFirst("#+ ", "").strip();
      }
      if (!line.startsWith("|")) {
        columns = List.of();
      } else if (columns.isEmpty()) {
        columns = cells(line);
      } else if (!line.startsWith("|--") && !line.startsWith("|:-")) {
        List<String> cells = cells(line);
        Map<String, String> byColumn = new LinkedHashMap<>();
        for (int c = 0; c < Math.min(cells.size(), columns.size()); c++) {
          byColumn.put(columns.get(c), cells.get(c));
        }
        String second = cells.size() > 1 ? cells.get(0) + " " + cells.get(1) : "";
        rows.add(new Row(heading, List.of(cells.get(0), second), byColumn));
      }
    }
    return rows;
  }

  private static List<String> cells(String line) {
    String plain = line.strip().replaceAll("^\\||\\|$", "").replace("*", "");
    return Pattern.compile("\\|").splitAsStream(plain).map(String::strip).toList();
  }

  /** The number of a slot as a page shows it. */
  String fill(String slot) throws IOException {
    Matcher name = SLOT.matcher(slot);
    if (!name.matches()) {
      throw new IllegalArgumentException("'" + slot + "' names no cell");
    }
    int place = name.group(6) == null ? 1 : Integer.parseInt(name.group(6));
    TreeSet<Double> values = new TreeSet<>();
    String shown = "";
    for (Row row : rows(name.group(2))) {
      boolean named = name.group(4).equals("*") || row.names.contains(name.group(4));
      if (named && (name.group(3) == null || name.group(3).equals(row.heading))) {
        List<String> numbers = numbers(row.cells.getOrDefault(name.group(5), ""));
        if (numbers.size() >= place) {
          shown = numbers.get(place - 1);
          values.add(value(shown));
        }
      }
    }
    if (values.isEmpty() || values.size() > 1 && name.group(1) == null) {
      throw new IllegalArgumentException("'" + slot + "' is in the tables as " + values);
    }
    double value = "max".equals(name.group(1)) ? values.last() : values.first();
    if (name.group(7) == null && name.group(1) == null) {
      return shown;
    }
    String digits = name.group(7) == null ? "0" : name.group(7);
    return String.format(Locale.ROOT, "%,." + digits + "f", value);
  }

  /** The rows in which the first column is not less than the second, where both have a number. */
  List<String> notLess(String file, String heading, String first, String second)
      throws IOException {
    List<String> wrong = new ArrayList<>();
    int compared = 0;
    for (Row row : rows(file)) {
      List<String> a = numbers(row.cells.getOrDefault(first, ""));
      List<String> b = numbers(row.cells.getOrDefault(second, ""));
      if (row.heading.equals(heading) && !a.isEmpty() && !b.isEmpty()) {
        compared++;
        if (value(a.get(0)) >= value(b.get(0))) {
          wrong.add(row.names.get(0) + ": " + a.get(0) + " and " + b.get(0));
        }
      }
    }
    if (compared == 0) {
      wrong.add(file + "#" + heading + " has no " + first + " and " + second);
    }
    return wrong;
  }

  static List<String> numbers(String cell) {
    return NUMBER.matcher(cell).results().map(MatchResult::group).toList();
  }

  private static double value(String number) {
    return Double.parseDouble(number.replace(",", ""));
  }

  /** Whether a file says that, line breaks aside. */
  static boolean says(String file, String text) throws IOException {
    return Files.readString(FOLDER.resolve(file)).replaceAll("\\s+", " ").contains(text);
  }
}
