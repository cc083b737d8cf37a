// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.coreset.CoreDistances;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.loss.Logistic;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ExchangeTest {
  private static SecondOrderLearner taught(double novelty) {
    SecondOrderConfig config =
        SecondOrderConfig.builder(Task.CLASSIFICATION)
            .kernel(new Gaussian(12))
            .loss(new Logistic())
            .skip(0.1)
            .novelty(novelty)
            .budget(15)
            .build();
    SecondOrderLearner learner = new SecondOrderLearner(config);
    SplittableRandom random = new SplittableRandom(2);
    for (int t = 0; t < 6000; t++) {
      // What is learned first is of no use later.
      double a = random.nextDouble() * (t < 500 ? 0.4 : 1);
      double b = random.nextDouble();
      double label = ((int) (3 * a) + (int) (3 * b)) % 2;
      learner.learn(FeatureVector.dense(a, b), label);
    }
    return learner;
  }

  /** However wide the novelty: Q stays K⁻¹ when core points give their places to others. */
  @Test
  void replacingKeepsTheInverse() {
    for (double novelty : new double[] {1e-3, 0.1, 0.4}) {
      SecondOrderLearner learner = taught(novelty);
      assertTrue(learner.replaced() > 0, "novelty " + novelty + ": nothing was replaced");
      CoreDistances distances = new CoreDistances();
      double[] row = new double[16];
      for (int i = 0; i < learner.size(); i++) {
        distances.fill(learner.engine.set, learner.engine.set.point(i), learner.engine.kernel);
        learner.engine.solver.residual(distances.kernel());
        System.arraycopy(learner.engine.solver.projection(), 0, row, 0, learner.size());
        for (int j = 0; j < learner.size(); j++) {
          assertEquals(i == j ? 1 : 0, row[j], 1e-6, "novelty " + novelty + ", Q·K at " + i);
        }
      }
    }
  }
}
