// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.flink.TestRecords;
import io.github.avm4j.flink.record.Lineage;
import io.github.avm4j.model.Provenance;
import io.github.avm4j.pipeline.CellManifest;
import java.util.Arrays;
import java.util.List;
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

  @Test
  void partsAreThoseOfAManifestThatAJobCouldHaveWritten() {
    byte[] file = manifest(3).toBytes();
    assertEquals(List.of("ab/plan-0", "ab/0", "ab/2"), PublishedModels.parts(file));
    assertEquals(List.of(), PublishedModels.parts(manifest(20_000 + 500).toBytes()));
    assertEquals(List.of(), PublishedModels.parts(Arrays.copyOf(file, file.length - 9)));
    assertEquals(List.of(), PublishedModels.parts(TestRecords.start().file()));
    assertEquals(List.of(), PublishedModels.parts(null));
    Launch found = of(LINE, 7).with(PublishedModels.parts(file));
    assertEquals(found.listed(), of(LINE, 7).and(found).listed(), "a folder, then a topic");
    assertEquals(found.listed(), found.and(of(LINE, 7)).listed());
  }

  /** The cell 1 has no model. */
  private static CellManifest manifest(int cells) {
    long[] digests = new long[cells];
    Arrays.fill(digests, 7);
    digests[1] = CellManifest.NONE;
    return new CellManifest("ab", Provenance.here(9), new long[] {5}, digests);
  }
}
