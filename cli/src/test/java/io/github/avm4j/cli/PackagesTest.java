// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The packages of the command are those of the table in ARCHITECTURE.md. */
class PackagesTest {
  private static final Path SOURCES =
      Path.of("src", "main", "java", "io", "github", "avm4j", "cli");
  private static final String ROOT = "(root)";
  private static final Pattern ROW =
      Pattern.compile("\\| `?([a-z()]+)`? \\| [^|]* \\| ([a-z, –]+) \\|");
  private static final Pattern USE = Pattern.compile("io\\.github\\.avm4j\\.cli\\.([a-z]+)\\.");

  /** Package to the packages it sees, in the table's order. */
  private static Map<String, Set<String>> table() throws IOException {
    String text = Files.readString(Path.of("..", "ARCHITECTURE.md"));
    int start = text.indexOf("## Packages of cli");
    assertTrue(start >= 0, "ARCHITECTURE.md has no table of the packages of cli");
    Map<String, Set<String>> table = new LinkedHashMap<>();
    Matcher row = ROW.matcher(text.substring(start, text.indexOf("\n## ", start)));
    while (row.find()) {
      String sees = row.group(2).replace("–", "");
      Set<String> seen = new TreeSet<>();
      for (String name : sees.split(",", -1)) {
        if (!name.isBlank()) {
          seen.add(name.strip());
        }
      }
      table.put(row.group(1), seen);
    }
    table.remove("package");
    return table;
  }

  /** Package to its files. */
  private static Map<String, List<Path>> packages() throws IOException {
    Map<String, List<Path>> packages = new LinkedHashMap<>();
    try (Stream<Path> files = Files.walk(SOURCES)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).sorted().toList()) {
        String folder = SOURCES.relativize(file.getParent()).toString();
        packages
            .computeIfAbsent(folder.isEmpty() ? ROOT : folder, name -> new ArrayList<>())
            .add(file);
      }
    }
    return packages;
  }

  @Test
  void packagesSeeWhatTheTableSays() throws IOException {
    Map<String, Set<String>> seen = new LinkedHashMap<>();
    for (Map.Entry<String, List<Path>> entry : packages().entrySet()) {
      Set<String> names = new TreeSet<>();
      for (Path file : entry.getValue()) {
        USE.matcher(Files.readString(file)).results().forEach(use -> names.add(use.group(1)));
      }
      names.remove(entry.getKey());
      seen.put(entry.getKey(), names);
    }
    assertEquals(table(), seen, "correct the imports, or the table in ARCHITECTURE.md");
  }

  @Test
  void arrowsGoDownTheTable() throws IOException {
    List<String> order = new ArrayList<>(table().keySet());
    assertEquals(ROOT, order.get(0));
    for (Map.Entry<String, Set<String>> entry : table().entrySet()) {
      for (String seen : entry.getValue()) {
        assertTrue(
            order.indexOf(seen) > order.indexOf(entry.getKey()),
            entry.getKey() + " must not see " + seen);
      }
    }
  }

  @Test
  void everyPackageSaysWhatBelongsThere() throws IOException {
    for (List<Path> files : packages().values()) {
      String info = Files.readString(files.get(0).resolveSibling("package-info.java"));
      assertTrue(info.contains("\n/**") && info.contains("\n@NullMarked\n"), info);
    }
  }
}
