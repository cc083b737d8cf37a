// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The code that docs/paper-map.md names exists: {@code package.Class#member}, {@code #member}. */
class PaperMapTest {
  private static final Path SOURCES = Path.of("src", "main", "java", "io", "github", "avm4j");
  private static final Pattern NAME =
      Pattern.compile("`(?!`)(?:((?:[a-z]+\\.)+)([A-Z]\\w*))?(?:#(\\w+))?`");

  @Test
  void codeExists() throws IOException {
    String text = Files.readString(Path.of("..", "docs", "paper-map.md"), UTF_8);
    List<String> absent = absent(text.lines().toList());
    assertEquals(List.of(), absent);
    assertTrue(NAME.matcher(text).results().count() > 80, "few names were found");
  }

  @Test
  void absentCodeIsFound() throws IOException {
    List<String> lines =
        List.of("| `loss.Hinge#derivative`, `#absent` | `loss.Absent` |", "`loss.Hinge#slope`");
    assertEquals(List.of("`#absent`", "`loss.Absent`", "`loss.Hinge#slope`"), absent(lines));
  }

  private static List<String> absent(List<String> lines) throws IOException {
    List<String> absent = new ArrayList<>();
    for (String line : lines) {
      String source = "";
      Matcher name = NAME.matcher(line);
      while (name.find()) {
        if (name.group(2) != null) {
          Path file = SOURCES.resolve(name.group(1).replace('.', '/') + name.group(2) + ".java");
          source = Files.exists(file) ? Files.readString(file, UTF_8) : "";
        }
        String member = name.group(3);
        boolean there =
            member == null || Pattern.compile("\\b" + member + "\\b").matcher(source).find();
        if (source.isEmpty() || !there) {
          absent.add(name.group());
        }
      }
    }
    return absent;
  }
}
