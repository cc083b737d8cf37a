// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.anomaly;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.experiments.anomaly.ClassStream.Classified;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ClusterTableTest {
  /** Three spots far apart. */
  private static ClassStream spots(int rows) {
    Random random = new Random(2);
    List<Classified> all = new ArrayList<>();
    for (int t = 0; t < rows; t++) {
      int spot = random.nextInt(3);
      double[] x = {9 * spot + random.nextGaussian(), 9 * (spot % 2) + random.nextGaussian()};
      all.add(new Classified(x, spot));
    }
    return new ClassStream("spots", all);
  }

  @Test
  void theIndexIsOneForTheSameGroupsAndNoneForChance() {
    int[] classes = {0, 0, 1, 1, 2, 2};
    assertEquals(1, index(classes, new int[] {5, 5, 3, 3, 4, 4}));
    assertEquals(0, index(classes, new int[6]));
    assertEquals(1, index(new int[6], new int[6]));
    // 15 pairs: 3 in the same class, 6 in the same cluster, 2 in both; by chance 6/5.
    assertEquals((2 - 1.2) / (4.5 - 1.2), index(classes, new int[] {0, 0, 0, 1, 1, 1}), 1e-12);
  }

  private static double index(int[] classes, int[] clusters) {
    return ClusterTable.adjustedRandIndex(classes, clusters, 0, classes.length);
  }

  @Test
  void spotsAreFound() {
    ClassStream stream = spots(2500).scaled();
    String[] cells = ClusterTable.row(stream, "file", "avm", ClusterTable.ours()).split("\\|", -1);
    assertEquals(11, cells.length);
    assertTrue(Double.parseDouble(cells[6].strip()) > 0.95, cells[6]);
    assertTrue(Double.parseDouble(cells[7].strip()) > 0.95, cells[7]);
    assertEquals("3", cells[8].strip());
  }
}
