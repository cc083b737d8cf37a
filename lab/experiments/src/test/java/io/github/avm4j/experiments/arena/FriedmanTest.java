// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.arena;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Ranks and critical differences against values computed by hand and those of Demšar's paper. */
class FriedmanTest {

  @Test
  void equalErrorsShareTheirRanks() {
    assertArrayEquals(new double[] {2, 1, 3}, Friedman.ranks(new double[] {0.2, 0.1, 0.3}));
    assertArrayEquals(new double[] {2.5, 1, 2.5}, Friedman.ranks(new double[] {5, 4, 5}));
    assertArrayEquals(new double[] {2, 2, 2}, Friedman.ranks(new double[] {1, 1, 1}));
  }

  @Test
  void whatDidNotComeToTheEndIsLast() {
    double no = Double.POSITIVE_INFINITY;
    assertArrayEquals(new double[] {3.5, 2, 3.5, 1}, Friedman.ranks(new double[] {no, 9, no, 1}));
  }

  /** Ranks (1, 2, 3), (1, 2, 3), (1, 3, 2): χ² = 12·3/(3·4)·(1 + 49/9 + 64/9 − 12) = 14/3. */
  @Test
  void threeLearnersOnThreeStreams() {
    Friedman friedman = Friedman.of(new double[][] {{1, 2, 3}, {10, 20, 30}, {5, 7, 6}});
    assertEquals(1, friedman.rank(0), 1e-12);
    assertEquals(7 / 3.0, friedman.rank(1), 1e-12);
    assertEquals(8 / 3.0, friedman.rank(2), 1e-12);
    assertEquals(14 / 3.0, friedman.chiSquared(), 1e-12);
    // (3 − 1)·(14/3) / (3·2 − 14/3) = (28/3) / (4/3).
    assertEquals(7, friedman.f(), 1e-12);
    // 2.343·√(3·4/(6·3)).
    assertEquals(1.913, friedman.criticalDifference(0.05), 0.001);
  }

  /** Demšar's example of C4.5 on 14 data sets, Section 3.2.2. */
  @Test
  void theExampleOfThePaper() {
    Friedman friedman = new Friedman(new double[] {3.143, 2.000, 2.893, 1.964}, 14);
    assertEquals(9.28, friedman.chiSquared(), 0.01);
    assertEquals(3.69, friedman.f(), 0.01);
    assertEquals(1.25, friedman.criticalDifference(0.05), 0.005);
    assertEquals(1.12, friedman.criticalDifference(0.10), 0.005);
  }

  /** Table 5(a): q for 2 to 10 classifiers. */
  @Test
  void theCriticalValuesOfThePaper() {
    double[] q05 = {1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164};
    double[] q10 = {1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920};
    for (int k = 2; k <= 10; k++) {
      double root = Math.sqrt(2);
      assertEquals(q05[k - 2], StudentizedRange.quantile(k, 0.95) / root, 0.0011, "k=" + k);
      assertEquals(q10[k - 2], StudentizedRange.quantile(k, 0.90) / root, 0.0011, "k=" + k);
    }
    assertEquals(0.975, StudentizedRange.normal(1.959964), 1e-7);
    assertEquals(0.025, StudentizedRange.normal(-1.959964), 1e-7);
  }

  @Test
  void barsJoinWhatDoesNotDiffer() {
    List<int[]> groups = RankPicture.groups(new double[] {1, 1.5, 3, 3.2, 5}, 1.6);
    assertEquals(3, groups.size());
    assertArrayEquals(new int[] {0, 1}, groups.get(0));
    assertArrayEquals(new int[] {1, 2}, groups.get(1));
    assertArrayEquals(new int[] {2, 3}, groups.get(2));
    // The second group lies within the first.
    assertEquals(1, RankPicture.groups(new double[] {1, 1.1, 1.2}, 5).size());
    assertEquals(0, RankPicture.groups(new double[] {1, 3, 5}, 2).size());
  }

  @Test
  void aPictureNamesEveryLearner() {
    Friedman friedman = Friedman.of(new double[][] {{1, 2, 3}, {1, 3, 2}});
    String svg = RankPicture.svg(List.of("ours", "a<b", "c"), friedman, 1.9, "ours");
    assertTrue(svg.contains("ours  1.00") && svg.contains("a&lt;b  2.50"), svg);
    assertTrue(svg.contains("critical difference 1.90"), svg);
  }

  @Test
  void ranksNeedTwoLearners() {
    assertThrows(IllegalArgumentException.class, () -> Friedman.of(new double[][] {{1}, {2}}));
    assertThrows(IllegalArgumentException.class, () -> Friedman.of(new double[0][]));
  }
}
