// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.fixtures.TestStream;
import io.github.avm4j.flink.TestRecords;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.RawRecord;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A plan of joined rows names their records, and a job passes over these alone. */
class JoinedPlanTest {
  private static final Map<String, long[]> JOINED =
      Map.of(
          "rows-0", new long[] {3, 5, 900}, "rows-1", new long[] {0}, "labels-0", new long[] {5});

  private static List<Example> examples(long from, long to) {
    return LongStream.range(from, to)
        .mapToObj(i -> new Example("", "", TestStream.features(i), i % 2, 1, i))
        .toList();
  }

  private static CellStart start(Map<String, long[]> joined) throws IOException {
    return CellStart.makeJoined(TestRecords.start(), examples(0, 400), 6, joined);
  }

  private static void assertJoined(CellStart start) throws IOException {
    Map<String, long[]> read = CellStart.read(start.toBytes()).joined();
    assertEquals(JOINED.keySet(), read.keySet());
    JOINED.forEach((source, positions) -> assertArrayEquals(positions, read.get(source)));
  }

  @Test
  void aPlanNamesTheRecords() throws Exception {
    CellStart start = start(JOINED);
    assertJoined(start);
    assertEquals(Map.of(), start.ends());
    CellStart plain = CellStart.make(TestRecords.start(), examples(0, 400), 6, Map.of());
    assertEquals(Map.of(), plain.joined());
    assertArrayEquals(plain.toBytes(), start(Map.of()).toBytes());
    assertNotEquals(plain.fingerprint(), start.fingerprint());
  }

  @Test
  void positionsThatDoNotAscendAreRefused() throws Exception {
    byte[] file = start(Map.of("rows-0", new long[] {5, 5})).toBytes();
    assertTrue(
        assertThrows(IOException.class, () -> CellStart.read(file))
            .getMessage()
            .contains("rows-0"));
  }

  @Test
  void onlyTheseRecordsArePassedOver() {
    SortRecords sort = new SortRecords(TestRecords.start().file(), JOINED, "", false);
    assertTrue(sort.isJoined(of("rows-0", 3)));
    assertTrue(sort.isJoined(of("rows-0", 900)));
    assertTrue(sort.isJoined(of("labels-0", 5)));
    assertFalse(sort.isJoined(of("rows-0", 4)));
    assertFalse(sort.isJoined(of("rows-1", 3)));
    assertFalse(sort.isJoined(of("labels-1", 5)));
    assertFalse(sort.isJoined(null), "not of a record");
  }

  private static RawRecord of(String source, long offset) {
    byte[] none = {};
    return new RawRecord(source, offset, none, none, 0);
  }
}
