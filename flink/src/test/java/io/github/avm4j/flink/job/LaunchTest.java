// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.flink.record.Lineage;
import org.junit.jupiter.api.Test;

/** What several outputs hold together. */
class LaunchTest {
  private static final String LINE = Lineage.begin(1_700_000_000_000L);
  private static final Launch NOTHING = new Launch("savepoint", Lineage.NONE, 0);

  private static Launch of(String lineage, long version) {
    return new Launch("savepoint", lineage, version);
  }

  @Test
  void allOutputsMustHoldTheSame() {
    assertTrue(of(LINE, 7).and(of(LINE, 7)).everywhere());
    assertFalse(of(LINE, 7).and(NOTHING).everywhere(), "a topic that was created again");
    assertFalse(NOTHING.and(of(LINE, 7)).everywhere());
    assertFalse(of(LINE, 7).and(of(LINE, 6)).everywhere());
    assertFalse(of(LINE, 7).and(of(Lineage.begin(1_800_000_000_000L), 7)).everywhere());
    assertFalse(of(LINE, 7).and(NOTHING).and(of(LINE, 7)).everywhere());
  }

  @Test
  void numbersGoOnFromTheNewestOfALine() {
    assertEquals(7, of(LINE, 6).and(of(LINE, 7)).version());
    assertEquals(7, of(LINE, 7).and(of(LINE, 6)).version());
    Launch late = NOTHING.and(of(LINE, 7));
    assertEquals(LINE, late.lineage());
    assertEquals(7, late.version());
    assertEquals("savepoint", late.savepoint());
    assertEquals(LINE, of(LINE, 7).and(of(Lineage.begin(1_800_000_000_000L), 9)).lineage());
  }
}
