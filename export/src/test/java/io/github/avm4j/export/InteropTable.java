// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Largest differences of one format by data set and learner, as a table for people. A learner's
 * name ends at its first comma: what follows (the kernel) shares a cell.
 */
final class InteropTable {
  private static final String REFUSED = "refused";

  private final String name;
  private final Set<String> learners = new LinkedHashSet<>();
  private final Map<String, Map<String, Comparison>> cells = new LinkedHashMap<>();

  InteropTable(String name) {
    this.name = name;
  }

  void add(String data, String learner, Comparison comparison) {
    cell(data, kind(learner));
    cells.get(data).merge(kind(learner), comparison, Comparison::and);
  }

  /** Notes that the format refuses the model. */
  void refuse(String data, String learner) {
    cell(data, kind(learner));
  }

  private static String kind(String learner) {
    return learner.replaceFirst(",.*", "");
  }

  private void cell(String data, String kind) {
    learners.add(kind);
    cells.computeIfAbsent(data, key -> new LinkedHashMap<>());
  }

  double largest() {
    return cells.values().stream()
        .flatMap(row -> row.values().stream())
        .mapToDouble(Comparison::difference)
        .max()
        .orElseThrow();
  }

  double largestProbability() {
    return cells.values().stream()
        .flatMap(row -> row.values().stream())
        .mapToDouble(Comparison::probability)
        .max()
        .orElseThrow();
  }

  /** Rows with another label whose margin does not excuse it. */
  int unexcused() {
    return cells.values().stream()
        .flatMap(row -> row.values().stream())
        .mapToInt(comparison -> comparison.otherLabels() - comparison.excused())
        .sum();
  }

  String text() {
    StringBuilder out = new StringBuilder("| data | " + String.join(" | ", learners) + " |");
    out.append("\n|---|").append("---|".repeat(learners.size())).append('\n');
    cells.forEach(
        (data, row) -> {
          out.append("| ").append(data).append(" |");
          learners.forEach(learner -> out.append(' ').append(text(row.get(learner))).append(" |"));
          out.append('\n');
        });
    return out.toString();
  }

  private static String text(Comparison c) {
    if (c == null) {
      return REFUSED;
    }
    String size = c.difference() == 0 ? "0" : String.format(Locale.ROOT, "%.0e", c.difference());
    return c.otherLabels() == 0 ? size : size + " (" + c.otherLabels() + " labels)";
  }

  /** Leaves the table in target/interop for lab/results/interop.md. */
  void write() throws IOException {
    Path folder = Files.createDirectories(Path.of("target", "interop"));
    Files.writeString(folder.resolve(name + ".md"), text());
  }
}
