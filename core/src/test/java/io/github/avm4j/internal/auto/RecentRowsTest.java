// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.newton.StoredInstances;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RecentRowsTest {
  private static RecentRows filled(int most, int rows) {
    RecentRows kept = new RecentRows(most, Long.MAX_VALUE);
    double[] view = new double[2];
    for (int i = 0; i < rows; i++) {
      view[0] = i;
      view[1] = i + 1;
      boolean sparse = i % 7 == 3;
      int[] indices = {1, 4};
      FeatureVector x = sparse ? FeatureVector.sparse(indices, view) : FeatureVector.dense(view);
      kept.add(x, 10 * i, i + 0.5);
    }
    return kept;
  }

  /** Targets of the last so many, oldest first, and features and weights that go with them. */
  private static void holds(RecentRows kept, int count, int from, int to) {
    List<StoredInstances.Kept> last = kept.last(count);
    assertArrayEquals(
        IntStream.range(from, to).mapToDouble(i -> 10 * i).toArray(),
        last.stream().mapToDouble(StoredInstances.Kept::y).toArray());
    for (StoredInstances.Kept row : last) {
      double i = row.y() / 10;
      assertArrayEquals(new double[] {i, i + 1}, row.x().values());
      assertEquals(i % 7 == 3, row.x().isSparse());
      assertEquals(i + 0.5, row.weight());
    }
  }

  @Test
  void allAreKeptUntilItIsFull() {
    holds(filled(100, 80), 100, 0, 80);
    holds(filled(100, 80), 30, 50, 80);
    holds(filled(100, 0), 30, 0, 0);
  }

  @Test
  void thenTheOldestGo() {
    for (int rows : new int[] {100, 101, 137, 250}) {
      holds(filled(100, rows), 1000, rows - 100, rows);
      holds(filled(100, rows), 30, rows - 30, rows);
      assertEquals(100, filled(100, rows).size());
    }
  }
}
