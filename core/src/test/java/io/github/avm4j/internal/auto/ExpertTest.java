// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.kernel.Gaussian;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ExpertTest {
  private static Expert expert(Task task) {
    SecondOrderConfig settings =
        SecondOrderConfig.builder(task).kernel(new Gaussian(1)).budget(30).build();
    return Expert.of(new Shape(true, 1), View.unscaled(), 1, 0.5, settings, setup(task));
  }

  private static Setup setup(Task task) {
    Setup setup = new Setup(AutoConfig.of(task));
    setup.formed(FeatureVector.dense(0));
    return setup;
  }

  /** A second expert that is only asked differs in nothing but the weight of the last row. */
  @Test
  void lossesAreWeighted() {
    for (Task task : Task.values()) {
      Expert light = expert(task);
      Expert heavy = expert(task);
      Random random = new Random(1);
      for (int row = 0; row < 200; row++) {
        FeatureVector x = FeatureVector.dense(random.nextGaussian());
        double y = task == Task.CLASSIFICATION ? random.nextInt(2) + 0.5 : random.nextGaussian();
        double weight = row < 199 ? 1 : 4;
        light.learn(x, y, 1, false);
        heavy.learn(x, y, weight, false);
        double sharp = light.sharpLoss();
        assertEquals(weight * sharp, heavy.sharpLoss(), 1e-12 * (1 + sharp));
        assertEquals(weight * light.error(), heavy.error());
        assertEquals(weight * light.regret(), heavy.regret());
      }
      assertTrue(heavy.sharpLoss() > 0);
    }
  }

  /** A cell's expert knows classes 4 and 1 of five: the others are less likely than its lowest. */
  @Test
  void scoresArePlacedByClass() {
    SecondOrderConfig settings =
        SecondOrderConfig.builder(Task.CLASSIFICATION).kernel(new Gaussian(1)).budget(30).build();
    Expert expert =
        Expert.of(new Shape(true, 1), View.unscaled(), 1, 0, settings, setup(Task.CLASSIFICATION));
    for (int row = 0; row < 100; row++) {
      expert.learn(FeatureVector.dense(row % 2), row % 2 == 0 ? 4 : 1, 1, false);
    }
    double[] scores = new double[5];
    expert.score(FeatureVector.dense(0));
    expert.spread(scores, 5);
    assertTrue(scores[4] > scores[1]);
    for (int c : new int[] {0, 2, 3}) {
      assertTrue(scores[c] < scores[1], "class " + c);
    }
    expert.learn(FeatureVector.dense(1), 2, 1, true);
    expert.spread(scores, 5);
    assertTrue(scores[1] > scores[4] && scores[4] > scores[2], "not of the class just learned");
  }
}
