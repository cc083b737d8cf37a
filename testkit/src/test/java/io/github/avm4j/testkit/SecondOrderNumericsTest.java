// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.internal.newton.SecondOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Rounding does not add up: a million recursive least-squares updates (ten million with {@code
 * -Dlaws=long}) against the normal equations, on instances among which are near duplicates,
 * constant features and targets nine orders of magnitude apart.
 */
class SecondOrderNumericsTest {
  private static final int S = 16;
  private static final int UPDATES =
      "long".equals(System.getProperty("laws")) ? 10_000_000 : 1_000_000;
  private static final int POOL = 2000;
  private static final double LAMBDA = 0.01;
  private static final double[] TARGET_SCALES = {1e3, 1e-6};

  private final SplittableRandom random = new SplittableRandom(11);
  private final double[][] xs = pool();
  private final double[][] targets = targets();
  private final SecondOrder solver = new SecondOrder(LAMBDA, TARGET_SCALES.length);
  private final double[][] cores = new double[S][];
  private final double[][] kernels = new double[POOL][];

  SecondOrderNumericsTest() {
    for (int t = 0; solver.size() < S; t++) {
      double residual = solver.residual(kernelValues(xs[t], solver.size()));
      if (residual > 0.02) {
        cores[solver.size()] = xs[t];
        solver.append(residual);
      }
    }
    Arrays.setAll(kernels, i -> kernelValues(xs[i], S));
  }

  /** Every second one is the one before it moved by 1e-9; the last two features are constant. */
  private double[][] pool() {
    double[][] rows = new double[POOL][];
    for (int i = 0; i < POOL; i++) {
      double[] x = {random.nextDouble(), random.nextDouble(), random.nextDouble(), 7, 0};
      if (i % 2 == 1) {
        x = rows[i - 1].clone();
        x[0] += 1e-9;
      }
      rows[i] = x;
    }
    return rows;
  }

  private double[][] targets() {
    double[][] ys = new double[POOL][TARGET_SCALES.length];
    for (int i = 0; i < POOL; i++) {
      double[] x = xs[i];
      double y = Math.sin(5 * x[0]) + x[1] * x[2] + 0.3 * random.nextDouble();
      Arrays.setAll(ys[i], c -> TARGET_SCALES[c] * y);
    }
    return ys;
  }

  private static double kernel(double[] a, double[] b) {
    double squared = 0;
    for (int j = 0; j < a.length; j++) {
      squared += (a[j] - b[j]) * (a[j] - b[j]);
    }
    return Math.exp(-2 * squared);
  }

  private double[] kernelValues(double[] x, int size) {
    double[] k = new double[S];
    for (int i = 0; i < size; i++) {
      k[i] = kernel(x, cores[i]);
    }
    return k;
  }

  private void update(int i, double[] pull) {
    double[] k = kernels[i];
    double s = solver.spread(k);
    for (int c = 0; c < pull.length; c++) {
      pull[c] = (solver.score(c, k, S) - targets[i][c]) / (1 + s);
    }
    solver.step(pull, 1);
  }

  private double[][] covariance() {
    solver.settle();
    for (int i = 0; i < S; i++) {
      for (int j = i & -8; j < i; j++) {
        assertEquals(solver.covariance(i)[j], solver.covariance(j)[i], "P at " + i + ", " + j);
      }
    }
    return PlainAlgebra.symmetric(S, solver::covariance);
  }

