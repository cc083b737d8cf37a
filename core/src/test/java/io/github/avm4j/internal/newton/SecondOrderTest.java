// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.newton;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.internal.linear.Cholesky;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Striking and occupying, against least squares over the same instances. */
class SecondOrderTest {
  private static final int S = 13;
  private static final int COLUMNS = 3;
  private static final double LAMBDA = 0.3;

  private final SplittableRandom random = new SplittableRandom(17);
  private final SecondOrder solver = new SecondOrder(LAMBDA, COLUMNS);
  private final double[][] cores = new double[S][];
  private final List<double[]> kernels = new ArrayList<>();
  private final List<double[]> targets = new ArrayList<>();

  SecondOrderTest() {
    while (solver.size() < S) {
      double[] x = random.doubles(2, 0, 1).toArray();
      double residual = solver.residual(kernelValues(x, solver.size()));
      if (residual > 0.01) {
        cores[solver.size()] = x;
        solver.append(residual);
      }
    }
    for (int t = 0; t < 500; t++) {
      learn();
    }
  }

  private static double kernel(double[] a, double[] b) {
    return Math.exp(-6 * (Math.pow(a[0] - b[0], 2) + Math.pow(a[1] - b[1], 2)));
  }

  private double[] kernelValues(double[] x, int size) {
    double[] k = new double[16];
    for (int i = 0; i < size; i++) {
      k[i] = kernel(x, cores[i]);
    }
    return k;
  }

  private void learn() {
    double[] x = random.doubles(2, 0, 1).toArray();
    double[] k = kernelValues(x, S);
    double[] y = {Math.sin(6 * x[0]), x[0] * x[1], random.nextDouble()};
    double s = solver.spread(k);
    double[] pull = new double[COLUMNS];
    Arrays.setAll(pull, c -> (solver.score(c, k, S) - y[c]) / (1 + s));
    solver.step(pull, 1);
    kernels.add(k);
    targets.add(y);
  }

  /**
   * What a new core point adds waits for the next product: the bits are those of adding it first.
   */
  @Test
  void appendingWaitsWithoutATrace() {
    SecondOrder waits = new SecondOrder(LAMBDA, 1);
    SecondOrder settles = new SecondOrder(LAMBDA, 1);
    List<double[]> points = new ArrayList<>();
    for (int t = 0; t < 400; t++) {
      double[] x = random.doubles(2, 0, 1).toArray();
      double[] k = new double[64];
      for (int i = 0; i < points.size(); i++) {
        k[i] = kernel(x, points.get(i));
      }
      double residual = waits.residual(k);
      assertEquals(residual, settles.residual(k));
      if (residual > 0.001 && t % 3 == 0) {
        k[points.size()] = 1;
        points.add(x);
        waits.append(residual);
        settles.settle();
        settles.append(residual);
        settles.covariance(0); // entries are complete when they are read
      }
      double s = waits.spread(k);
      assertEquals(s, settles.spread(k));
      double[] pull = {(waits.score(0, k, points.size()) - x[0] * x[1]) / (1 + s)};
      waits.step(pull, 1);
      settles.step(pull, 1);
    }
    assertTrue(points.size() > 20, "only " + points.size() + " core points");
    for (int i = 0; i < points.size(); i++) {
      assertArrayEquals(settles.covariance(i), waits.covariance(i), "row " + i);
    }
    assertArrayEquals(settles.weights(0), waits.weights(0));
  }

  /**
   * The same of what a replaced core point changes, of forgetting in between, and of the rounding,
   * which is measured where it matters and not before: near points and steep losses make it matter.
   */
  @Test
  void slidingWaitsWithoutATrace() {
    for (double near : new double[] {1, 0.1, 0.001}) {
      SecondOrder waits = new SecondOrder(solver);
      SecondOrder settles = new SecondOrder(solver);
      double[][] points = Arrays.copyOf(cores, S);
      for (int t = 0; t < 300; t++) {
        double[] x = {near * random.nextDouble(), random.nextDouble()};
        double[] k = new double[16];
        for (int i = 0; i < S; i++) {
          k[i] = kernel(x, points[i]);
        }
        double residual = waits.residual(k);
        assertEquals(residual, settles.residual(k));
        if (residual > 1e-6 && t % 4 != 3) {
          points[t % S] = x;
          k[t % S] = 1;
          waits.replace(t % S, residual);
          settles.replace(t % S, residual);
          settleAll(settles);
        }
        double s = waits.spread(k);
        assertEquals(s, settles.spread(k), "near " + near + ", row " + t);
        double[] pull = {waits.score(0, k, S) - x[0], waits.score(1, k, S), 0};
        double curvature = Math.pow(10, t % 20);
        waits.step(pull, curvature);
        settles.step(pull, curvature);
        if (t % 10 == 9) {
          waits.forget(0.9);
          settles.settle();
          settles.forget(0.9);
        }
        settleAll(settles);
      }
      settleAll(waits);
      for (int i = 0; i < S; i++) {
        assertArrayEquals(settles.covariance(i), waits.covariance(i), "row " + i);
        assertArrayEquals(settles.inverseGram(i), waits.inverseGram(i), "row " + i);
      }
      assertArrayEquals(settles.weights(0), waits.weights(0));
    }
  }

