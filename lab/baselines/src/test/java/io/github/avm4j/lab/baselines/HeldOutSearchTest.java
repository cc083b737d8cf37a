// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.lab.baselines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.baselines.Method;
import io.github.avm4j.baselines.Settings;
import io.github.avm4j.baselines.comparison.GridSearch;
import io.github.avm4j.baselines.comparison.Table;
import io.github.avm4j.config.Task;
import io.github.avm4j.learner.OnlineLearner;
import io.github.avm4j.testkit.Instance;
import io.github.avm4j.testkit.Streams;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeldOutSearchTest {
  private static Table table(List<Instance> rows) {
    return new Table(
        rows.stream().map(Instance::x).toList(), rows.stream().map(Instance::y).toList());
  }

  /** The search's choice is no worse than any other of the grid, tried by hand. */
  @Test
  void searchFindsTheBestOfTheGrid() {
    Table rows = table(Streams.checkerboard(3, 400, 4));
    Method ogd = PaperMethods.of("ogd", Task.CLASSIFICATION);
    GridSearch found = HeldOutSearch.of(ogd, Task.CLASSIFICATION, Settings.standard(), rows);
    assertEquals(56, found.tried());
    double best = Double.POSITIVE_INFINITY;
    for (Settings settings : ogd.grid(Task.CLASSIFICATION, Settings.standard(), 400)) {
      OnlineLearner learner = ogd.create(Task.CLASSIFICATION, settings);
      int wrong = 0;
      for (int i = 0; i < 400; i++) {
        if (i < 320) {
          learner.learn(rows.x().get(i), rows.y(i));
        } else {
          wrong += learner.predict(rows.x().get(i)) == rows.y(i) ? 0 : 1;
        }
      }
      best = Math.min(best, 100 * wrong / 80.0);
    }
    assertEquals(best, found.error(), 1e-9);
    assertThrows(
        IllegalArgumentException.class,
        () -> HeldOutSearch.of(ogd, Task.CLASSIFICATION, Settings.standard(), rows.part(0, 4)));
  }

  @Test
  void batchMethodsAreSearchedToo() {
    Table rows = table(Streams.checkerboard(2, 100, 4));
    GridSearch found = HeldOutSearch.of(BatchMethod.ALL.get(0), Settings.standard(), rows);
    assertEquals(77, found.tried());
    assertTrue(found.error() < 30, "" + found.error());
  }
}
