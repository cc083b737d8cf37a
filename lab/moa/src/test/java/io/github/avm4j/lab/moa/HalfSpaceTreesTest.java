// Copyright avm4j contributors. SPDX-License-Identifier: GPL-3.0-or-later
package io.github.avm4j.lab.moa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.lab.baselines.ScorerProvider;
import java.util.List;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/** MOA's detector behind the interface by which tables find it. */
class HalfSpaceTreesTest {
  @Test
  void isFoundAtRunTime() {
    List<String> titles = ScorerProvider.found().stream().map(ScorerProvider::title).toList();
    assertEquals(List.of("HSTrees"), titles);
  }

  @Test
  void anOddRowHasALargerScore() {
    ToDoubleFunction<double[]> trees = new HalfSpaceTrees().create(2, 1);
    Random random = new Random(3);
    double sum = 0;
    for (int t = 0; t < 1000; t++) {
      double value = 0.2 + 0.1 * random.nextDouble();
      double score = trees.applyAsDouble(new double[] {value, 1 - value});
      sum += t >= 500 ? score : 0;
    }
    double odd = trees.applyAsDouble(new double[] {0.9, 0.1});
    assertTrue(odd > sum / 500, odd + " is not more than the mean, " + sum / 500);
  }
}
