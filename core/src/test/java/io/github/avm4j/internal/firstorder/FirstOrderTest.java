// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.firstorder;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.paper.LastIterate;
import io.github.avm4j.paper.Output;
import io.github.avm4j.paper.SuffixAverage;
import io.github.avm4j.paper.UniformAverage;
import io.github.avm4j.paper.WeightedAverage;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The scaled sums against w_{t+1} = Π((t−1)/t·w_t − η_t·α_t·Φ(c)) written out. */
class FirstOrderTest {
  private static final double LAMBDA = 0.05;

  @Test
  void nothingLearnedScoresZero() {
    FirstOrder solver = new FirstOrder(LAMBDA, new UniformAverage(), 3);
    assertEquals(0, solver.steps());
    assertEquals(3, solver.columns());
    for (int c = 0; c < 3; c++) {
      assertEquals(0, solver.score(c, new double[32], 0));
      assertEquals(0, solver.outputScore(c, new double[32], 0));
    }
    assertEquals(0, solver.outputCoefficients(0)[2].length);
  }

  @Test
  void stepsByHand() {
    FirstOrder solver = new FirstOrder(0.5, new LastIterate(), 1);
    double[] kernel = {1, 0.5, 0, 0, 0, 0, 0, 0};
    solver.reserve(0);
    solver.beginStep();
    solver.add(0, 0, -1);
    // w_2 = 1/(0.5·1)
    assertEquals(2, solver.score(0, kernel, 1));
    solver.reserve(1);
    solver.beginStep();
    solver.add(0, 1, 2);
    // w_3 = ½·w_2 − 1/(0.5·2)·2·Φ(c_1) = 1·Φ(c_0) − 2·Φ(c_1)
    assertArrayEquals(new double[] {1, -2}, solver.outputCoefficients(2)[0]);
    assertEquals(0, solver.score(0, kernel, 2));
    assertEquals(2, solver.steps());
  }

  @Test
  void equalsTheWrittenOutStepsWithProjections() {
    Output[] outputs = {
      new LastIterate(),
      new UniformAverage(),
      new WeightedAverage(),
      new SuffixAverage(0.4, 100),
      new SuffixAverage(0.4, 0)
    };
    for (Output output : outputs) {
      Naive naive = new Naive(output);
      naive.run(150);
      assertTrue(naive.projections > 20, naive.projections + " projections");
      assertTrue(naive.projections < 150);
    }
  }

  /** Coefficients decayed one by one, all iterates kept, norms from the whole Gram matrix. */
  private static final class Naive {
    final int n = 12;
    final Random random = new Random(13);
    final double[][] gram = new double[n][n];
    final double[][] iterates = new double[152][n];
    final Output output;
    int projections;

