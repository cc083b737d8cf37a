// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.loss;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class LossTest {
  static Stream<Loss> losses() {
    return Stream.concat(
        Stream.of(new SmoothHinge(1), new EpsilonInsensitive(0)),
        Arrays.stream(LossKind.values())
            .flatMap(
                kind -> Stream.of(kind.loss(), kind.loss(kind.defaultValue() / 2)).distinct()));
  }

  private static double[] targets(Loss loss) {
    return loss.forClassification() ? new double[] {-1, 1} : new double[] {-2, 0, 0.7, 3};
  }

  /** Scores where a loss, or its derivative, may break: the target, and its parameter away. */
  private static DoubleStream breaks(Loss loss, double target) {
    double away = LossKind.of(loss).parameterOf(loss);
    return DoubleStream.of(target, target - away, target + away, target * (1 - away));
  }

  private interface Check {
    void at(double score, double target);
  }

  /** Scores from −6 to 6, none within 0.001 of a break. */
  private static void everywhere(Loss loss, Check check) {
    for (double target : targets(loss)) {
      for (double score = -6.0037; score < 6; score += 0.0171) {
        double here = score;
        if (breaks(loss, target).allMatch(b -> Math.abs(b - here) > 1e-3)) {
          check.at(score, target);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("losses")
  void derivativeIsTheSlope(Loss loss) {
    double h = 1e-5;
    everywhere(
        loss,
        (f, y) ->
            assertEquals(
                (loss.value(f + h, y) - loss.value(f - h, y)) / (2 * h),
                loss.derivative(f, y),
                1e-8));
  }

  @ParameterizedTest
  @MethodSource("losses")
  void curvatureIsTheSlopeOfTheDerivative(Loss loss) {
    double h = 1e-5;
    everywhere(
        loss,
        (f, y) ->
            assertEquals(
                (loss.derivative(f + h, y) - loss.derivative(f - h, y)) / (2 * h),
                loss.curvature(f, y),
                1e-8));
  }

  @ParameterizedTest
  @MethodSource("losses")
  void derivativeIsASubgradientEverywhereAndAtBreaks(Loss loss) {
    Random random = new Random(1);
    for (double target : targets(loss)) {
      double[] froms =
          DoubleStream.concat(breaks(loss, target), random.doubles(200, -6, 6)).toArray();
      for (double from : froms) {
        for (double to : froms) {
          double line = loss.value(from, target) + loss.derivative(from, target) * (to - from);
          assertTrue(
              loss.value(to, target) >= line - 1e-12, () -> loss + " from " + from + " to " + to);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("losses")
  void valuesAreNeverNegativeAndContinuous(Loss loss) {
    for (double target : targets(loss)) {
      breaks(loss, target)
          .forEach(
              b -> {
                assertEquals(loss.value(b - 1e-12, target), loss.value(b, target), 1e-11);
                assertEquals(loss.value(b + 1e-12, target), loss.value(b, target), 1e-11);
              });
    }
    everywhere(loss, (f, y) -> assertTrue(loss.value(f, y) >= 0));
  }

  @ParameterizedTest
  @MethodSource("losses")
  void smoothnessBoundsTheChangeOfTheDerivative(Loss loss) {
    Random random = new Random(2);
    double steepest = 0;
    for (double target : targets(loss)) {
      double[] scores =
          DoubleStream.concat(breaks(loss, target), random.doubles(150, -3, 3)).toArray();
      for (double a : scores) {
        for (double b : scores) {
          double change = Math.abs(loss.derivative(a, target) - loss.derivative(b, target));
          double limit = loss.smoothness() * Math.abs(a - b);
          // Infinity times zero is no bound, and none is needed.
          assertTrue(a == b || change <= limit + 1e-12, () -> loss + " " + a + " " + b);
          steepest = a == b ? steepest : Math.max(steepest, change / Math.abs(a - b));
        }
      }
    }
    if (Double.isFinite(loss.smoothness()) && !(loss instanceof Logistic)) {
      assertEquals(loss.smoothness(), steepest, 1e-6);
    }
  }

  @Test
  void smoothnessAsThePaperStatesIt() {
    assertEquals(1, new SquaredLoss().smoothness());
    assertEquals(1, new Logistic().smoothness());
    assertEquals(4, new SmoothHinge(0.25).smoothness());
    assertEquals(Double.POSITIVE_INFINITY, new Hinge().smoothness());
    assertEquals(Double.POSITIVE_INFINITY, new AbsoluteLoss().smoothness());
    assertEquals(Double.POSITIVE_INFINITY, new EpsilonInsensitive(0.1).smoothness());
  }

  /** |α| ≤ A‖w‖^½ + B for |f| ≤ ‖w‖, within the norms that the algorithm allows. */
  @ParameterizedTest
  @MethodSource("losses")
  void growthCondition(Loss loss) {
    double yMax = loss.forClassification() ? 1 : 3;
    for (double lambda : new double[] {1e-3, 0.5, 1, 1.5, 20}) {
      double largest = lambda <= 1 ? yMax / Math.sqrt(lambda) : yMax / (lambda - 1);
      for (double share = 0; share <= 1; share += 0.05) {
        double norm = share * largest;
        double limit = loss.growthA(lambda, yMax) * Math.sqrt(norm) + loss.growthB(yMax);
        for (double target : targets(loss)) {
          assertTrue(Math.abs(loss.derivative(norm, target)) <= limit + 1e-12);
          assertTrue(Math.abs(loss.derivative(-norm, target)) <= limit + 1e-12);
        }
      }
    }
  }

  @Test
  void growthConstantsAsThePaperStatesThem() {
    Loss[] plain = {new Hinge(), new Logistic(), new AbsoluteLoss(), new EpsilonInsensitive(0.3)};
    for (Loss loss : plain) {
      assertEquals(0, loss.growthA(0.1, 7));
      assertEquals(1, loss.growthB(7));
    }
    assertEquals(0, new SmoothHinge(0.5).growthA(0.1, 7));
    assertEquals(2, new SmoothHinge(0.5).growthB(7));
    SquaredLoss squared = new SquaredLoss();
    assertEquals(7, squared.growthB(7));
    // √9·(1/16)^−¼ = 3·2, √9·1, √(9/4)
    assertEquals(6, squared.growthA(0.0625, 9), 1e-14);
    assertEquals(3, squared.growthA(1, 9), 1e-15);
    assertEquals(1.5, squared.growthA(5, 9), 1e-15);
  }

  @Test
  void tasks() {
    assertTrue(new Hinge().forClassification());
    assertTrue(new SmoothHinge(1).forClassification());
    assertTrue(new Logistic().forClassification());
    assertFalse(new AbsoluteLoss().forClassification());
    assertFalse(new SquaredLoss().forClassification());
    assertFalse(new EpsilonInsensitive(1).forClassification());
  }

  @Test
  void hingeByHand() {
    Hinge hinge = new Hinge();
    assertEquals(0.75, hinge.value(0.25, 1));
    assertEquals(1.25, hinge.value(0.25, -1));
    assertEquals(0, hinge.value(2, 1));
    assertEquals(-1, hinge.derivative(0.25, 1));
    assertEquals(1, hinge.derivative(0.25, -1));
    assertEquals(0, hinge.derivative(1, 1));
    assertEquals(0, hinge.derivative(-1, -1));
    assertEquals(-1, hinge.derivative(Math.nextDown(1.0), 1));
  }

  @Test
  void smoothHingeByHand() {
    SmoothHinge smooth = new SmoothHinge(0.5);
    assertEquals(1.75, smooth.value(-1, 1));
    assertEquals(0.0625, smooth.value(0.75, 1));
    assertEquals(0.25, smooth.value(0.5, 1));
    assertEquals(0, smooth.value(1, 1));
    assertEquals(0, smooth.value(1.5, 1));
    assertEquals(-1, smooth.derivative(0.2, 1));
    assertEquals(-1, smooth.derivative(0.5, 1));
    assertEquals(-0.5, smooth.derivative(0.75, 1));
    assertEquals(0.5, smooth.derivative(-0.75, -1));
    assertEquals(0, smooth.derivative(1, 1));
    assertEquals(0, smooth.derivative(1.5, 1));
    assertEquals(2, smooth.curvature(0.75, 1));
    assertEquals(0, smooth.curvature(0.5, 1));
    assertEquals(0, smooth.curvature(1, 1));
  }

  @Test
  void logisticByIndependentNumbers() {
    Logistic logistic = new Logistic();
    assertEquals(Math.log(2), logistic.value(0, 1), 1e-16);
    assertEquals(0.1269280110429725, logistic.value(2, 1), 1e-16);
    assertEquals(3.048587351573742, logistic.value(3, -1), 1e-15);
    assertEquals(-0.11920292202211756, logistic.derivative(2, 1), 1e-16);
    assertEquals(0.11920292202211756, logistic.derivative(-2, -1), 1e-16);
    assertEquals(0.10499358540350652, logistic.curvature(2, 1), 1e-16);
    assertEquals(0.10499358540350652, logistic.curvature(2, -1), 1e-16);
    assertEquals(0.6224593312018546, Logistic.probability(0.5), 1e-15);
    assertEquals(0.04742587317756678, Logistic.probability(-3), 1e-16);
    assertEquals(0.5, Logistic.probability(0));
  }

  @Test
  void logisticIsSafeAtExtremes() {
    Logistic logistic = new Logistic();
    assertEquals(1e300, logistic.value(-1e300, 1));
    assertEquals(0, logistic.value(1e300, 1));
    assertEquals(800, logistic.value(800, -1));
    assertEquals(Math.exp(-700), logistic.value(700, 1), 1e-318);
    assertEquals(-1, logistic.derivative(-1e300, 1));
    assertEquals(0, logistic.derivative(1e300, 1), Double.MIN_VALUE);
    assertEquals(0, logistic.curvature(1e300, 1));
    assertEquals(1, Logistic.probability(1e300));
    assertEquals(0, Logistic.probability(-1e300));
    assertEquals(Math.exp(-700), Logistic.probability(-700), 1e-318);
  }

  @Test
  void regressionLossesByHand() {
    assertEquals(2.5, new AbsoluteLoss().value(-1, 1.5));
    assertEquals(-1, new AbsoluteLoss().derivative(-1, 1.5));
    assertEquals(1, new AbsoluteLoss().derivative(2, 1.5));
    assertEquals(0, new AbsoluteLoss().derivative(1.5, 1.5));
    assertEquals(3.125, new SquaredLoss().value(-1, 1.5));
    assertEquals(-2.5, new SquaredLoss().derivative(-1, 1.5));
    assertEquals(1, new SquaredLoss().curvature(9, 1.5));
    EpsilonInsensitive tube = new EpsilonInsensitive(0.5);
    assertEquals(2, tube.value(-1, 1.5));
    assertEquals(0, tube.value(1.25, 1.5));
    assertEquals(-1, tube.derivative(-1, 1.5));
    assertEquals(1, tube.derivative(2.5, 1.5));
    assertEquals(0, tube.derivative(1, 1.5));
    assertEquals(0, tube.derivative(2, 1.5));
    assertEquals(0, tube.curvature(2.5, 1.5));
  }

  @Test
  void everyParameterIsCheckedAndNamed() {
    for (double tau : new double[] {0, -1, 1.0000001, Double.NaN, Double.POSITIVE_INFINITY}) {
      String message =
          assertThrows(IllegalArgumentException.class, () -> new SmoothHinge(tau)).getMessage();
      assertEquals("tau must be in (0, 1], was " + tau, message);
    }
    for (double epsilon : new double[] {-0.1, Double.NaN, Double.POSITIVE_INFINITY}) {
      String message =
          assertThrows(IllegalArgumentException.class, () -> new EpsilonInsensitive(epsilon))
              .getMessage();
      assertEquals("epsilon must be >= 0 and finite, was " + epsilon, message);
    }
    assertEquals(1, new SmoothHinge(1).tau());
    assertEquals(0, new EpsilonInsensitive(0).epsilon());
  }

  @ParameterizedTest
  @EnumSource
  void parametersChangeTheLoss(LossKind kind) {
    double two = kind.loss(0.2).value(0.5, 1);
    assertEquals(!kind.hasParameter(), two == kind.loss(0.3).value(0.5, 1));
  }

  @Test
  void everyLossHasARow() {
    Set<Class<?>> types = new HashSet<>();
    for (LossKind kind : LossKind.values()) {
      types.add(kind.loss().getClass());
      assertEquals(kind, LossKind.of(kind.loss()));
      assertEquals(kind, LossKind.ofCode(kind.code()));
      assertEquals(kind.defaultValue(), kind.parameterOf(kind.loss()));
    }
    assertEquals(Set.of(Loss.class.getPermittedSubclasses()), types);
    assertNull(LossKind.ofCode(LossKind.values().length));
  }
}
