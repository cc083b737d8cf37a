// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * How many numbers other than 0, 1 and 2 the default learner and its engine are made of, and how
 * many decisions: each has to be understood by who changes one. The counts here may only fall.
 */
class ConstantsTest {
  private static final Path INTERNAL = Path.of("src/main/java/io/github/avm4j/internal");
  private static final Pattern NO_CODE =
      Pattern.compile(
          "/\\*.*?\\*/|//[^\\n]*|\"(?:\\\\.|[^\"\\\\])*\"|'(?:\\\\.|[^'\\\\])*'", Pattern.DOTALL);
  private static final Pattern NUMBER =
      Pattern.compile(
          "(?<![\\w.])(?:0x[0-9a-fA-F_]+|[0-9][0-9_]*\\.?[0-9]*(?:[eE]-?[0-9]+)?)[LdF]?");

  @Test
  void numbersOfTheDefaultLearner() throws IOException {
    assertCount(198, numbers("auto"));
  }

  @Test
  void numbersOfTheSecondOrderEngine() throws IOException {
    assertCount(82, numbers("newton"));
  }

  @Test
  void decisions() {
    assertEquals(13, Rule.values().length);
  }

  @Test
  void countsLiteralsOfCodeAlone() {
    String source =
        "/** 3 */ int a = 4; // 5\n String b = \"6\"; double c = 7.5e-3 + x8 + 0x1F + 1.0 + 2L;";
    assertEquals(List.of("4", "7.5e-3", "0x1F"), numbersOf(source));
  }

  private static void assertCount(int count, List<String> found) {
    assertEquals(count, found.size(), "if there are fewer, lower the count: " + found);
  }

  private static List<String> numbers(String name) throws IOException {
    List<String> found = new ArrayList<>();
    try (Stream<Path> files = Files.list(INTERNAL.resolve(name))) {
      for (Path file : files.sorted().toList()) {
        found.addAll(numbersOf(Files.readString(file)));
      }
    }
    return found;
  }

  private static List<String> numbersOf(String source) {
    List<String> found = new ArrayList<>();
    Matcher numbers = NUMBER.matcher(NO_CODE.matcher(source).replaceAll(" "));
    while (numbers.find()) {
      if (!numbers.group().matches("[012](?:\\.0*)?[LdF]?")) {
        found.add(numbers.group());
      }
    }
    return found;
  }
}
