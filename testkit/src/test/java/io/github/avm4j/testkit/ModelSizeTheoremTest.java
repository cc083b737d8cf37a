// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.learner.KernelLearner;
import io.github.avm4j.loss.AbsoluteLoss;
import io.github.avm4j.paper.Always;
import io.github.avm4j.paper.Approximation;
import io.github.avm4j.paper.Bernoulli;
import io.github.avm4j.paper.LastIterate;
import io.github.avm4j.paper.ModelSizeBound;
import io.github.avm4j.paper.Never;
import io.github.avm4j.paper.Output;
import io.github.avm4j.paper.SuffixAverage;
import io.github.avm4j.paper.UniformAverage;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** E[S_T] and its bounds for the four settings of p_t, as means over many seeds. */
class ModelSizeTheoremTest {
  private static final int SEEDS = 150;
  private static final int STEPS = 600;

  static Approximation[] policies() {
    return new Approximation[] {
      new Always(),
      new Bernoulli(2, 1),
      new Bernoulli(6, 1),
      new Bernoulli(1.5, 0.5),
      new Bernoulli(3, 1.6),
      new Bernoulli(1, 2),
      new Never()
    };
  }

  @ParameterizedTest
  @MethodSource("policies")
  void meanSizeIsBelowTheBound(Approximation policy) {
    double size = 0;
    double cells = 0;
    double exact = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      KernelLearner learner =
          new KernelLearner(
              Avm.paperRegressor()
                  .loss(new AbsoluteLoss())
                  .gamma(1)
                  .delta(0.3)
                  .lambda(0.01)
                  .approximation(policy)
                  .seed(1000L + seed)
                  .config());
      int before = 0;
      for (Instance row : Streams.noisySine(2, STEPS, 0.1, seed)) {
        learner.learn(row.x(), row.y(), 1);
        double p = probability(policy, learner.instances());
        boolean isNew = learner.cells() > before;
        exact += (1 - p) + p * (isNew ? 1 : 0);
        before = learner.cells();
      }
      size += (double) learner.size() / SEEDS;
      cells += (double) learner.cells() / SEEDS;
    }
    double bound = ModelSizeBound.expected(policy, STEPS, cells);
    System.out.printf("%s: E[S_T] = %.2f, bound %.2f, E[M_T] = %.2f%n", policy, size, bound, cells);
    assertTrue(size <= bound + 1e-9, size + " > " + bound);
    // With this loss every gradient is non-zero, so the first line of the theorem is an equality.
    assertEquals(exact / SEEDS, size, 0.02 * size);
  }

  /** Remark 17: averages have the core points of the last iterate, so the same bound holds. */
  @ParameterizedTest
  @MethodSource("policies")
  void averagesAreNoLargerThanTheLastIterate(Approximation policy) {
    for (long seed = 1; seed <= 5; seed++) {
      int[] sizes = new int[3];
      Output[] outputs = {new LastIterate(), new UniformAverage(), new SuffixAverage(0.5, STEPS)};
      for (int i = 0; i < outputs.length; i++) {
        KernelLearner learner =
            new KernelLearner(
                Avm.paperRegressor()
                    .loss(new AbsoluteLoss())
                    .gamma(1)
                    .delta(0.3)
                    .lambda(0.01)
                    .approximation(policy)
                    .output(outputs[i])
                    .seed(seed)
                    .config());
        Streams.noisySine(2, STEPS, 0.1, seed).forEach(row -> learner.learn(row.x(), row.y(), 1));
        sizes[i] = learner.snapshot().size();
      }
      assertTrue(sizes[0] > 10, "few core points: " + sizes[0]);
      assertEquals(sizes[0], sizes[1], "uniform average");
      assertEquals(sizes[0], sizes[2], "suffix average");
    }
  }

  private static double probability(Approximation policy, long t) {
    if (policy instanceof Bernoulli bernoulli) {
      return Math.max(0, 1 - bernoulli.beta() / Math.pow((double) t, bernoulli.rho()));
    }
    return policy instanceof Always ? 1 : 0;
  }
}