  @Test
  void manyUpdatesEqualTheNormalEquations() {
    long[] counts = new long[POOL];
    double[] pull = new double[TARGET_SCALES.length];
    for (int t = 0; t < UPDATES; t++) {
      int i = random.nextInt(POOL);
      counts[i]++;
      update(i, pull);
    }
    double[][] a = new double[S][S];
    double[][] b = new double[TARGET_SCALES.length][S];
    for (int i = 0; i < S; i++) {
      for (int j = 0; j < S; j++) {
        a[i][j] = LAMBDA * kernel(cores[i], cores[j]);
        for (int t = 0; t < POOL; t++) {
          a[i][j] += counts[t] * kernels[t][i] * kernels[t][j];
        }
      }
      for (int t = 0; t < POOL; t++) {
        for (int c = 0; c < b.length; c++) {
          b[c][i] += counts[t] * targets[t][c] * kernels[t][i];
        }
      }
    }
    double[][] p = covariance();
    assertTrue(PlainAlgebra.smallestPivot(p) > 0, "P is not positive definite");
    double ofP = PlainAlgebra.relativeError(p, PlainAlgebra.inverse(a));
    System.out.printf("%,d updates: relative error of P %.1e%n", UPDATES, ofP);
    assertTrue(ofP < 1e-6, "relative error of P " + ofP);
    for (int c = 0; c < b.length; c++) {
      double[][] w = {Arrays.copyOf(solver.weights(c), S)};
      double ofW = PlainAlgebra.relativeError(w, new double[][] {PlainAlgebra.solve(a, b[c])});
      System.out.printf("targets of %.0e: relative error of w %.1e%n", TARGET_SCALES[c], ofW);
      assertTrue(ofW < 1e-6, "targets of " + TARGET_SCALES[c] + ": relative error " + ofW);
    }
  }

  /**
   * Unlike that of exponentially weighted least squares, P does not blow up where nothing comes.
   */
  @Test
  void forgettingKeepsTheCovarianceBelowThePrior() {
    double[][] prior = PlainAlgebra.symmetric(S, solver::inverseGram);
    double[] pull = new double[TARGET_SCALES.length];
    for (int t = 1; t <= 1_000_000; t++) {
      // In the second half one instance comes again and again: all else is forgotten.
      update(t <= 500_000 ? random.nextInt(POOL) : 5, pull);
      if (t % 10 == 0) {
        solver.forget(Math.pow(0.998, 10));
      }
      if (t % 50_000 == 0) {
        double[][] p = covariance();
        double[][] below = new double[S][S];
        for (int i = 0; i < S; i++) {
          for (int j = 0; j < S; j++) {
            below[i][j] = prior[i][j] * (1 + 1e-9) / LAMBDA - p[i][j];
          }
        }
        assertTrue(PlainAlgebra.smallestPivot(p) > 0, "P is not positive definite at " + t);
        assertTrue(PlainAlgebra.smallestPivot(below) > 0, "P exceeds the prior at " + t);
      }
    }
    assertEquals(targets[5][0], solver.score(0, kernels[5], S), 1e-2 * TARGET_SCALES[0]);
  }

  /** P ← κP + (1−κ)·(Q − 0.99·11ᵀ/S²)/λ and w ← √κ·w, written out. */
  @Test
  void forgettingEqualsItsDefinition() {
    double[][] prior = PlainAlgebra.symmetric(S, solver::inverseGram);
    double[][] p = PlainAlgebra.symmetric(S, solver::covariance);
    double[] w = new double[S];
    double[] pull = new double[TARGET_SCALES.length];
    for (int t = 1; t <= 20_000; t++) {
      int i = random.nextInt(POOL);
      update(i, pull);
      plainUpdate(p, w, kernels[i], targets[i][0]);
      if (t % 10 == 0) {
        solver.forget(0.97);
        for (int r = 0; r < S; r++) {
          w[r] *= Math.sqrt(0.97);
          for (int c = 0; c < S; c++) {
            p[r][c] = 0.97 * p[r][c] + 0.03 * (prior[r][c] - 0.99 / (S * S)) / LAMBDA;
          }
        }
      }
    }
    assertEquals(0, PlainAlgebra.relativeError(covariance(), p), 1e-9);
    double[][] online = {Arrays.copyOf(solver.weights(0), S)};
    assertEquals(0, PlainAlgebra.relativeError(online, new double[][] {w}), 1e-9);
  }

  private static void plainUpdate(double[][] p, double[] w, double[] k, double y) {
    double[] pk = new double[S];
    double s = 0;
    double f = 0;
    for (int i = 0; i < S; i++) {
      for (int j = 0; j < S; j++) {
        pk[i] += p[i][j] * k[j];
      }
      s += pk[i] * k[i];
      f += w[i] * k[i];
    }
    for (int i = 0; i < S; i++) {
      w[i] -= (f - y) / (1 + s) * pk[i];
      for (int j = 0; j < S; j++) {
        p[i][j] -= pk[i] * pk[j] / (1 + s);
      }
    }
  }
}
