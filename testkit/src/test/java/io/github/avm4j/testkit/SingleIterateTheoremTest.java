// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.learner.KernelLearner;
import io.github.avm4j.paper.Always;
import io.github.avm4j.paper.LastIterate;
import io.github.avm4j.paper.RegretBound;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Theorems 8, 10 and 13: the share of single iterates whose regret exceeds its bound, over runs and
 * over r, with Δ_T measured in each run.
 */
class SingleIterateTheoremTest {
  private static final int STEPS = 120;
  private static final int SEEDS = 12;
  private static final int START = (int) (STEPS * (1 - RegretTheoremTest.ALPHA));
  private static final double[] FAILURES = {0.8, 0.5, 0.2, 0.05};

  /** Regrets f(w_t) − f(w*) and distances ‖w_t − w*‖ of one run. */
  private static final class Run {
    final double[] regrets = new double[STEPS];
    final double[] distances = new double[STEPS];

    double largestRegret(int from) {
      return largest(regrets, from);
    }

    double largestDistance(int from) {
      return largest(distances, from);
    }

    private static double largest(double[] values, int from) {
      double largest = 0;
      for (int t = from; t < values.length; t++) {
        largest = Math.max(largest, values[t]);
      }
      return largest;
    }
  }

  private static List<Run> runs(RegretTheoremTest.Case c) {
    List<Instance> rows = RegretTheoremTest.rows(c.loss());
    Optimum best = Optimum.of(c.loss(), RegretTheoremTest.KERNEL, rows, c.lambda());
    List<Run> runs = new ArrayList<>();
    for (long seed = 1; seed <= SEEDS; seed++) {
      KernelLearner learner =
          new KernelLearner(RegretTheoremTest.config(c, new Always(), new LastIterate(), seed));
      Random random = new Random(seed);
      Run run = new Run();
      for (int t = 0; t < STEPS; t++) {
        run.regrets[t] = RegretTheoremTest.regret(c, learner, rows, best);
        double far = KernelFunction.of(learner.snapshot()).squaredDistance(best.f());
        run.distances[t] = Math.sqrt(far);
        Instance row = rows.get(random.nextInt(rows.size()));
        learner.learn(row.x(), row.y());
      }
      runs.add(run);
    }
    return runs;
  }

  /** The share of iterates from {@code from} on whose regret exceeds {@code limit + c·Δ}. */
  private static double share(List<Run> runs, int from, double limit, double c) {
    int above = 0;
    for (Run run : runs) {
      double bound = limit + c * run.largestRegret(from);
      for (int t = from; t < STEPS; t++) {
        above += run.regrets[t] > bound ? 1 : 0;
      }
    }
    return (double) above / (runs.size() * (STEPS - from));
  }

  private static double mean(List<Run> runs, int from) {
    double sum = 0;
    for (Run run : runs) {
      for (int t = from; t < STEPS; t++) {
        sum += run.regrets[t];
      }
    }
    return sum / (runs.size() * (STEPS - from));
  }

  /**
   * With the theorem's limit, and with the measured mean in its place, which is what the argument
   * with Δ_T needs and far below the limit.
   */
  @ParameterizedTest
  @MethodSource("io.github.avm4j.testkit.RegretTheoremTest#cases")
  void fewIteratesExceedTheirBound(RegretTheoremTest.Case c) {
    List<Run> runs = runs(c);
    RegretBound bound = RegretTheoremTest.bound(c, new Always());
    double w = bound.constants().w();
    double whole = bound.uniformAverage(STEPS, 1);
    double late = bound.suffixAverage(RegretTheoremTest.ALPHA, STEPS, w, 1);
    double largest = 0;
    for (double failure : FAILURES) {
      double factor = bound.singleIterate(STEPS, 1, 1, failure) - whole;
      double measured = share(runs, 0, mean(runs, 0), factor);
      largest = Math.max(largest, measured);
      assertTrue(measured <= failure, "Theorem 8: " + measured + " above, of " + failure);
      assertTrue(share(runs, 0, whole, factor) <= failure, "Theorem 8 for " + failure);
      double lateMeasured = share(runs, START, mean(runs, START), factor);
      assertTrue(lateMeasured <= failure, "Theorem 10: " + lateMeasured + ", of " + failure);
      assertTrue(share(runs, START, late, factor) <= failure, "Theorem 10 for " + failure);
    }
    assertTrue(largest > 0, "no iterate is above the mean: nothing was measured");
    if (c.loss().smoothness() < Double.POSITIVE_INFINITY) {
      theorem13(c, runs, bound, late);
    }
  }

  /** Δ^α_T ≤ ½(λ + μ)(M^α_T)² in each run, which makes Theorem 13 follow from Theorem 10. */
  private static void theorem13(
      RegretTheoremTest.Case c, List<Run> runs, RegretBound bound, double late) {
    for (Run run : runs) {
      double far = run.largestDistance(START);
      double w = bound.constants().w();
      double smooth = c.loss().smoothness();
      double limit =
          bound.singleSmoothIterate(RegretTheoremTest.ALPHA, STEPS, w, 1, smooth, far, 0.5);
      double factor = bound.singleIterate(STEPS, 1, 1, 0.5) - bound.uniformAverage(STEPS, 1);
      double allowed = (limit - late) / factor;
      assertTrue(run.largestRegret(START) <= allowed * (1 + 1e-9), "Theorem 13: " + allowed);
    }
  }
}