    Naive(Output output) {
      this.output = output;
      double[] points = random.doubles(n, 0, 4).toArray();
      for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
          gram[i][k] = Math.exp(-(points[i] - points[k]) * (points[i] - points[k]));
        }
      }
    }

    void run(int steps) {
      FirstOrder solver = new FirstOrder(LAMBDA, output, 1);
      solver.reserve(n - 1);
      double radius = 1.5;
      for (int t = 1; t <= steps; t++) {
        double[] w = iterates[t];
        int slot = random.nextInt(n);
        double alpha = random.nextGaussian();
        double score = dot(w, gram[slot]);
        assertEquals(score, solver.score(0, gram[slot], n), 1e-12);
        solver.beginStep();
        solver.add(0, slot, alpha);
        solver.project(alpha, score, radius);
        double[] next = iterates[t + 1];
        for (int i = 0; i < n; i++) {
          next[i] = (t - 1.0) / t * w[i];
        }
        next[slot] -= alpha / (LAMBDA * t);
        double norm = norm(next);
        if (norm > radius) {
          projections++;
          for (int i = 0; i < n; i++) {
            next[i] *= radius / norm;
          }
        }
        assertEquals(Math.min(norm, radius), Math.sqrt(solver.squaredNorm()), 1e-11);
        double[] expected = expected(t);
        assertArrayEquals(expected, solver.outputCoefficients(n)[0], 1e-11, output + " " + t);
        assertEquals(
            dot(expected, gram[3]), solver.outputScore(0, gram[3], n), 1e-11, output + " " + t);
      }
    }

    double[] expected(int t) {
      double total = 0;
      double[] mean = new double[n];
      for (int u = 1; u <= t; u++) {
        double weight = weight(u, t);
        total += weight;
        for (int i = 0; i < n; i++) {
          mean[i] += weight * iterates[u][i];
        }
      }
      if (total == 0) {
        return iterates[t + 1];
      }
      for (int i = 0; i < n; i++) {
        mean[i] /= total;
      }
      return mean;
    }

    double weight(int u, int t) {
      if (output instanceof LastIterate) {
        return 0;
      }
      if (!(output instanceof SuffixAverage suffix)) {
        return output.weight(u);
      }
      if (suffix.horizon() > 0) {
        return u > 60 ? 1 : 0;
      }
      long start = 0;
      long rung = 0;
      while (suffix.nextRung(rung) < t) {
        start = rung;
        rung = suffix.nextRung(rung);
      }
      return u > start ? 1 : 0;
    }

    double norm(double[] w) {
      double sum = 0;
      for (int i = 0; i < n; i++) {
        sum += w[i] * dot(w, gram[i]);
      }
      return Math.sqrt(Math.max(0, sum));
    }
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }

  /** So many shrinking projections that c would underflow: it is folded into A. */
  @Test
  void foldingKeepsTheIterateAndTheAverage() {
    FirstOrder solver = new FirstOrder(LAMBDA, new UniformAverage(), 1);
    solver.reserve(0);
    double[] kernel = {1};
    double radius = 1;
    double w = 0;
    double sum = 0;
    double smallest = 1;
    boolean folded = false;
    for (int t = 1; t <= 2_000; t++) {
      sum += w;
      double alpha = t % 2 == 0 ? 1e4 : -1e4;
      solver.beginStep();
      solver.add(0, 0, alpha);
      solver.project(alpha, w, radius);
      double next = (t - 1.0) / t * w - alpha / (LAMBDA * t);
      w = Math.abs(next) > radius ? Math.signum(next) * radius : next;
      folded |= solver.shrink() > smallest;
      smallest = Math.min(smallest, solver.shrink());
      assertTrue(solver.shrink() >= FirstOrder.SMALLEST_SHRINK && solver.shrink() <= 1);
      assertEquals(w, solver.score(0, kernel, 1), 1e-9);
      assertEquals(sum / t, solver.outputScore(0, kernel, 1), 1e-9, "step " + t);
    }
    assertTrue(folded);
  }

  @Test
  void aThirdClassSplitsTheMargin() {
    for (Output output : new Output[] {new LastIterate(), new UniformAverage()}) {
      FirstOrder solver = new FirstOrder(LAMBDA, output, 1);
      solver.reserve(1);
      for (int t = 0; t < 5; t++) {
        solver.beginStep();
        solver.add(0, t % 2, t - 1.7);
      }
      double[] kernel = {0.3, 0.9};
      double f = solver.score(0, kernel, 2);
      double shown = solver.outputScore(0, kernel, 2);
      assertTrue(f != 0 && shown != 0);
      solver.setColumns(Math.max(3, solver.columns() + 1));
      assertEquals(3, solver.columns());
      assertEquals(-f / 2, solver.score(0, kernel, 2), 1e-15);
      assertEquals(f / 2, solver.score(1, kernel, 2), 1e-15);
      assertEquals(0, solver.score(2, kernel, 2));
      assertEquals(-shown / 2, solver.outputScore(0, kernel, 2), 1e-14);
      assertEquals(shown / 2, solver.outputScore(1, kernel, 2), 1e-14);
      assertEquals(0, solver.outputScore(2, kernel, 2));
      solver.setColumns(Math.max(3, solver.columns() + 1));
      assertEquals(4, solver.columns());
      assertEquals(0, solver.score(3, kernel, 2));
      assertEquals(f / 2, solver.score(1, kernel, 2), 1e-15);
      solver.reserve(20);
      solver.beginStep();
      solver.add(3, 20, -1);
      assertEquals(1 / (LAMBDA * 6), solver.score(3, unit(20), 21), 1e-12);
    }
  }

  private static double[] unit(int slot) {
    double[] kernel = new double[32];
    kernel[slot] = 1;
    return kernel;
  }

  @Test
  void columnsAddedBeforeAnyPoint() {
    FirstOrder solver = new FirstOrder(LAMBDA, new UniformAverage(), 1);
    solver.setColumns(Math.max(3, solver.columns() + 1));
    solver.setColumns(Math.max(3, solver.columns() + 1));
    solver.reserve(0);
    solver.beginStep();
    solver.add(0, 0, -1);
    solver.add(3, 0, 1);
    double[][] a = {solver.sums(0), solver.sums(1), solver.sums(2), solver.sums(3)};
    assertEquals(1, a[0][0]);
    assertEquals(0, a[1][0]);
    assertEquals(0, a[2][0]);
    assertEquals(-1, a[3][0]);
  }

  @Test
  void hingeSumsAreExactIntegers() {
    FirstOrder solver = new FirstOrder(1e-7, new LastIterate(), 1);
    solver.reserve(0);
    for (int t = 0; t < 1_000; t++) {
      solver.beginStep();
      solver.add(0, 0, -1);
    }
    assertEquals(1_000, solver.sums(0)[0]);
    assertEquals(1, solver.shrink());
  }

  @Test
  void restoredScalarsCount() {
    FirstOrder solver = new FirstOrder(0.1, new LastIterate(), 1);
    solver.reserve(0);
    solver.restore(10, 0.5, 3);
    solver.sums(0)[0] = 4;
    assertEquals(10, solver.steps());
    assertEquals(0.5, solver.shrink());
    assertEquals(3, solver.squaredNorm());
    // s = c/(λt)
    assertEquals(2, solver.score(0, new double[] {1}, 1));
    solver.beginStep();
    assertEquals(3 * (10 / 11.0) * (10 / 11.0), solver.squaredNorm(), 1e-15);
  }
}
