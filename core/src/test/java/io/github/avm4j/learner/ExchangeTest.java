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
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ExchangeTest {
  private static SecondOrderLearner taught(double novelty, double forgetting, int instances) {
    SecondOrderConfig config =
        SecondOrderConfig.builder(Task.CLASSIFICATION)
            .kernel(new Gaussian(12))
            .loss(new Logistic())
            .skip(0.1)
            .novelty(novelty)
            .forgetting(forgetting)
            .budget(15)
            .build();
    SecondOrderLearner learner = new SecondOrderLearner(config);
    SplittableRandom random = new SplittableRandom(2);
    for (int t = 0; t < instances; t++) {
      // What is learned first is of no use later.
      double a = random.nextDouble() * (t < 500 ? 0.4 : 1);
      double b = random.nextDouble();
      double label = ((int) (3 * a) + (int) (3 * b)) % 2;
      learner.learn(FeatureVector.dense(a, b), label);
    }
    return learner;
  }

  /** However wide the novelty: Q stays K⁻¹ when core points are replaced. */
  @Test
  void replacingKeepsTheInverse() {
    for (double novelty : new double[] {1e-3, 0.1, 0.4}) {
      SecondOrderLearner learner = taught(novelty, 1, 6000);
      assertTrue(learner.replaced() > 0, "novelty " + novelty + ": nothing was replaced");
      assertInverse(learner, "novelty " + novelty);
    }
  }

  /** Rounding does not add up: whatever an error was made with leaves. */
  @Test
  void slidingKeepsTheInverse() {
    for (double forgetting : new double[] {0.99, 0.99998}) {
      SecondOrderLearner learner = taught(1e-3, forgetting, 200_000);
      assertTrue(learner.replaced() > 20_000, learner.replaced() + " were replaced");
      assertInverse(learner, "forgetting " + forgetting);
    }
  }

  private static void assertInverse(SecondOrderLearner learner, String what) {
    CoreDistances distances = new CoreDistances();
    double[] row = new double[16];
    for (int i = 0; i < learner.size(); i++) {
      distances.fill(learner.engine.set(), learner.engine.set().point(i), learner.engine.kernel);
      learner.engine.solver.residual(distances.kernel());
      System.arraycopy(learner.engine.solver.projection(), 0, row, 0, learner.size());
      for (int j = 0; j < learner.size(); j++) {
        assertEquals(i == j ? 1 : 0, row[j], 1e-6, what + ", Q·K at " + i);
      }
    }
  }

  /** The oldest is replaced: after as many instances as core points, none of the first is left. */
  @Test
  void slidingLeavesTheLatest() {
    SecondOrderConfig config =
        SecondOrderConfig.builder(Task.CLASSIFICATION)
            .kernel(new Gaussian(500))
            .loss(new Logistic())
            .skip(0)
            .forgetting(0.998)
            .budget(20)
            .build();
    SecondOrderLearner learner = new SecondOrderLearner(config);
    for (int t = 0; t < 100; t++) {
      learner.learn(FeatureVector.dense(t, 1), t % 2);
      for (int i = 0; i < learner.size(); i++) {
        double first = learner.engine.set().point(i).values()[0];
        assertTrue(first > t - 20, "core point of instance " + first + " at " + t);
      }
    }
    assertEquals(80, learner.replaced());
    assertEquals(0, learner.absorbed());
  }

  /** Groups that wander, as many as core points: those of old places are of no use. */
  @Test
  void slidingFollowsGroupsThatWander() {
    double[] mistakes = new double[2];
    for (int kind = 0; kind < 2; kind++) {
      SecondOrderConfig config =
          SecondOrderConfig.builder(Task.CLASSIFICATION)
              .kernel(new Gaussian(40))
              .loss(new Logistic())
              .forgetting(0.998)
              .budget(30)
              .replacing(kind == 1)
              .build();
      mistakes[kind] = wandering(new SecondOrderLearner(config));
    }
    assertTrue(mistakes[1] < 0.1 * mistakes[0], mistakes[1] + " mistakes, " + mistakes[0]);
  }

  private static int wandering(SecondOrderLearner learner) {
    SplittableRandom random = new SplittableRandom(5);
    double[][] centres = new double[10][];
    Arrays.setAll(centres, g -> random.doubles(2, 0, 1).toArray());
    int mistakes = 0;
    for (int t = 0; t < 12_000; t++) {
      int group = random.nextInt(centres.length);
      double[] centre = centres[group];
      centre[0] = (centre[0] + 0.002) % 4;
      FeatureVector x =
          FeatureVector.dense(
              centre[0] + 0.02 * random.nextGaussian(), centre[1] + 0.02 * random.nextGaussian());
      mistakes += learner.predict(x) == group % 2 ? 0 : 1;
      learner.learn(x, group % 2);
    }
    return mistakes;
  }
}
