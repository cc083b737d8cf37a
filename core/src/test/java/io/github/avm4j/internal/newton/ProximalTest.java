// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.newton;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Every result is where the derivative of its objective is zero, however extreme the input. */
class ProximalTest {
  private static final double[] SPREADS = {0, 1e-12, 1e-6, 1e-3, 0.1, 1, 10, 100, 1e4, 1e6};

  private final SplittableRandom random = new SplittableRandom(9);

  private static void assertLogistic(double margin, double s) {
    double rise = Proximal.logistic(margin, s);
    String where = "margin " + margin + ", s " + s + ", rise " + rise;
    assertTrue(rise >= 0 && rise <= s, where);
    // u − f = s·σ(−u): what the rise is against what the loss at its end justifies.
    double justified = s / (1 + Math.exp(margin + rise));
    double slope = 1 + justified * (1 - justified / Math.max(s, Double.MIN_NORMAL));
    assertEquals(0, (rise - justified) / slope, 1e-8 * (1 + rise), where);
  }

  @Test
  void logisticEndsWhereTheDerivativeIsZero() {
    for (double s : SPREADS) {
      for (double margin : new double[] {-1e6, -800, -50, -1, 0, 1, 50, 800, 1e6}) {
        assertLogistic(margin, s);
      }
      for (int i = 0; i < 500; i++) {
        assertLogistic(random.nextDouble(-60, 60), s * random.nextDouble(0.1, 1));
      }
    }
  }

  /** s·σ(0) = rise needs margin = −rise: both halves of the definition by hand. */
  @Test
  void logisticByHand() {
    assertEquals(2, Proximal.logistic(-2, 4), 1e-9);
    assertEquals(0, Proximal.logistic(3, 0));
    double two = Math.log(3);
    assertEquals(1, Proximal.logistic(two - 1, 4), 1e-9);
  }

  private static void assertSoftmax(double[] f, int label, double s) {
    int m = f.length;
    double[] before = f.clone();
    double[] moved = new double[m];
    double[] p = new double[m];
    Proximal.softmax(f, m, label, s, moved, p);
    String where =
        "s %s, label %d of %d, f %s to %s"
            .formatted(s, label, m, Arrays.toString(f), Arrays.toString(moved));
    assertArrayEquals(before, f, where);
    double[] expected = softmax(moved);
    assertArrayEquals(expected, p, 1e-9, where);
    double scale = Arrays.stream(f).map(Math::abs).max().orElse(0);
    double sum = 0;
    for (int j = 0; j < m; j++) {
      double gradient = moved[j] - f[j] + s * (expected[j] - (j == label ? 1 : 0));
      assertEquals(0, gradient, 1e-8 * (1 + s) + 1e-13 * scale, where);
      double change = moved[j] - f[j];
      double tolerance = 1e-8 * (1 + s) + 1e-13 * scale;
      assertTrue(j == label ? change >= -tolerance : change <= tolerance, "wrong way: " + where);
      assertTrue(Math.abs(change) <= s + tolerance, "too far: " + where);
      sum += change;
    }
    assertEquals(0, sum, m * (1e-8 * (1 + s) + 1e-13 * scale), where);
  }

  private static double[] softmax(double[] u) {
    double largest = Arrays.stream(u).max().orElseThrow();
    double[] e = Arrays.stream(u).map(v -> Math.exp(v - largest)).toArray();
    double sum = Arrays.stream(e).sum();
    return Arrays.stream(e).map(v -> v / sum).toArray();
  }

  @Test
  void softmaxEndsWhereTheGradientIsZero() {
    for (double s : SPREADS) {
      for (int i = 0; i < 300; i++) {
        int m = 2 + random.nextInt(49);
        double range = Math.pow(10, random.nextDouble(-2, 2));
        double[] f = random.doubles(m, -range, range).toArray();
        assertSoftmax(f, random.nextInt(m), s);
      }
    }
  }

  /** Confident and wrong: the label's score is far below another's. */
  @Test
  void softmaxFromExtremeScores() {
    for (double s : SPREADS) {
      for (int m : new int[] {2, 3, 10, 50}) {
        for (double wrong : new double[] {-1e5, -1e3, -300, -30, 30, 300, 1e3, 1e5}) {
          double[] one = new double[m];
          one[1] = wrong;
          assertSoftmax(one, 1, s);
          assertSoftmax(one, 0, s);
          double[] all = new double[m];
          Arrays.setAll(all, j -> wrong * j / m);
          assertSoftmax(all, 0, s);
          assertSoftmax(all, m - 1, s);
        }
      }
    }
  }

  /** Two columns −f/2, f/2 of variance s each are one margin f of variance 2s. */
  @Test
  void softmaxOfTwoIsLogistic() {
    for (int i = 0; i < 200; i++) {
      double f = random.nextDouble(-10, 10);
      double s = random.nextDouble(0, 30);
      double[] moved = new double[2];
      Proximal.softmax(new double[] {-f / 2, f / 2}, 2, 1, s, moved, new double[2]);
      assertEquals(f + Proximal.logistic(f, 2 * s), moved[1] - moved[0], 1e-6 * (1 + s));
    }
  }
}
