// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.loss;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.paper.Constants;
import io.github.avm4j.testing.Streams;
import org.junit.jupiter.api.Test;

/** What {@link LossTest} does not ask of every loss. */
class HuberTest {

  @Test
  void byHand() {
    Huber huber = new Huber(0.5);
    assertEquals(0.03125, huber.value(1.25, 1.5));
    assertEquals(0.125, huber.value(1, 1.5));
    assertEquals(1.125, huber.value(-1, 1.5));
    assertEquals(-0.25, huber.derivative(1.25, 1.5));
    assertEquals(-0.5, huber.derivative(1, 1.5));
    assertEquals(-0.5, huber.derivative(-1, 1.5));
    assertEquals(0.5, huber.derivative(9, 1.5));
    assertEquals(0, huber.derivative(1.5, 1.5));
    assertEquals(1, huber.curvature(1.25, 1.5));
    assertEquals(0, huber.curvature(1, 1.5), "where the parabola ends");
    assertEquals(0, huber.curvature(-1, 1.5));
  }

  /** A wide threshold is the squared loss, a narrow one κ times the absolute loss. */
  @Test
  void liesBetweenTheSquaredAndTheAbsoluteLoss() {
    for (double[] draw : Streams.gaussian(1, 1000, 2)) {
      double f = 4 * draw[0];
      double y = 4 * draw[1];
      assertEquals(new SquaredLoss().value(f, y), new Huber(1e6).value(f, y));
      assertEquals(new SquaredLoss().derivative(f, y), new Huber(1e6).derivative(f, y));
      double narrow = 1e-9;
      assertEquals(new AbsoluteLoss().value(f, y), new Huber(narrow).value(f, y) / narrow, 1e-8);
      assertEquals(
          new AbsoluteLoss().derivative(f, y), new Huber(narrow).derivative(f, y) / narrow);
    }
  }

  /** min over u of ½u² + κ·|r − u|: Huber's loss is the squared loss with outliers forgiven. */
  @Test
  void isTheEnvelopeOfTheAbsoluteLoss() {
    Huber huber = new Huber(0.7);
    for (double r = -3; r <= 3; r += 0.25) {
      double least = Double.POSITIVE_INFINITY;
      for (double u = -4; u <= 4; u += 1e-3) {
        least = Math.min(least, u * u / 2 + 0.7 * Math.abs(r - u));
      }
      assertEquals(least, huber.value(r, 0), 1e-6);
    }
  }

  @Test
  void farErrorsDoNotOverflow() {
    Huber huber = new Huber(1e200);
    assertEquals(5e-201, huber.value(1e-100, 0), 1e-210);
    assertEquals(1e200 * 1e100, new Huber(1e100).value(1e200, 0), 1e287);
    assertEquals(1e200, huber.derivative(1e300, 0));
  }

  @Test
  void theThresholdIsCheckedAndNamed() {
    for (double bad : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      String message =
          assertThrows(IllegalArgumentException.class, () -> new Huber(bad)).getMessage();
      assertEquals("threshold must be > 0 and finite, was " + bad, message);
    }
    assertTrue(new Huber(0.2).value(0.5, 1) != new Huber(0.3).value(0.5, 1));
  }

  @Test
  void constantsOfTheAnalysis() {
    Huber huber = new Huber(0.5);
    assertEquals(1, huber.smoothness());
    assertEquals(0, huber.growthA(0.1, 7));
    assertEquals(0.5, huber.growthB(7));
    assertEquals(0.25, Constants.of(huber, 1, 0.1, 3).m(), "M is the square of the threshold");
  }
}
