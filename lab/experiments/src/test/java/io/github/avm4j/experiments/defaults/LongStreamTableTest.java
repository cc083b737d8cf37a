// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.defaults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A short stream of the same kind: a line per tenth, and the board is learned. */
class LongStreamTableTest {
  @Test
  void linesPerTenth() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8)) {
      new LongStreamTable().print(20_000, out);
    }
    List<String> lines = bytes.toString(StandardCharsets.UTF_8).lines().toList();
    assertEquals(12, lines.size(), lines.toString());
    double first = Double.parseDouble(lines.get(2).split("\\|")[2].strip());
    double second = Double.parseDouble(lines.get(3).split("\\|")[2].strip());
    assertTrue(second < first && second < 40, lines.toString());
  }
}
