// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.follow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which records of a topic are versions, and what is said of others. */
class ModelRecordsTest {
  private final RecordingStore store = new RecordingStore(1);
  private final ModelRecords records = new ModelRecords(store);

  private String take(String key, byte @Nullable [] value, String version, String lineage) {
    records.take(key, value, version, lineage, "topic/0@1", Instant.EPOCH);
    records.complete(true);
    return String.join("\n", store.said());
  }

  @Test
  void takesNumberedFiles() {
    byte[] file = RecordingStore.model(1);
    assertEquals("took m 7", take("m", file, "7", ""));
    assertEquals("refused m: no header 'version' with a whole number", take("m", file, "-7", ""));
    assertEquals("refused m: not a model", take("m", new byte[9], "8", ""));
    assertEquals("", take("m", null, "", ""), "a tombstone");
    assertEquals("took m 1", take("m", file, "1", "a"));
    assertEquals("discarded m 9: it says no lineage, and a is in use", take("m", file, "9", ""));
  }

  @Test
  void keysOfAnyLengthAndPartsOfNoModelDoNoHarm() {
    String said = take("k".repeat(1 << 20), new byte[9], "1", "");
    assertTrue(said.endsWith("…: a key of 1048576 characters") && said.length() < 200, said);
    assertEquals("", take("m/1f/1", new byte[9], "1", ""));
    assertEquals("", take("m/", null, "", ""));
    assertEquals("", take("/", new byte[1], "", ""));
    for (int i = 0; i < 2000; i++) {
      take("m" + i + "/1f/1", new byte[9], "1", "");
    }
    assertEquals("refused x: a part of too many models", take("x/1f/1", new byte[9], "1", ""));
    assertEquals(List.of(), store.said());
  }
}
