// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.loss.AbsoluteLoss;
import io.github.avm4j.loss.Hinge;
import io.github.avm4j.loss.Logistic;
import io.github.avm4j.loss.Loss;
import io.github.avm4j.loss.SmoothHinge;
import io.github.avm4j.loss.SquaredLoss;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Expected digits were computed with 60-digit decimals from the paper's formulas. */
class TheoryTest {
  private static void close(double expected, double actual) {
    assertEquals(expected, actual, 4e-15 * Math.abs(expected));
  }

  private static void check(Constants constants, double... expected) {
    close(expected[0], constants.p());
    close(expected[1], constants.m());
    close(expected[2], constants.l());
    close(expected[3], constants.g());
    close(expected[4], constants.h());
    close(expected[5], constants.w());
  }

  @Test
  void constantsByIndependentNumbers() {
    check(Constants.of(new Hinge(), 0.5, 0.25, 1), 2.5, 1, 1, 5.0625, 6.25, 14.397180859844728);
    check(Constants.of(new SmoothHinge(0.3), 0.1, 0.5, 1), 30, 1, 4, 25, 36, 2025);
    check(
        Constants.of(new SquaredLoss(), 0.0625, 0.1, 3),
        3821.9905790497546,
        29215241.972690154,
        47157.83828236401,
        207966.0668252253,
        228243.93728664183,
        126472746.12611693);
    check(
        Constants.of(new SquaredLoss(), 5, 0.3, 2),
        0.6705473344290862,
        8.899267455419906,
        6.6513865045850995,
        35.185834609255174,
        44.96337277099527,
        1.08577588994371);
    check(Constants.of(new AbsoluteLoss(), 0.01, 0, 10), 100, 100, 1, 4, 4, 20_000);
  }

  /** M = max(y_max, 1)². */
  @Test
  void smallTargetsDoNotShrinkM() {
    assertEquals(1, Constants.of(new AbsoluteLoss(), 1, 0.1, 0.2).m());
    assertEquals(9, Constants.of(new AbsoluteLoss(), 1, 0.1, 3).m());
  }

  @Test
  void pAndWSolveTheirEquations() {
    Loss[] losses = {new Hinge(), new Logistic(), new SmoothHinge(0.5), new SquaredLoss()};
    for (Loss loss : losses) {
      for (double lambda : new double[] {1e-3, 0.3, 1, 4}) {
        for (double deltaPhi : new double[] {0, 0.2, 1.4}) {
          double yMax = 2;
          Constants c = Constants.of(loss, lambda, deltaPhi, yMax);
          double u = Math.sqrt(c.p());
          double reach = deltaPhi + 1;
          // u² − (δ_Φ+1)Au/λ − (δ_Φ+1)B/λ = 0
          double linear = reach * loss.growthA(lambda, yMax) * u / lambda;
          double constant = reach * loss.growthB(yMax) / lambda;
          assertEquals(0, (c.p() - linear - constant) / c.p(), 1e-13);
          // 2W − 2W^½M^½δ_Φ/λ − H/λ² = 0
          double root = 2 * Math.sqrt(c.w() * c.m()) * deltaPhi / lambda;
          assertEquals(0, (2 * c.w() - root - c.h() / (lambda * lambda)) / c.w(), 1e-12);
        }
      }
    }
  }

  @Test
  void constantsCheckTheirArguments() {
    Hinge hinge = new Hinge();
    refuses("lambda must be > 0 and finite, was 0.0", () -> Constants.of(hinge, 0, 1, 1));
    refuses("lambda must be > 0 and finite, was NaN", () -> Constants.of(hinge, Double.NaN, 1, 1));
    refuses(
        "lambda must be > 0 and finite, was Infinity",
        () -> Constants.of(hinge, Double.POSITIVE_INFINITY, 1, 1));
    refuses("deltaPhi must be >= 0 and finite, was -1.0", () -> Constants.of(hinge, 1, -1, 1));
    refuses("yMax must be >= 0 and finite, was -2.0", () -> Constants.of(hinge, 1, 1, -2));
    refuses(
        "yMax must be >= 0 and finite, was Infinity",
        () -> Constants.of(hinge, 1, 1, Double.POSITIVE_INFINITY));
    assertEquals(0, Constants.of(new SquaredLoss(), 1, 1, 0).p());
  }