  /** What a solver does that is read from a file: nothing waits but what is pending. */
  private static void settleAll(SecondOrder some) {
    some.restored();
  }

  /** λK + Σ k·kᵀ, row and column {@code struck} left out. */
  private double[][] precision(int struck) {
    int n = struck < 0 ? S : S - 1;
    double[][] a = new double[n][n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        int r = at(i, struck);
        int c = at(j, struck);
        a[i][j] = LAMBDA * kernel(cores[r], cores[c]);
        for (double[] k : kernels) {
          a[i][j] += k[r] * k[c];
        }
      }
    }
    return a;
  }

  private static int at(int i, int struck) {
    return struck < 0 || i < struck ? i : i + 1;
  }

  /** The least-squares coefficients of one column, 0 at {@code struck}. */
  private double[] leastSquares(int column, int struck) {
    int n = struck < 0 ? S : S - 1;
    double[] b = new double[n];
    for (int i = 0; i < n; i++) {
      for (int t = 0; t < kernels.size(); t++) {
        b[i] += targets.get(t)[column] * kernels.get(t)[at(i, struck)];
      }
    }
    double[] reduced = new Cholesky(precision(struck)).solve(b);
    double[] w = new double[S];
    for (int i = 0; i < n; i++) {
      w[at(i, struck)] = reduced[i];
    }
    return w;
  }

  /** (λ/2)·wᵀKw + ½·Σ(y − f)², over all columns. */
  private double objective(double[][] w) {
    double sum = 0;
    for (int c = 0; c < COLUMNS; c++) {
      for (int i = 0; i < S; i++) {
        for (int j = 0; j < S; j++) {
          sum += LAMBDA / 2 * w[c][i] * w[c][j] * kernel(cores[i], cores[j]);
        }
      }
      for (int t = 0; t < kernels.size(); t++) {
        double f = 0;
        for (int i = 0; i < S; i++) {
          f += w[c][i] * kernels.get(t)[i];
        }
        sum += Math.pow(targets.get(t)[c] - f, 2) / 2;
      }
    }
    return sum;
  }

  private double[][] leastSquares(int struck) {
    double[][] w = new double[COLUMNS][];
    Arrays.setAll(w, c -> leastSquares(c, struck));
    return w;
  }

  private void assertEqualsLeastSquares(int struck) {
    for (int c = 0; c < COLUMNS; c++) {
      double[] online = Arrays.copyOf(solver.weights(c), S);
      assertArrayEquals(leastSquares(c, struck), online, 1e-8, "column " + c);
    }
    double[][] p = new Cholesky(precision(struck)).inverse();
    solver.settle();
    for (int i = 0; i < p.length; i++) {
      for (int j = 0; j <= i; j++) {
        double online = solver.covariance(at(i, struck))[at(j, struck)];
        assertEquals(p[i][j], online, 1e-8 * p[i][i], "P at " + i + ", " + j);
      }
    }
  }

  @Test
  void isLeastSquaresWhileNothingIsStruck() {
    assertEqualsLeastSquares(-1);
  }

  @Test
  void strikingGivesTheLeastSquaresOfTheRest() {
    for (int struck : new int[] {0, 5, 7, 8, S - 1}) {
      SecondOrderTest fresh = new SecondOrderTest();
      fresh.solver.strike(struck);
      fresh.assertEqualsLeastSquares(struck);
      for (double value : Arrays.copyOf(fresh.solver.inverseGram(struck), struck + 1)) {
        assertEquals(0, value);
      }
    }
  }

  @Test
  void costIsTheRiseOfTheObjective() {
    double before = objective(leastSquares(-1));
    solver.settle();
    for (int i = 0; i < S; i++) {
      double rise = objective(leastSquares(i)) - before;
      assertEquals(rise, Exchange.cost(solver, i), 1e-7 * (1 + rise), "core point " + i);
    }
  }

  /** With no evidence, a new point in the place is one more appended: K⁻¹ and the prior. */
  @Test
  void occupyingKeepsTheInvariants() {
    int place = 6;
    solver.strike(place);
    double[] x = {0.11, 0.93};
    double[] k = kernelValues(x, S);
    k[place] = 0;
    double residual = solver.residual(k);
    assertTrue(residual > 1e-3, "residual " + residual);
    double[] without = new double[COLUMNS];
    double[] probe = kernelValues(new double[] {0.4, 0.6}, S);
    probe[place] = 0;
    Arrays.setAll(without, c -> solver.score(c, probe, S));
    solver.occupy(place, residual, 0, new double[COLUMNS]);
    cores[place] = x;
    double[] with = new double[COLUMNS];
    double[] all = kernelValues(new double[] {0.4, 0.6}, S);
    Arrays.setAll(with, c -> solver.score(c, all, S));
    assertArrayEquals(without, with, 1e-12, "no change asked for");
    for (int i = 0; i < S; i++) {
      double[] row = new double[S];
      double[] gram = kernelValues(cores[i], S);
      for (int j = 0; j < S; j++) {
        for (int l = 0; l < S; l++) {
          row[j] += gram[l] * (l >= j ? solver.inverseGram(l)[j] : solver.inverseGram(j)[l]);
        }
      }
      double[] unit = new double[S];
      unit[i] = 1;
      assertArrayEquals(unit, row, 1e-8, "K·Q, row " + i);
    }
  }

  /** In one pass what strike and occupy do in several, an update pending or not. */
  @Test
  void replacingIsStrikingAndOccupying() {
    for (int round = 0; round < 60; round++) {
      int place = random.nextInt(S);
      double[] x = random.doubles(2, 0, 1).toArray();
      SecondOrder twin = new SecondOrder(solver);
      if (round % 3 == 0) {
        solver.settle();
      }
      double residual = solver.residual(kernelValues(x, S));
      if (residual < 1e-3) {
        continue;
      }
      solver.replace(place, residual);
      twin.strike(place);
      double[] k = kernelValues(x, S);
      k[place] = 0;
      twin.occupy(place, twin.residual(k), 0, new double[COLUMNS]);
      cores[place] = x;
      assertSame(twin, new SecondOrder(solver), "round " + round);
      learn();
    }
  }

  /** What is not learned again ends at the prior less nearly all of its mean. */
  @Test
  void forgettingKeepsTheMeanLonger() {
    for (int t = 0; t < 200; t++) {
      solver.forget(0.9);
    }
    double[] mean = new double[16];
    for (int i = 0; i < S; i++) {
      for (int j = 0; j < S; j++) {
        mean[i] += kernel(cores[i], cores[j]) / S;
      }
    }
    for (int i = 0; i < S; i++) {
      double expected = (1 - 0.99 * mean[i] * mean[i]) / LAMBDA;
      assertEquals(expected, solver.spread(kernelValues(cores[i], S)), 1e-6, "core point " + i);
      assertEquals(0, solver.weights(0)[i], 1e-3);
    }
  }

  private static void assertSame(SecondOrder expected, SecondOrder actual, String what) {
    actual.settle();
    double scale = 1;
    for (int i = 0; i < S; i++) {
      scale = Math.max(scale, expected.inverseGram(i)[i]);
    }
    for (int c = 0; c < COLUMNS; c++) {
      assertArrayEquals(expected.weights(c), actual.weights(c), 1e-8 * scale, what);
    }
    for (int i = 0; i < S; i++) {
      assertArrayEquals(expected.inverseGram(i), actual.inverseGram(i), 1e-8 * scale, what);
      assertArrayEquals(expected.covariance(i), actual.covariance(i), 1e-8 * scale, what);
    }
  }

  /** An instance that the new point spoke for: its part g changes f by change·g. */
  @Test
  void occupyingChangesTheScoresAlongWhatWasLacking() {
    int place = 3;
    solver.strike(place);
    double[] x = {0.05, 0.5};
    double[] k = kernelValues(x, S);
    k[place] = 0;
    double residual = solver.residual(k);
    double[] projection = Arrays.copyOf(solver.projection(), S);
    double[] at = {0.1, 0.45};
    double[] before = kernelValues(at, S);
    before[place] = 0;
    double g = kernel(at, x);
    for (int i = 0; i < S; i++) {
      g -= i == place ? 0 : projection[i] * before[i];
    }
    double f = solver.score(1, before, S);
    solver.occupy(place, residual, 2.5, new double[] {0, 0.7, 0});
    cores[place] = x;
    assertEquals(f + 0.7 * g, solver.score(1, kernelValues(at, S), S), 1e-12);
    // Along g alone the precision is λ·r + Σh·g², whatever else is known.
    solver.settle();
    assertEquals(1 / (LAMBDA * residual + 2.5), solver.covariance(place)[place], 1e-12);
  }
}
