// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.ScalingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plans whose rows have moved. */
class PlanRenewalTest {
  private static final int ROWS = 2000;
  private static final int CELLS = 12;

  /** Rows of a square from (−1, −1) to (0, 0), moved; one in 20 from anywhere up to (1, 1). */
  private static List<FeatureVector> rows(boolean sparse, double shift, int seed) {
    Random random = new Random(seed);
    List<FeatureVector> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      boolean anywhere = i % 20 == 0;
      double side = anywhere ? 2 : 1;
      double from = anywhere ? -1 : shift - 1;
      double[] x = {from + side * random.nextDouble(), from + side * random.nextDouble()};
      rows.add(
          sparse
              ? FeatureVector.sparse(
                  new int[] {0, 3, 5 + random.nextInt(4000)}, new double[] {x[0], x[1], 0.1})
              : FeatureVector.dense(x));
    }
    return rows;
  }

  private static CellPlan plan(List<FeatureVector> rows, int cells) {
    AutoLearner learner =
        new AutoLearner(
            Avm.classifier()
                .labels(0, 1)
                .budget(24)
                .scaling(ScalingMode.STANDARD)
                .estimation(200)
                .config());
    rows.forEach(x -> learner.learn(x, x.get(0) > x.values()[1] ? 1 : 0));
    return CellPlan.of(learner, rows, cells);
  }

  private static int[] counts(CellPlan plan, List<FeatureVector> rows) {
    int[] counts = new int[plan.size()];
    rows.forEach(x -> counts[plan.cellOf(x)]++);
    return counts;
  }

  @ParameterizedTest
  @CsvSource({
    "false, 0, 12",
    "false, 0.3, 12",
    "false, 0.9, 12",
    "false, 3, 12",
    "false, 3, 20",
    "false, 3, 2",
    "true, 0, 12",
    "true, 0.5, 12",
    "true, 3, 16"
  })
  void onlyColdCellsGiveTheirPlaceToNewCentres(boolean sparse, double shift, int most) {
    for (int seed = 1; seed <= 5; seed++) {
      CellPlan plan = plan(rows(sparse, 0, seed), CELLS);
      List<FeatureVector> recent = rows(sparse, shift, 100 + seed);
      CellPlan renewed = plan.renewed(recent, most);
      int places = Math.max(most, plan.size());
      assertTrue(renewed.size() >= plan.size() && renewed.size() <= places, "bounded");
      assertArrayEquals(Avm.toBytes(plan.outer()), Avm.toBytes(renewed.outer()), "the same model");
      int[] counts = counts(plan, recent);
      boolean hot = false;
      for (int cell = 0; cell < plan.size(); cell++) {
        boolean cold = counts[cell] * 16L * places < ROWS;
        hot |= (long) counts[cell] * places > 2L * ROWS;
        assertTrue(cold || renewed.sharesCell(plan, cell), cell + " is visited and stays");
      }
      for (int cell = 0; !hot && cell < plan.size(); cell++) {
        assertTrue(renewed.sharesCell(plan, cell), "nothing is to be divided");
      }
      assertArrayEquals(
          Avm.toBytes(renewed.model()),
          Avm.toBytes(plan.renewed(recent, most).model()),
          "a function of plan and rows");
    }
  }

  @Test
  void hotCellsAreDivided() {
    CellPlan plan = plan(rows(false, 0, 1), CELLS);
    List<FeatureVector> recent = rows(false, 1, 2);
    int before = IntStream.of(counts(plan, recent)).max().orElseThrow();
    CellPlan renewed = plan.renewed(recent, CELLS);
    int after = IntStream.of(counts(renewed, recent)).max().orElseThrow();
    assertTrue(before > ROWS / 2, before + " rows in one cell of " + CELLS);
    assertTrue(after < before / 2, after + " rows in one cell of " + CELLS);
    CellPlan again = renewed.renewed(recent, CELLS);
    for (int cell = 0; cell < CELLS; cell++) {
      boolean moved = !renewed.sharesCell(plan, cell);
      assertTrue(!moved || again.sharesCell(renewed, cell), "a new centre stays in its place");
    }
    assertEquals(CELLS + 5, plan.renewed(recent, CELLS + 5).size());
    assertFalse(renewed.sharesCell(plan, CELLS), "no such cell");
  }

  /** A scaling cuts features, and that of the plan stays. */
  @Test
  void rowsBeyondTheScalingOfThePlanCannotBeDivided() {
    CellPlan plan = plan(rows(false, 0, 1), CELLS);
    List<FeatureVector> far = rows(false, 9, 2).stream().filter(x -> x.get(0) > 1).toList();
    CellPlan renewed = plan.renewed(far, CELLS);
    assertEquals(far.size(), IntStream.of(counts(renewed, far)).max().orElseThrow());
    for (int cell = 0; cell < CELLS; cell++) {
      assertTrue(renewed.sharesCell(plan, cell), "no cell is given up for nothing");
    }
  }

  @Test
  void rowsOfAnotherFormAreRefused() {
    CellPlan plan = plan(rows(false, 0, 1), CELLS);
    List<FeatureVector> longer = List.of(FeatureVector.dense(1, 2, 3));
    assertThrows(IllegalArgumentException.class, () -> plan.renewed(longer, CELLS));
    List<FeatureVector> same = List.of(FeatureVector.dense(1, 2), FeatureVector.dense(1, 2));
    assertEquals(CELLS, plan.renewed(same, CELLS).size(), "rows that cannot be divided");
    assertEquals(CELLS, plan.renewed(List.of(), CELLS).size());
  }
}
