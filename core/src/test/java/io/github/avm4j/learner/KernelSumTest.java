// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.approximation.Bernoulli;
import io.github.avm4j.averaging.SuffixAverage;
import io.github.avm4j.config.AvmConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The parts of a merged state that no answer shows at once. */
class KernelSumTest {
  private static AvmConfig.Builder<Learner> builder() {
    return Avm.paperClassifier().gamma(2).delta(0.4).lambda(0.01);
  }

  private static KernelLearner learner(AvmConfig config, int n, long seed) {
    KernelLearner learner = new KernelLearner(config);
    learn(learner, n, seed);
    return learner;
  }

  private static void learn(Learner learner, int n, long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < n; i++) {
      double x = random.nextDouble();
      learner.learn(new double[] {x, random.nextDouble()}, x > 0.4 ? 1 : 0);
    }
  }

  /** Shards of 30, 1 and 200 have drawn 231 numbers; so has one learner. */
  @Test
  void theRandomSourceGoesOnAsThatOfOneLearner() {
    AvmConfig config = builder().approximation(new Bernoulli(3, 0.5)).seed(77).config();
    KernelLearner merged =
        (KernelLearner)
            Avm.merge(
                List.of(learner(config, 30, 1), learner(config, 1, 2), learner(config, 200, 3)));
    assertEquals(learner(config, 231, 4).engine.random.state(), merged.engine.random.state());
    AvmConfig fixed = builder().seed(77).config();
    merged = (KernelLearner) Avm.merge(List.of(learner(fixed, 9, 1), learner(fixed, 8, 2)));
    assertEquals(77, merged.engine.random.state());
  }

  /** The share of iterates in the window stays within what {@link SuffixAverage} promises. */
  @Test
  void theStreamingSuffixKeepsItsShare() {
    double alpha = 0.3;
    AvmConfig config = builder().output(new SuffixAverage(alpha, 0)).config();
    for (long seed = 1; seed <= 20; seed++) {
      Random random = new Random(seed);
      List<Learner> shards = new ArrayList<>();
      for (int s = 0; s < 4; s++) {
        shards.add(learner(config, 300 + random.nextInt(1000), seed + s));
      }
      KernelLearner merged = (KernelLearner) Avm.merge(shards);
      for (int round = 0; round < 20; round++) {
        double share = merged.engine.solver.average().window(0)[2] / merged.instances();
        assertTrue(
            share >= alpha - 0.01 && share <= 1 - (1 - alpha) * (1 - alpha) + 0.01,
            "share " + share + " at " + merged.instances());
        learn(merged, 97, round);
      }
    }
  }

  @Test
  void yMaxIsTheLargest() {
    AvmConfig config = Avm.paperRegressor().gamma(1).delta(1).lambda(0.1).config();
    List<Learner> shards = new ArrayList<>();
    for (double y : new double[] {2, -7, 5}) {
      KernelLearner shard = new KernelLearner(config);
      shard.learn(new double[] {y}, y);
      shards.add(shard);
    }
    assertEquals(7, ((KernelLearner) Avm.merge(shards)).engine.yMax);
  }

  @Test
  void countsBeyondAllMeasureAreRefused() {
    AvmConfig config = builder().config();
    List<Learner> shards = new ArrayList<>();
    for (int s = 0; s < 3; s++) {
      KernelLearner shard = learner(config, 5, s);
      shard.engine.solver.restore(1L << 61, 1, 0);
      shards.add(shard);
    }
    String message =
        assertThrows(IllegalArgumentException.class, () -> Avm.merge(shards)).getMessage();
    assertEquals("instances of all shards must be at most 2^62", message);
  }
}
