// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.row;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class FitTest {
  @Test
  void namesAreCutAfterEight() {
    assertEquals("a, b", Fit.brief(java.util.List.of("a", "b")));
    assertTrue(Fit.brief(java.util.Collections.nCopies(9, "a")).endsWith("a, … (9)"));
  }
}
