// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is wrong with the figures of a page: decimals, percentages and thousands outside of code.
 * Each is in a sentence that is filled in from results ({@code says}), in a table that repeats one
 * of lab/results ({@code tables}), or has a reason ({@code other}: a text, or {@code FILE.md: what
 * the file says}). {@code less} compares two columns of a table of results in all of its rows.
 */
final class PageFigures {
  private static final Path ROOT = Path.of("..", "..");
  private static final Pattern SLOT = Pattern.compile("\\{([^{}]+)\\}");
  private static final Pattern LESS = Pattern.compile("(.+\\.md)#(.+): (.+) < (.+)");
  private static final Pattern FIGURE =
      Pattern.compile("[0-9][0-9,]*\\.[0-9]+|[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+(?= ?%)");

  /** Code, targets of links, versions, names with digits. */
  private static final Pattern NO_FIGURE =
      Pattern.compile("(?s)```.*?```|`[^`]*`|\\]\\([^)]*\\)|[0-9]+(?:\\.[0-9]+){2,}|-[0-9.]+\\b");

  private final ResultTables tables;
  private final Sentences sentences;
  private final JsonNode held;
  private final List<String> wrong = new ArrayList<>();

  PageFigures(ResultTables tables, Sentences sentences, JsonNode held) {
    this.tables = tables;
    this.sentences = sentences;
    this.held = held;
  }

  List<String> wrong(String page) throws IOException {
    String text = Files.readString(ROOT.resolve(page));
    for (Map.Entry<String, JsonNode> table : held.path("tables").properties()) {
      text = withoutTable(page, text, table.getKey(), table.getValue().asText());
    }
    text = NO_FIGURE.matcher(text).replaceAll(" ").replaceAll("\\s+", " ");
    for (JsonNode sentence : held.path("says")) {
      String filled = filled(sentence.asText());
      String plain = NO_FIGURE.matcher(filled).replaceAll(" ").replaceAll("\\s+", " ");
      if (text.contains(plain)) {
        text = text.replace(plain, " ");
      } else {
        wrong.add("does not say: " + filled);
      }
    }
    for (JsonNode claim : held.path("less")) {
      Matcher parts = LESS.matcher(claim.asText());
      if (!parts.matches()) {
        throw new IllegalArgumentException("'" + claim.asText() + "' compares no columns");
      }
      wrong.addAll(tables.notLess(parts.group(1), parts.group(2), parts.group(3), parts.group(4)));
    }
    others(text);
    return wrong;
  }

  private String filled(String sentence) throws IOException {
    Matcher slots = SLOT.matcher(sentence);
    StringBuilder filled = new StringBuilder();
    while (slots.find()) {
      String slot = slots.group(1);
      String number =
          slot.contains("|")
              ? tables.fill(slot)
              : sentences.fill("{" + slot + "}").orElse("(no result of " + slot + ")");
      slots.appendReplacement(filled, Matcher.quoteReplacement(number));
    }
    return slots.appendTail(filled).toString();
  }

  private void others(String text) throws IOException {
    Set<String> left = new TreeSet<>();
    FIGURE.matcher(text).results().forEach(figure -> left.add(figure.group()));
    for (Map.Entry<String, JsonNode> other : held.path("other").properties()) {
      String reason = other.getValue().asText();
      int colon = reason.indexOf(".md: ");
      if (!left.remove(other.getKey())) {
        wrong.add("no longer has " + other.getKey());
      } else if (colon > 0 && !isSaid(other.getKey(), reason, colon + 3)) {
        wrong.add("results do not say: " + other.getKey() + " of " + reason);
      }
    }
    left.forEach(figure -> wrong.add("no source of " + figure));
  }

  private static boolean isSaid(String figure, String reason, int end) throws IOException {
    String said = reason.substring(end + 2);
    return said.contains(figure) && ResultTables.says(reason.substring(0, end), said);
  }

  /** Compares a table of the page with one of the results, by data set and column. */
  private String withoutTable(String page, String text, String header, String source)
      throws IOException {
    String[] where = source.split("#", 2);
    Map<String, Map<String, String>> full = new LinkedHashMap<>();
    for (ResultTables.Row row : tables.rows(where[0])) {
      if (row.heading().equals(where[1])) {
        full.put(name(row), row.cells());
      }
    }
    int compared = 0;
    for (ResultTables.Row row : ResultTables.rows(ROOT.resolve(page))) {
      if (String.join(" | ", row.cells().keySet()).startsWith(header)) {
        Map<String, String> there = full.getOrDefault(name(row), Map.of());
        for (Map.Entry<String, String> cell : row.cells().entrySet()) {
          String column = cell.getKey().replaceFirst("^the ", "");
          if (full.values().iterator().next().containsKey(column)
              && !cell.getKey().equals(row.cells().keySet().iterator().next())) {
            compared++;
            if (!cell.getValue().equals(there.get(column))) {
              wrong.add(name(row) + ", " + column + ": " + there.get(column));
            }
          }
        }
      }
    }
    int at = text.indexOf("| " + header);
    if (compared == 0 || at < 0) {
      wrong.add("has no table " + header);
      return text;
    }
    int end = text.indexOf("\n\n", at);
    return text.substring(0, at) + (end < 0 ? "" : text.substring(end));
  }

  /** A data set without what is said about it. */
  private static String name(ResultTables.Row row) {
    return row.names().get(0).replaceFirst("[,(].*", "").strip();
  }
}
