// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.learner.KernelLearner;
import io.github.avm4j.loss.Loss;
import io.github.avm4j.loss.LossKind;
import io.github.avm4j.loss.SquaredLoss;
import io.github.avm4j.paper.Always;
import io.github.avm4j.paper.Approximation;
import io.github.avm4j.paper.Bernoulli;
import io.github.avm4j.paper.Confidence;
import io.github.avm4j.paper.Constants;
import io.github.avm4j.paper.Hypersphere;
import io.github.avm4j.paper.Independence;
import io.github.avm4j.paper.LastIterate;
import io.github.avm4j.paper.Never;
import io.github.avm4j.paper.Output;
import io.github.avm4j.paper.RegretBound;
import io.github.avm4j.paper.SuffixAverage;
import io.github.avm4j.paper.UniformAverage;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The regret theorems and their lemmas, measured against w* on sixty instances in the plane. */
class RegretTheoremTest {
  private static final int INSTANCES = 60;
  private static final int STEPS = 600;
  private static final int SEEDS = 10;

  /** P is reached, to the last bit or two, by the first step of the hinge loss. */
  private static final double ROUNDING = 1 + 1e-12;

  /** Most of the regret of never learning that may be left; 0.08 was measured. */
  private static final double LEARNED = 0.1;

  static final double ALPHA = 0.5;
  private static final double DELTA = 0.2;
  static final Kernel KERNEL = new Gaussian(1.5);

  /** A loss with a λ; the squared loss projects for λ ≤ 1 only. */
  record Case(Loss loss, double lambda) {}

  static List<Case> cases() {
    List<Case> cases =
        new ArrayList<>(
            List.of(new Case(new SquaredLoss(), 0.4), new Case(new SquaredLoss(), 1.5)));
    for (LossKind kind : LossKind.values()) {
      if (kind != LossKind.L2) {
        cases.add(new Case(kind.loss(), 0.05));
      }
    }
    return cases;
  }

  static List<Instance> rows(Loss loss) {
    if (!loss.forClassification()) {
      return Streams.noisySine(2, INSTANCES, 0.1, 1);
    }
    List<Instance> rows = new ArrayList<>();
    Random noise = new Random(2);
    for (Instance row : Streams.checkerboard(2, INSTANCES, 1)) {
      double y = 2 * row.y() - 1;
      rows.add(new Instance(row.x(), noise.nextDouble() < 0.1 ? -y : y, 1));
    }
    return rows;
  }

  static AvmConfig config(Case c, Approximation policy, Output output, long seed) {
    boolean classes = c.loss.forClassification();
    return (classes ? Avm.paperClassifier() : Avm.paperRegressor())
        .kernel(KERNEL)
        .loss(c.loss)
        .lambda(c.lambda)
        .coverage(new Hypersphere(DELTA))
        .approximation(policy)
        .output(output)
        .yMax(classes ? 0 : yMax(rows(c.loss)))
        .features(2)
        .labels(classes ? new double[] {-1, 1} : new double[0])
        .seed(seed)
        .config();
  }

  private static double yMax(List<Instance> rows) {
    return rows.stream().mapToDouble(row -> Math.abs(row.y())).max().orElseThrow();
  }

  /** Without approximation δ_Φ is 0. */
  static RegretBound bound(Case c, Approximation policy) {
    double reach = policy instanceof Never ? 0 : new Hypersphere(DELTA).reach();
    double deltaPhi = KERNEL.imageDiameter(reach);
    Constants constants = Constants.of(c.loss, c.lambda, deltaPhi, yMax(rows(c.loss)));
    return new RegretBound(constants, c.lambda, deltaPhi);
  }

