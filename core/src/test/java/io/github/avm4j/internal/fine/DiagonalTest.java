// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.fine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.internal.secondorder.SecondOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DiagonalTest {
  private static final int S = 37;
  private static final double PRIOR = 0.4;

  private final SplittableRandom random = new SplittableRandom(5);

  private double[] kernel() {
    double[] k = new double[S];
    Arrays.setAll(k, i -> Math.pow(random.nextDouble(), 4));
    return k;
  }

  /** The formulas, one coefficient at a time. */
  @Test
  void equalsItsFormulas() {
    Diagonal solver = new Diagonal(S, 2, PRIOR);
    double[][] w = new double[2][S];
    double[] v = new double[S];
    Arrays.fill(v, PRIOR);
    for (int t = 0; t < 300; t++) {
      double[] k = kernel();
      double[] pull = {random.nextDouble() - 0.5, t % 3 == 0 ? 0 : random.nextDouble()};
      double h = 0.01 + random.nextDouble();
      double s = 0;
      double f = 0;
      for (int i = 0; i < S; i++) {
        s += v[i] * k[i] * k[i];
        f += w[0][i] * k[i];
      }
      assertEquals(f, solver.score(0, k), 1e-12);
      assertEquals(s, solver.spread(k), 1e-12);
      solver.step(pull, h);
      for (int i = 0; i < S; i++) {
        w[0][i] -= pull[0] * v[i] * k[i];
        w[1][i] -= pull[1] * v[i] * k[i];
        v[i] -= v[i] * k[i] * v[i] * k[i] / (1 / h + s);
      }
      assertEquals(f - pull[0] * s, solver.score(0, k), 1e-12, "falls by s·pull");
      if (t % 50 == 49) {
        solver.forget(0.9);
        for (int i = 0; i < S; i++) {
          w[0][i] *= Math.sqrt(0.9);
          w[1][i] *= Math.sqrt(0.9);
          v[i] = 0.9 * v[i] + 0.1 * PRIOR;
        }
      }
    }
    assertArrayEquals(w[0], solver.weights(0), 1e-12);
    assertArrayEquals(w[1], solver.weights(1), 1e-12);
    assertArrayEquals(v, solver.variances(), 1e-12);
    for (double variance : v) {
      assertTrue(variance > 0 && variance <= PRIOR, "" + variance);
    }
  }

  /** With core points that do not see each other K = I, and λ = 1/prior. */
  @Test
  void isSecondOrderWhereCorePointsAreFarApart() {
    int n = 16;
    Diagonal diagonal = new Diagonal(n, 1, PRIOR);
    SecondOrder full = new SecondOrder(1 / PRIOR, 1);
    for (int i = 0; i < n; i++) {
      assertEquals(1, full.residual(new double[n]));
      full.append(1);
    }
    for (int t = 0; t < 500; t++) {
      double[] k = new double[n];
      k[random.nextInt(n)] = random.nextDouble();
      double y = random.nextDouble();
      double s = full.spread(k);
      assertEquals(s, diagonal.spread(k), 1e-12);
      double f = full.score(0, k, n);
      assertEquals(f, diagonal.score(0, k), 1e-12);
      double[] pull = {(f - y) / (1 + s)};
      full.step(pull, 1);
      diagonal.step(pull, 1);
    }
    assertArrayEquals(Arrays.copyOf(full.weights(0), n), diagonal.weights(0), 1e-12);
  }

  @Test
  void aColumnOfMarginsIsSplitForAThirdClass() {
    Diagonal solver = new Diagonal(S, 1, PRIOR);
    double[] k = kernel();
    solver.spread(k);
    solver.step(new double[] {-1}, 1);
    double f = solver.score(0, k);
    solver.setColumns(3);
    assertEquals(-f / 2, solver.score(0, k), 1e-12);
    assertEquals(f / 2, solver.score(1, k), 1e-12);
    assertEquals(0, solver.score(2, k));
    solver.setColumns(4);
    assertEquals(f / 2, solver.score(1, k), 1e-12);
    assertEquals(4, solver.columns());
  }
}
