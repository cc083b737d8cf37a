// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ApproximationTest {
  @Test
  void alwaysAndNever() {
    for (long t = 1; t < 5; t++) {
      assertTrue(new Always().approximate(t, -3, 0.99));
      assertFalse(new Never().approximate(t, 3, 0));
    }
    assertTrue(new Always().usesCoverage());
    assertFalse(new Never().usesCoverage());
    assertFalse(new Always().isRandom());
    assertFalse(new Never().isRandom());
  }

  @Test
  void confidenceStartsAtTheMargin() {
    Confidence confidence = new Confidence();
    assertTrue(confidence.approximate(1, 1, 0));
    assertTrue(confidence.approximate(1, 2.5, 0.9));
    assertFalse(confidence.approximate(1, Math.nextDown(1.0), 0));
    assertFalse(confidence.approximate(1, -5, 0));
    assertTrue(confidence.usesCoverage());
    assertFalse(confidence.isRandom());
  }

  @Test
  void bernoulliProbabilitiesByIndependentNumbers() {
    Bernoulli half = new Bernoulli(2, 0.5);
    assertEquals(0, half.probability(1));
    assertEquals(0, half.probability(2));
    assertEquals(0, half.probability(4), 1e-15);
    assertEquals(0.10557280900008412, half.probability(5), 1e-15);
    assertEquals(0.8, half.probability(100), 1e-15);
    Bernoulli steep = new Bernoulli(3, 1.5);
    assertEquals(0.625, steep.probability(4), 1e-15);
    assertEquals(0.7316718427000253, steep.probability(5), 1e-15);
    assertEquals(0.997, steep.probability(100), 1e-15);
    assertEquals(1, new Bernoulli(0, 1).probability(1));
    assertEquals(1, new Bernoulli(1, 2).probability(1_000_000_000_000L), 1e-23);
  }

  @Test
  void bernoulliComparesItsDraw() {
    Bernoulli policy = new Bernoulli(2, 0.5);
    assertTrue(policy.isRandom());
    assertTrue(policy.usesCoverage());
    assertTrue(policy.approximate(100, 0, 0.7999));
    assertFalse(policy.approximate(100, 0, 0.8001));
    assertFalse(policy.approximate(1, 0, 0));
  }

  @Test
  void bernoulliFrequenciesMatch() {
    SplitMix64 random = new SplitMix64(42);
    Bernoulli policy = new Bernoulli(2, 0.5);
    int n = 100_000;
    int ones = 0;
    for (int i = 0; i < n; i++) {
      ones += policy.approximate(16, 0, random.nextDouble()) ? 1 : 0;
    }
    // p = ½, standard deviation 158.
    assertEquals(n / 2.0, ones, 800);
  }

  @Test
  void everyParameterIsCheckedAndNamed() {
    for (double beta : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
      String message =
          assertThrows(IllegalArgumentException.class, () -> new Bernoulli(beta, 1)).getMessage();
      assertEquals("beta must be >= 0 and finite, was " + beta, message);
    }
    for (double rho : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      String message =
          assertThrows(IllegalArgumentException.class, () -> new Bernoulli(1, rho)).getMessage();
      assertEquals("rho must be > 0 and finite, was " + rho, message);
    }
  }

  /** The first outputs for seeds 0 and 1234567, as published with the algorithm. */
  @Test
  void splitMixByPublishedNumbers() {
    SplitMix64 zero = new SplitMix64(0);
    assertEquals(0xE220A8397B1DCDAFL, zero.nextLong());
    assertEquals(0x6E789E6AA1B965F4L, zero.nextLong());
    assertEquals(0x06C45D188009454FL, zero.nextLong());
    SplitMix64 other = new SplitMix64(1234567);
    assertEquals(6457827717110365317L, other.nextLong());
    assertEquals(3203168211198807973L, other.nextLong());
  }

  @Test
  void splitMixGoesOnFromItsState() {
    SplitMix64 random = new SplitMix64(7);
    random.nextLong();
    SplitMix64 again = new SplitMix64(random.state());
    for (int i = 0; i < 100; i++) {
      double draw = random.nextDouble();
      assertEquals(draw, again.nextDouble());
      assertTrue(draw >= 0 && draw < 1);
    }
  }
}
