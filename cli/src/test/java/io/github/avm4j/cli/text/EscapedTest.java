// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class EscapedTest {
  @Test
  void namesAreCutAfterEight() {
    assertEquals("a, b", Escaped.brief(java.util.List.of("a", "b")));
    assertTrue(Escaped.brief(java.util.Collections.nCopies(9, "a")).endsWith("a, … (9)"));
  }
}
