// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.cells;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.contest.Contest;
import io.github.avm4j.internal.secondorder.SecondOrderEngine;
import io.github.avm4j.kernel.Gaussian;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Who predicts in a cell is decided by weighted losses: what weighs little proves little. */
class CellWeightsTest {
  private static SecondOrderEngine engine() {
    return new SecondOrderEngine(
        SecondOrderConfig.builder(Task.REGRESSION).kernel(new Gaussian(1)).build());
  }

  @Test
  void evidenceCountsByWeight() {
    Cell<SecondOrderEngine> cell = new Cell<>();
    SecondOrderEngine expert = engine();
    cell.expert = expert;
    Contest all = Cell.contest();
    Random random = new Random(5);
    double gains = 0;
    double squares = 0;
    int rows = 90;
    for (int i = 0; i < rows; i++) {
      FeatureVector x = FeatureVector.dense(random.nextGaussian());
      double y = random.nextGaussian();
      double weight = i % 10 == 0 ? 10 : 0.1;
      double own = expert.predict(x);
      double gain = weight * (y * y - (own - y) * (own - y));
      gains += gain;
      squares += gain * gain;
      cell.join(x, y, weight, 0, new double[0], engine(), all);
    }
    assertEquals(gains / rows, cell.contest.gain(Cell.OWN), 1e-9);
    assertEquals(squares / rows, cell.contest.square(Cell.OWN), 1e-9);
    assertEquals(squares / rows, all.square(Cell.OWN), 1e-9);
  }
}