  private static void refuses(String message, Executable action) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, action).getMessage());
  }

  private static final RegretBound BOUND =
      new RegretBound(Constants.of(new Hinge(), 0.5, 0.25, 1), 0.5, 0.25);

  @Test
  void regretBoundsByIndependentNumbers() {
    close(0.9485904299223641, BOUND.gap(1));
    close(0, BOUND.gap(0));
    close(0.5237186854548204, BOUND.uniformAverage(1_000, 0.5));
    close(0.890059276293239, BOUND.suffixAverage(0.3, 1_000, 0.7, 0.5));
    close(2.971465516135637, BOUND.singleIterate(1_000, 0.5, 2, 0.05));
    close(3.3378061069740554, BOUND.singleSuffixIterate(0.3, 1_000, 0.7, 0.5, 2, 0.05));
    close(7.085918441454056, BOUND.singleSmoothIterate(0.3, 1_000, 0.7, 0.5, 4, 1.5, 0.05));
  }

  @Test
  void regretBoundsShrinkWithTime() {
    double gap = BOUND.gap(1);
    double previous = Double.POSITIVE_INFINITY;
    for (long t = 1; t < 1_000_000_000_000L; t *= 10) {
      double bound = BOUND.uniformAverage(t, 1);
      assertTrue(bound < previous && bound > gap);
      previous = bound;
    }
    assertEquals(gap, previous, 1e-8);
    assertEquals(6.25, BOUND.uniformAverage(1, 0));
  }

  @Test
  void regretBoundsCheckTheirArguments() {
    refuses("horizon must be >= 1, was 0", () -> BOUND.uniformAverage(0, 1));
    refuses("horizon must be >= 1, was -3", () -> BOUND.suffixAverage(0.5, -3, 1, 1));
    refuses("alpha must be in (0, 1), was 1.0", () -> BOUND.suffixAverage(1, 5, 1, 1));
    refuses("alpha must be in (0, 1), was 0.0", () -> BOUND.suffixAverage(0, 5, 1, 1));
    refuses("alpha must be in (0, 1), was NaN", () -> BOUND.suffixAverage(Double.NaN, 5, 1, 1));
    refuses("failure must be in (0, 1), was 0.0", () -> BOUND.singleIterate(5, 1, 1, 0));
    refuses("failure must be in (0, 1), was 1.0", () -> BOUND.singleIterate(5, 1, 1, 1));
  }

  @Test
  void independenceOfPolicies() {
    assertEquals(Independence.OF_MODEL_AND_DATA, Independence.of(new Always()));
    assertEquals(Independence.OF_MODEL_AND_DATA, Independence.of(new Never()));
    assertEquals(Independence.OF_MODEL_AND_DATA, Independence.of(new Bernoulli(1, 1)));
    assertEquals(Independence.NONE, Independence.of(new Confidence()));
  }

  @Test
  void meanRatesByIndependentNumbers() {
    Bernoulli policy = new Bernoulli(2, 0.5);
    close(0.21813118602385909, Independence.OF_MODEL_AND_DATA.meanRate(policy, 3, 10));
    close(0.42458985610420324, Independence.OF_MODEL.meanRate(policy, 3, 10));
    assertEquals(1, Independence.NONE.meanRate(policy, 3, 10));
    assertEquals(1, Independence.NONE.meanRate(new Confidence(), 0, 1));
    assertEquals(1, Independence.OF_MODEL.meanRate(new Always(), 0, 1));
    assertEquals(0, Independence.OF_MODEL.meanRate(new Never(), 0, 1));
    assertEquals(0, Independence.OF_MODEL_AND_DATA.meanRate(policy, 0, 1));
  }

  @Test
  void meanRatesCheckTheirArguments() {
    Always always = new Always();
    refuses(
        "need 0 <= from < to, were -1 and 3", () -> Independence.OF_MODEL.meanRate(always, -1, 3));
    refuses(
        "need 0 <= from < to, were 3 and 3", () -> Independence.OF_MODEL.meanRate(always, 3, 3));
    refuses(
        "Confidence[] has no known P(Z_t = 1)",
        () -> Independence.OF_MODEL.meanRate(new Confidence(), 0, 3));
  }

  @Test
  void zetaByIndependentNumbers() {
    double[][] known = {
      {1.001, 1000.5772884759015},
      {1.1, 10.58444846495081},
      {1.5, 2.612375348685488},
      {2, Math.PI * Math.PI / 6},
      {3, 1.2020569031595942},
      {4, Math.pow(Math.PI, 4) / 90},
      {10, 1.000994575127818},
      {40, 1.0000000000009095}
    };
    for (double[] pair : known) {
      assertEquals(pair[1], ModelSizeBound.zeta(pair[0]), 1e-12 * pair[1], "zeta " + pair[0]);
    }
    refuses("s must be > 1 and finite, was 1.0", () -> ModelSizeBound.zeta(1));
    refuses("s must be > 1 and finite, was NaN", () -> ModelSizeBound.zeta(Double.NaN));
    refuses(
        "s must be > 1 and finite, was Infinity",
        () -> ModelSizeBound.zeta(Double.POSITIVE_INFINITY));
  }

  @Test
  void modelSizesByIndependentNumbers() {
    assertEquals(20, ModelSizeBound.expected(new Always(), 1_000, 20));
    assertEquals(1_000, ModelSizeBound.expected(new Never(), 1_000, 20));
    close(59.538776394910684, ModelSizeBound.expected(new Bernoulli(5, 1), 1_000, 20));
    close(336.22776601683796, ModelSizeBound.expected(new Bernoulli(5, 0.5), 1_000, 20));
    close(1205.5196066926153, ModelSizeBound.expected(new Bernoulli(5, 0.25), 1_000, 20));
    assertEquals(
        33.06187674342744, ModelSizeBound.expected(new Bernoulli(5, 1.5), 1_000, 20), 2e-11);
    assertEquals(25, ModelSizeBound.expected(new Bernoulli(5, 1), 1, 20));
  }

  /** The theorem's bound is at least Σ q_t + cells. */
  @Test
  void modelSizesBoundTheSumsTheyComeFrom() {
    for (double rho : new double[] {0.3, 0.5, 1, 1.5, 3}) {
      Bernoulli policy = new Bernoulli(3, rho);
      double sum = 0;
      for (int t = 1; t <= 5_000; t++) {
        sum += 1 - policy.probability(t);
        assertTrue(sum + 7 <= ModelSizeBound.expected(policy, t, 7) + 1e-9, rho + " at " + t);
      }
    }
  }

  @Test
  void spheresOfADomain() {
    assertEquals(64, ModelSizeBound.cells(new Hypersphere(1), 2, 2));
    assertEquals(256, ModelSizeBound.cells(new Hypersphere(0.5), 2, 2));
    assertEquals(1, ModelSizeBound.cells(new Hypersphere(1), 0, 2));
    assertEquals(1, ModelSizeBound.cells(new Hypersphere(1), 0.1, 5));
    refuses(
        "need diameter >= 0, dimension >= 1, were -1.0, 1",
        () -> ModelSizeBound.cells(new Hypersphere(1), -1, 1));
    refuses(
        "need diameter >= 0, dimension >= 1, were 1.0, 0",
        () -> ModelSizeBound.cells(new Hypersphere(1), 1, 0));
    refuses(
        "the theorem needs Z_t independent of the data, was Confidence[]",
        () -> ModelSizeBound.expected(new Confidence(), 5, 5));
    refuses("horizon must be >= 1, was 0", () -> ModelSizeBound.expected(new Always(), 0, 5));
  }

  /** A grid of side δ/√d: a whole number of sides counts one more point than sides. */
  @Test
  void boxesOfADomain() {
    assertEquals(1, ModelSizeBound.cells(new Hyperrectangle(1), 0, 3));
    assertEquals(4, ModelSizeBound.cells(new Hyperrectangle(0.1), 0.3, 1));
    assertEquals(9, ModelSizeBound.cells(new Hyperrectangle(Math.sqrt(2)), 2.5, 2));
    assertEquals(Math.pow(2, 64), ModelSizeBound.cells(new Hyperrectangle(8), Math.sqrt(2), 64));
  }

  /** The step that proves Theorems 8 and 10: 1 − c ≤ δ for c = √(½·log 1/δ). */
  @Test
  void theFactorOfSingleIteratesIsAtLeastTheProbability() {
    double average = BOUND.uniformAverage(1_000, 0.5);
    for (double failure = 0.001; failure < 1; failure += 0.001) {
      double factor = BOUND.singleIterate(1_000, 0.5, 1, failure) - average;
      assertTrue(1 - factor <= failure, factor + " for " + failure);
      assertTrue(factor >= 1 == failure <= Math.exp(-2), factor + " for " + failure);
    }
  }
}
