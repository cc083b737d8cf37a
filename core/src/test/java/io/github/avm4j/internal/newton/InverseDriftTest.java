// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.newton;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.loss.Logistic;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What each step, exchange and forgetting only updates is still what it should be after many: Q is
 * the inverse of the Gram matrix K, P is positive and below its prior Q/λ. {@code
 * -Davm4j.steps=10000000} for longer.
 */
class InverseDriftTest {
  private static final int STEPS = Integer.getInteger("avm4j.steps", 100_000);
  private static final int BUDGET = 32;

  /** Concepts take turns: labels turn round so often. */
  private static final int TURN = 7000;

  /**
   * Each row replaces the oldest, of a narrow and a wider kernel; by evidence; none, of near
   * points.
   */
  @ParameterizedTest
  @CsvSource({
    "slides, 0.998, 4, 0.01, 0.001, 1e-9",
    "slides and is wider, 0.9999, 2, 0.001, 0.001, 1e-7",
    "exchanges, 1, 4, 0.01, 0.001, 1e-8",
    "has near points, 1, 0.5, 0.000001, 0.000001, 1e-3"
  })
  void inversesStayInverses(
      String name, double forgetting, double gamma, double lambda, double novelty, double most) {
    SecondOrderEngine engine =
        new SecondOrderEngine(
            SecondOrderConfig.builder(Task.CLASSIFICATION)
                .kernel(new Gaussian(gamma))
                .loss(new Logistic())
                .lambda(lambda)
                .novelty(novelty)
                .forgetting(forgetting)
                .budget(BUDGET)
                .replacing(true)
                .skip(0)
                .build());
    SplittableRandom random = new SplittableRandom(9);
    double early = 0;
    for (int t = 1; t <= STEPS; t++) {
      double[] x = {random.nextDouble(), random.nextDouble(), random.nextDouble()};
      boolean inside = Math.sin(9 * x[0]) + x[1] > 0.5 + 0.2 * random.nextDouble();
      engine.learn(FeatureVector.dense(x), inside == (t / TURN % 2 == 0) ? 1 : 0, 1);
      if (t == STEPS / 10) {
        early = Math.max(1e-12, offInverse(engine));
      }
    }
    double off = offInverse(engine);
    System.out.printf(
        "%s: %,d steps, %,d replaced, QK off I by %.1e, at a tenth of them %.1e%n",
        name, STEPS, engine.replaced(), off, early);
    assertTrue(engine.replaced() > 0 || novelty < 1e-5, name + ": nothing was replaced");
    assertTrue(
        off < most && off < 10 * early, name + ": QK is off I by " + off + ", at first " + early);
    requireBetweenNothingAndThePrior(engine, lambda);
  }

  private static double offInverse(SecondOrderEngine engine) {
    int n = engine.set.size();
    double[][] q = full(n, engine.solver::inverseGram);
    double worst = 0;
    for (int i = 0; i < n; i++) {
      engine.distances.fill(engine.set, engine.set.point(i), engine.kernel);
      for (int j = 0; j < n; j++) {
        double sum = i == j ? -1 : 0;
        for (int l = 0; l < n; l++) {
          sum += engine.distances.kernel()[l] * q[l][j];
        }
        worst = Math.max(worst, Math.abs(sum));
      }
    }
    return worst;
  }

  private static void requireBetweenNothingAndThePrior(SecondOrderEngine engine, double lambda) {
    int n = engine.set.size();
    engine.solver.settle();
    double[][] p = full(n, engine.solver::covariance);
    double[][] q = full(n, engine.solver::inverseGram);
    SplittableRandom random = new SplittableRandom(1);
    for (int trial = 0; trial < 200; trial++) {
      double[] v = random.doubles(n, -1, 1).toArray();
      double variance = form(p, v);
      double prior = form(q, v) / lambda;
      assertTrue(variance > 0 && variance < prior * (1 + 1e-6), variance + " of " + prior);
    }
  }

  private static double form(double[][] m, double[] v) {
    double sum = 0;
    for (int i = 0; i < v.length; i++) {
      for (int j = 0; j < v.length; j++) {
        sum += v[i] * m[i][j] * v[j];
      }
    }
    return sum;
  }

  private static double[][] full(int n, IntFunction<double[]> lower) {
    double[][] m = new double[n][n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) {
        m[i][j] = lower.apply(i)[j];
        m[j][i] = m[i][j];
      }
    }
    return m;
  }
}
