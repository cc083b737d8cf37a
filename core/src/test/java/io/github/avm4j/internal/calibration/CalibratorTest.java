// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.calibration;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.testing.Streams;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CalibratorTest {
  private static final double[] LEVELS = {0.8, 0.9, 0.95};

  /** From so many instances on the rate is constant. */
  private static final int EARLY = 2500;

  private static final double RATE = 0.02;

  private static Calibrator ofNumbers() {
    return new Calibrator(LEVELS.clone(), new Residuals());
  }

  private static Calibrator ofLabels() {
    return new Calibrator(LEVELS.clone(), null);
  }

  /** A residual of instance t of a stream that has no distribution. */
  private static double residual(String stream, int t, Calibrator calibrator, Random random) {
    return switch (stream) {
      case "gaussian" -> Math.abs(random.nextGaussian());
      case "jumps" -> Math.abs(random.nextGaussian()) * (t / 1500 % 2 == 0 ? 1 : 1e6);
      case "growing" -> Math.exp(t / 1000.0) * random.nextDouble();
      case "blocks" -> t / 300 % 2 == 0 ? 0 : 1;
      // Always a little wider than what is allowed, in every second block.
      default -> Math.min(1e6, (t / 500 % 2 == 0 ? 1.01 : 0.5) * calibrator.halfWidth(0, 1));
    };
  }

  /** The misses of any instances in a row are as many as the thresholds moved. */
  @ParameterizedTest
  @ValueSource(strings = {"gaussian", "jumps", "growing", "blocks", "adversary"})
  void missesAreBoundedWhateverTheStream(String stream) {
    Random random = new Random(1);
    Calibrator calibrator = ofNumbers();
    for (int t = 0; t < EARLY; t++) {
      calibrator.observeNumber(0, residual(stream, t, calibrator, random));
    }
    double[] excess = new double[LEVELS.length];
    double[] start = calibrator.logs.clone();
    for (int t = EARLY; t < 20_000; t++) {
      double y = residual(stream, t, calibrator, random);
      for (int i = 0; i < LEVELS.length; i++) {
        excess[i] += (y > calibrator.halfWidth(0, i) ? 1 : 0) - (1 - LEVELS[i]);
      }
      calibrator.observeNumber(0, y);
      for (int i = 0; i < LEVELS.length; i++) {
        double moved = (calibrator.logs[i] - start[i]) / RATE;
        assertEquals(moved, excess[i], 1e-6, stream + " at " + t);
      }
    }
  }

  @Test
  void coverageIsAsAskedWhereResidualsHaveADistribution() {
    Random random = new Random(2);
    Calibrator calibrator = ofNumbers();
    int[] held = new int[LEVELS.length];
    int from = 1000;
    int n = 20_000;
    for (int t = 0; t < n; t++) {
      double prediction = random.nextGaussian();
      double y = prediction + Math.exp(prediction) * random.nextGaussian();
      for (int i = 0; t >= from && i < LEVELS.length; i++) {
        held[i] += Math.abs(y - prediction) <= calibrator.halfWidth(prediction, i) ? 1 : 0;
      }
      calibrator.observeNumber(prediction, y);
    }
    for (int i = 0; i < LEVELS.length; i++) {
      assertEquals(LEVELS[i], held[i] / (double) (n - from), 0.01);
    }
    double wide = calibrator.halfWidth(1.5, 1);
    double narrow = calibrator.halfWidth(-1.5, 1);
    assertTrue(wide > 8 * narrow, "e^1.5/e^-1.5 is 20, was " + wide / narrow);
  }

  /** Multiplied by a power of two, everything is: the unit of a target does not matter. */
  @Test
  void widthsHaveTheUnitOfTheTarget() {
    Calibrator one = ofNumbers();
    Calibrator large = ofNumbers();
    for (double[] draw : Streams.gaussian(3, 3000, 2)) {
      double y = draw[0] + draw[1];
      one.observeNumber(draw[0], y);
      large.observeNumber(0x1p40 * draw[0], 0x1p40 * y);
    }
    assertArrayEquals(one.logs, large.logs);
    assertEquals(0x1p40 * one.halfWidth(0.5, 0), large.halfWidth(0x1p39, 0));
  }

  @Test
  void oneWildResidualChangesLittle() {
    Calibrator calibrator = ofNumbers();
    Streams.gaussian(4, 3000, 1).forEach(draw -> calibrator.observeNumber(0, draw[0]));
    double before = calibrator.halfWidth(0, 2);
    calibrator.observeNumber(0, 1e100);
    assertEquals(before, calibrator.halfWidth(0, 2), 0.06 * before);
  }

  @Test
  void aNumberThatIsAlwaysRightHasNoWidth() {
    Calibrator calibrator = ofNumbers();
    for (int t = 0; t < 100; t++) {
      calibrator.observeNumber(t, t);
    }
    assertEquals(0, calibrator.halfWidth(7, 2));
  }

  @Test
  void tooFewInstancesSayNothing() {
    Calibrator numbers = ofNumbers();
    Calibrator labels = ofLabels();
    for (int t = 0; t < 19; t++) {
      assertEquals(t < 4, Double.isInfinite(numbers.halfWidth(0, 0)), "80 % after " + t);
      assertEquals(Double.POSITIVE_INFINITY, numbers.halfWidth(0, 2));
      assertEquals(0, labels.leastProbability(2));
      numbers.observeNumber(0, 1);
      labels.observeLabel(0.9, true);
    }
    assertTrue(numbers.halfWidth(0, 2) < 100);
    assertTrue(labels.leastProbability(2) > 0);
  }

  /** A class is at least as probable as 1/(1 + q): a set of one is the smallest there is. */
  @Test
  void setsGrowUntilTheyHoldTheLabelAndAreNotSmallerThanOneClass() {
    Calibrator labels = ofLabels();
    for (int t = 0; t < 5000; t++) {
      labels.observeLabel(0.99, true);
    }
    assertEquals(0.5, labels.leastProbability(0));
    for (int t = 0; t < 5000; t++) {
      labels.observeLabel(0, false);
    }
    assertEquals(0, labels.leastProbability(0), 1e-17, "all classes");
    for (int t = 0; t < 5000; t++) {
      labels.observeLabel(Double.NaN, false);
    }
    assertEquals(0, labels.leastProbability(0), "a label that was not known");
  }

  @Test
  void aCopySharesNothing() {
    Calibrator calibrator = ofNumbers();
    for (int t = 0; t < 50; t++) {
      calibrator.observeNumber(t, 2 * t);
    }
    Calibrator copy = calibrator.copy();
    double before = copy.halfWidth(3, 1);
    calibrator.observeNumber(3, 1e9);
    assertEquals(before, copy.halfWidth(3, 1));
    assertEquals(50, copy.observed());
  }

  @Test
  void otherLevelsAreRefused() {
    Throwable e = assertThrows(IllegalArgumentException.class, () -> ofNumbers().indexOf(0.99));
    assertEquals(
        "level must be one of [0.8, 0.9, 0.95], was 0.99; levels are set when the learner is built",
        e.getMessage());
    Calibrator none = new Calibrator(new double[0], null);
    assertThrows(IllegalArgumentException.class, () -> none.indexOf(0.9));
    assertThrows(IllegalStateException.class, () -> ofNumbers().leastProbability(0));
    assertThrows(IllegalStateException.class, () -> ofLabels().halfWidth(0, 2));
  }
}
