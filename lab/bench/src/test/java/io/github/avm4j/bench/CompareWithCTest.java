// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class CompareWithCTest {

  @Test
  void theLoopsInCCompileAndGiveARowAShape() throws IOException {
    assumeTrue(Programs.works("gcc", "--version"), "gcc is not on the path");
    List<String> lines = CompareWithC.table(1, 2, List.of("40x5", "40x50/6")).lines().toList();
    assertTrue(lines.get(0).contains("JDK"), lines.get(0));
    assertEquals(6, lines.size());
    for (String row : lines.subList(4, 6)) {
      String[] cells = row.split("\\|", -1);
      assertEquals(12, cells.length, row);
      for (int k = 2; k < 11; k++) {
        assertTrue(Double.parseDouble(cells[k]) >= 0, row);
      }
    }
  }

  @Test
  void theSecondOrderStepInCGivesARowASize() throws IOException {
    assumeTrue(Programs.works("gcc", "--version"), "gcc is not on the path");
    List<String> lines = CompareSecondOrder.table(1, 2, 20, 33).lines().toList();
    assertEquals(6, lines.size());
    for (String row : lines.subList(4, 6)) {
      assertTrue(Double.parseDouble(row.split("\\|", -1)[2]) > 0, row);
      assertTrue(Double.parseDouble(row.split("\\|", -1)[3]) > 0, row);
    }
  }
}
