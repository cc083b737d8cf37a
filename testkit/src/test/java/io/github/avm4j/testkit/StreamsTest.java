// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StreamsTest {

  private static List<List<Instance>> all(long seed) {
    return List.of(
        Streams.blobs(3, 4, 200, seed),
        Streams.checkerboard(2, 200, seed),
        Streams.noisySine(2, 200, 0.1, seed),
        Streams.sparse(3, 5000, 4, 200, seed),
        Streams.exactlyHalfDelta(0.5, 5, 2, seed),
        Streams.abruptDrift(3, 2, 200, seed),
        Streams.gradualDrift(3, 2, 200, seed),
        Streams.recurringDrift(3, 2, 200, seed),
        Streams.weighted(Streams.blobs(2, 2, 200, 1), seed));
  }

  @Test
  void areFunctionsOfTheirSeed() {
    List<List<Instance>> once = all(5);
    List<List<Instance>> again = all(5);
    List<List<Instance>> other = all(6);
    for (int i = 0; i < once.size(); i++) {
      assertEquals(once.get(i).toString(), again.get(i).toString());
      assertFalse(once.get(i).toString().equals(other.get(i).toString()), "stream " + i);
    }
  }

  @Test
  void abruptDriftMovesTheBlobs() {
    List<Instance> rows = Streams.abruptDrift(1, 2, 1000, 7);
    double before = rows.subList(0, 500).stream().mapToDouble(r -> r.x().get(0)).sum() / 500;
    double after = rows.subList(500, 1000).stream().mapToDouble(r -> r.x().get(0)).sum() / 500;
    assertTrue(Math.abs(before - after) > 0.05, before + " and " + after);
  }

  @Test
  void sparseRowsReachTheLastFeature() {
    Set<Integer> dimensions = new HashSet<>();
    Streams.sparse(2, 5000, 3, 100, 1).forEach(row -> dimensions.add(row.x().dimension()));
    assertTrue(dimensions.contains(5000), dimensions.toString());
  }

  @Test
  void scalingMapsToUnitRangeAndUnitVariance() {
    double[][] table = {{1, 5, 10}, {3, 5, 20}, {2, 5, 60}};
    RealData.minMax(table, 0, 2);
    RealData.zScore(table, 2, 3);
    assertEquals(0, table[0][0]);
    assertEquals(1, table[1][0]);
    assertEquals(0.5, table[2][0]);
    assertEquals(0, table[1][1]);
    double sum = table[0][2] + table[1][2] + table[2][2];
    assertEquals(0, sum, 1e-12);
    double squares = 0;
    for (double[] row : table) {
      squares += row[2] * row[2];
    }
    assertEquals(3, squares, 1e-12);
  }

  @Test
  void libsvmRowsAreReadFromOne() {
    Instance row = RealData.libsvmRow("-1 3:0.5 11:2 ");
    assertEquals(-1, row.y());
    assertEquals(0.5, row.x().get(2));
    assertEquals(2, row.x().get(10));
    assertEquals(2, row.x().count());
  }

  @Test
  void anExemptionNeedsReason() {
    assertThrows(IllegalArgumentException.class, () -> new Exemption("learns", " "));
  }
}