  private static List<Approximation> policies(Case c) {
    List<Approximation> policies =
        new ArrayList<>(List.of(new Always(), new Never(), new Bernoulli(3, 0.5)));
    if (c.loss.forClassification()) {
      policies.add(new Confidence());
    }
    return policies;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void averagesAreWithinTheirBounds(Case c) {
    List<Instance> rows = rows(c.loss);
    Optimum best = Optimum.of(c.loss, KERNEL, rows, c.lambda);
    SuffixAverage suffix = new SuffixAverage(ALPHA, STEPS);
    double ofNothing = regretOfNothing(c, rows, best);
    for (Approximation policy : policies(c)) {
      RegretBound bound = bound(c, policy);
      double uniformRegret = 0;
      double suffixRegret = 0;
      double startDistance = 0;
      for (long seed = 1; seed <= SEEDS; seed++) {
        KernelLearner uniform = new KernelLearner(config(c, policy, new UniformAverage(), seed));
        KernelLearner late = new KernelLearner(config(c, policy, suffix, seed));
        KernelLearner last = new KernelLearner(config(c, policy, new LastIterate(), seed));
        Random random = new Random(seed);
        for (int t = 1; t <= STEPS; t++) {
          Instance row = rows.get(random.nextInt(INSTANCES));
          if (t == suffix.start() + 1) {
            startDistance += KernelFunction.of(last.snapshot()).squaredDistance(best.f()) / SEEDS;
          }
          for (KernelLearner learner : List.of(uniform, late, last)) {
            learner.learn(row.x(), row.y());
          }
        }
        uniformRegret += regret(c, uniform, rows, best) / SEEDS;
        suffixRegret += regret(c, late, rows, best) / SEEDS;
      }
      Independence independence = Independence.of(policy);
      double limit = bound.uniformAverage(STEPS, independence.meanRate(policy, 0, STEPS));
      double lateLimit =
          bound.suffixAverage(
              ALPHA, STEPS, startDistance, independence.meanRate(policy, suffix.start(), STEPS));
      System.out.printf(
          "%s, %s: f(w*) %.4f, f(0) %.4f more; uniform %.4f (bound %.4f), suffix %.4f (%.4f)%n",
          c, policy, best.objective(), ofNothing, uniformRegret, limit, suffixRegret, lateLimit);
      assertTrue(uniformRegret > 0 && uniformRegret <= limit, "uniform " + uniformRegret);
      assertTrue(suffixRegret > 0 && suffixRegret <= lateLimit, "suffix " + suffixRegret);
      double most = LEARNED * ofNothing;
      assertTrue(
          uniformRegret <= most && suffixRegret <= most, "nothing learned: f(0) has " + ofNothing);
      assertTrue(startDistance <= bound.constants().w(), "start " + startDistance);
    }
  }

  /** f(0) − f(w*), the regret of a learner that never learns: below most of the bounds. */
  private static double regretOfNothing(Case c, List<Instance> rows, Optimum best) {
    double sum = 0;
    for (Instance row : rows) {
      sum += c.loss.value(0, row.y());
    }
    return sum / rows.size() - best.objective();
  }

  static double regret(Case c, KernelLearner learner, List<Instance> rows, Optimum best) {
    KernelFunction w = KernelFunction.of(learner.snapshot());
    double regret = Optimum.objective(c.loss, w, rows, c.lambda) - best.objective();
    assertTrue(regret >= -best.gap(), "below the optimum by " + -regret);
    return regret;
  }

  /** E‖w_t‖² ≤ P², E[α_t²] ≤ M, E‖h_t‖² ≤ H and E‖w_t − w*‖² ≤ W at every t. */
  @ParameterizedTest
  @MethodSource("cases")
  void lemmasHoldAtEveryStep(Case c) {
    int steps = 60;
    List<Instance> rows = rows(c.loss);
    Optimum best = Optimum.of(c.loss, KERNEL, rows, c.lambda);
    for (Approximation policy : policies(c)) {
      Constants constants = bound(c, policy).constants();
      double[] w = new double[steps];
      double[] m = new double[steps];
      double[] h = new double[steps];
      double[] far = new double[steps];
      for (long seed = 1; seed <= SEEDS; seed++) {
        PaperOracle oracle = new PaperOracle(config(c, policy, new LastIterate(), seed));
        Random random = new Random(seed);
        for (int t = 0; t < steps; t++) {
          KernelFunction before = oracle.iterate();
          Instance row = rows.get(random.nextInt(INSTANCES));
          oracle.learn(row.x(), row.y(), 1);
          double norm = before.squaredNorm();
          double alpha = oracle.lastAlpha();
          int slot = oracle.lastSlot();
          double cross = slot < 0 ? 0 : alpha * before.value(oracle.points().get(slot));
          w[t] += norm / SEEDS;
          m[t] += alpha * alpha / SEEDS;
          h[t] += (c.lambda * c.lambda * norm + 2 * c.lambda * cross + alpha * alpha) / SEEDS;
          far[t] += before.squaredDistance(best.f()) / SEEDS;
        }
      }
      for (int t = 0; t < steps; t++) {
        String where = c + ", " + policy + ", t = " + (t + 1) + ": ";
        assertTrue(w[t] <= ROUNDING * constants.p() * constants.p(), where + w[t]);
        assertTrue(m[t] <= ROUNDING * constants.m(), where + m[t]);
        assertTrue(h[t] <= ROUNDING * constants.h(), where + h[t]);
        assertTrue(far[t] <= ROUNDING * constants.w(), where + far[t]);
      }
      assertTrue(m[0] > 0 && h[0] > 0 && far[0] > 0 && w[1] > 0, "nothing moved");
    }
  }

  /** Steps 13 and 14 of Algorithm 2: ‖w_t‖ ≤ y_max/√λ always, and it is the ball that does it. */
  @Test
  void theBallHoldsAtEveryStep() {
    for (double lambda : new double[] {0.01, 0.4, 1}) {
      Case c = new Case(new SquaredLoss(), lambda);
      List<Instance> rows = rows(c.loss);
      double radius = yMax(rows) / Math.sqrt(lambda);
      KernelLearner learner =
          new KernelLearner(config(c, new Bernoulli(3, 0.5), new LastIterate(), 1));
      Random random = new Random(3);
      double largest = 0;
      for (int t = 1; t <= 400; t++) {
        Instance row = rows.get(random.nextInt(INSTANCES));
        learner.learn(row.x(), row.y());
        double norm = Math.sqrt(KernelFunction.of(learner.snapshot()).squaredNorm());
        assertTrue(norm <= radius * (1 + 1e-9), "‖w‖ = " + norm + " at " + t);
        assertEquals(norm * norm, learner.squaredNorm(), 1e-8 * radius * radius);
        largest = Math.max(largest, norm);
      }
      assertTrue(lambda > 0.1 || largest >= radius * (1 - 1e-9), "the ball was never reached");
    }
  }

  /** ‖w*‖ ≤ y_max/√λ, and ‖w_t‖ ≤ y_max/(λ−1) without a ball for λ &gt; 1 (Appendix C). */
  @Test
  void theSquaredLossIsBoundedAsInAppendixC() {
    for (double lambda : new double[] {0.001, 0.1, 1}) {
      List<Instance> rows = rows(new SquaredLoss());
      Optimum best = Optimum.of(new SquaredLoss(), KERNEL, rows, lambda);
      double norm = Math.sqrt(best.f().squaredNorm());
      assertTrue(norm > 0 && norm <= yMax(rows) / Math.sqrt(lambda), "‖w*‖ = " + norm);
    }
    for (double lambda : new double[] {1.1, 2, 5}) {
      Case c = new Case(new SquaredLoss(), lambda);
      List<Instance> rows = rows(c.loss);
      KernelLearner learner = new KernelLearner(config(c, new Always(), new LastIterate(), 1));
      for (int t = 0; t < 300; t++) {
        learner.learn(rows.get(t % INSTANCES).x(), rows.get(t % INSTANCES).y());
        double norm = Math.sqrt(KernelFunction.of(learner.snapshot()).squaredNorm());
        assertTrue(norm > 0 && norm < yMax(rows) / (lambda - 1), "‖w‖ = " + norm);
      }
    }
  }
}
