// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The errors in README.md are those of lab/results/default-learner.md. */
class DocumentFiguresTest {
  private static final Path ROOT = Path.of("..");
  private static final List<String> COLUMNS =
      List.of("baseline", "linear", "the paper's learner", "**default**");

  @Test
  void readmeRepeatsTheBenchmarks() throws IOException {
    check(table(ROOT.resolve("README.md"), "| data | baseline"), 6);
  }

  private static void check(Map<String, Map<String, String>> few, int least) throws IOException {
    Map<String, Map<String, String>> all =
        table(ROOT.resolve("lab/results/default-learner.md"), "| data | rows | baseline");
    assertTrue(few.size() >= least && all.size() > few.size(), () -> few + " " + all);
    for (Map.Entry<String, Map<String, String>> row : few.entrySet()) {
      Map<String, String> full = all.getOrDefault(row.getKey(), Map.of());
      for (String column : COLUMNS) {
        String there = full.getOrDefault(column, full.get(column.replace("the ", "")));
        assertEquals(row.getValue().get(column), there, row.getKey() + ", " + column);
      }
    }
  }

  /** The rows of the table under that header, by data set; cells by column. */
  private static Map<String, Map<String, String>> table(Path document, String header)
      throws IOException {
    List<String> lines = Files.readAllLines(document, UTF_8);
    int at = 0;
    while (!lines.get(at).startsWith(header)) {
      at++;
    }
    String[] names = cells(lines.get(at));
    Map<String, Map<String, String>> rows = new HashMap<>();
    for (at += 2; at < lines.size() && lines.get(at).startsWith("|"); at++) {
      String[] cells = cells(lines.get(at));
      Map<String, String> row = new HashMap<>();
      for (int c = 1; c < cells.length; c++) {
        row.put(names[c], cells[c]);
      }
      rows.put(cells[0].replaceFirst("[,(].*", "").strip(), row);
    }
    return rows;
  }

  private static String[] cells(String line) {
    String[] cells = line.strip().replaceAll("^\\||\\|$", "").split("\\|", 50);
    for (int c = 0; c < cells.length; c++) {
      cells[c] = cells[c].strip();
    }
    return cells;
  }
}
