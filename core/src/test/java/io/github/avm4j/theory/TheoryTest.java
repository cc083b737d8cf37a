// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.theory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.approximation.Always;
import io.github.avm4j.approximation.Bernoulli;
import io.github.avm4j.approximation.Confidence;
import io.github.avm4j.approximation.Never;
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
    check(Constants.of(new Hinge(), 0.5, 0.25, 1), 2.5, 1, 1, 5.0625, 6.25, 14.3971808598447281504);
    check(Constants.of(new SmoothHinge(0.3), 0.1, 0.5, 1), 30, 1, 4, 25, 36, 2025);
    check(
        Constants.of(new SquaredLoss(), 0.0625, 0.1, 3),
        3.82199057904975445308e3,
        2.92152419726901546858e7,
        4.71578382823640151823e4,
        2.07966066825225306954e5,
        2.28243937286641833483e5,
        1.26472746126116936832e8);
    check(
        Constants.of(new SquaredLoss(), 5, 0.3, 2),
        6.70547334429086164247e-1,
        8.89926745541990544634,
        6.65138650458509945516,
        3.51858346092551761178e1,
        4.49633727709952723169e1,
        1.08577588994371007594);
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
    close(9.48590429922364075185e-1, BOUND.gap(1));
    close(0, BOUND.gap(0));
    close(5.23718685454820394168e-1, BOUND.uniformAverage(1_000, 0.5));
    close(8.90059276293238962153e-1, BOUND.suffixAverage(0.3, 1_000, 0.7, 0.5));
    close(2.97146551613563694054, BOUND.singleIterate(1_000, 0.5, 2, 0.05));
    close(3.33780610697405550853, BOUND.singleSuffixIterate(0.3, 1_000, 0.7, 0.5, 2, 0.05));
    close(7.08591844145405584516, BOUND.singleSmoothIterate(0.3, 1_000, 0.7, 0.5, 4, 1.5, 0.05));
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
    close(2.18131186023859082401e-1, Independence.OF_MODEL_AND_DATA.meanRate(policy, 3, 10));
    close(4.24589856104203237863e-1, Independence.OF_MODEL.meanRate(policy, 3, 10));
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
      {1.001, 1.00057728847590149273e3},
      {1.1, 1.05844484649508098264e1},
      {1.5, 2.61237534868548834335},
      {2, Math.PI * Math.PI / 6},
      {3, 1.20205690315959428540},
      {4, Math.pow(Math.PI, 4) / 90},
      {10, 1.00099457512781808534},
      {40, 1.00000000000090949478}
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
    close(5.95387763949106852603e1, ModelSizeBound.expected(new Bernoulli(5, 1), 1_000, 20));
    close(3.36227766016837933200e2, ModelSizeBound.expected(new Bernoulli(5, 0.5), 1_000, 20));
    close(1.20551960669261520082e3, ModelSizeBound.expected(new Bernoulli(5, 0.25), 1_000, 20));
    assertEquals(
        3.30618767434274417167e1, ModelSizeBound.expected(new Bernoulli(5, 1.5), 1_000, 20), 2e-11);
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
  void cellsOfADomain() {
    assertEquals(64, ModelSizeBound.cells(2, 1, 2));
    assertEquals(1, ModelSizeBound.cells(0, 1, 2));
    assertEquals(1, ModelSizeBound.cells(0.1, 1, 5));
    refuses(
        "need diameter >= 0, delta > 0, dimension >= 1, were -1.0, 1.0, 1",
        () -> ModelSizeBound.cells(-1, 1, 1));
    refuses(
        "need diameter >= 0, delta > 0, dimension >= 1, were 1.0, 0.0, 1",
        () -> ModelSizeBound.cells(1, 0, 1));
    refuses(
        "need diameter >= 0, delta > 0, dimension >= 1, were 1.0, 1.0, 0",
        () -> ModelSizeBound.cells(1, 1, 0));
    refuses(
        "the theorem needs Z_t independent of the data, was Confidence[]",
        () -> ModelSizeBound.expected(new Confidence(), 5, 5));
    refuses("horizon must be >= 1, was 0", () -> ModelSizeBound.expected(new Always(), 0, 5));
  }
}
