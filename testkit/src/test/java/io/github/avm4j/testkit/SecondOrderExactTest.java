// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.loss.SquaredLoss;
import io.github.avm4j.model.Model;
import io.github.avm4j.solver.SecondOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * For the squared loss and a core set that no longer changes, the online result is the regularised
 * least-squares solution over all instances, each as its projection onto the core points of its
 * time.
 */
class SecondOrderExactTest {
  private static final int D = 3;
  private static final double GAMMA = 0.8;
  private static final double LAMBDA = 0.05;

  private static SecondOrderConfig config(int budget) {
    return new SecondOrderConfig(
            Task.REGRESSION,
            new Gaussian(GAMMA),
            new SquaredLoss(),
            LAMBDA,
            0,
            1e-3,
            budget,
            0,
            List.of())
        .withReplacing(false);
  }

  private static double kernel(double[] a, double[] b) {
    double sum = 0;
    for (int j = 0; j < D; j++) {
      sum += (a[j] - b[j]) * (a[j] - b[j]);
    }
    return Math.exp(-GAMMA * sum);
  }

  @Test
  void equalsTheExactSolutionOnceTheCoreSetIsFull() {
    SplittableRandom random = new SplittableRandom(5);
    Learner learner = Avm.learner(config(12));
    List<double[]> xs = new ArrayList<>();
    List<Double> ys = new ArrayList<>();
    for (int t = 1; t <= 20_000; t++) {
      double[] x = random.doubles(D, -1, 1).toArray();
      double y = Math.sin(3 * x[0]) + x[1] * x[2] + 0.1 * random.nextDouble();
      learner.learn(x, y);
      xs.add(x);
      ys.add(y);
    }
    assertEquals(12, learner.size());
    Model model = learner.snapshot();
    double[] exact = leastSquares(model, xs, ys);
    double scale = 0;
    for (double w : exact) {
      scale = Math.max(scale, Math.abs(w));
    }
    for (int i = 0; i < exact.length; i++) {
      assertEquals(exact[i], model.coefficient(0, i), 1e-6 * scale, "coefficient " + i);
    }
  }

  /** (λK + Σ p·pᵀ)⁻¹ Σ y·p, p being x's kernel values on the core points it met, extended by 0. */
  private static double[] leastSquares(Model model, List<double[]> xs, List<Double> ys) {
    int s = model.size();
    double[][] cores = new double[s][];
    for (int i = 0; i < s; i++) {
      cores[i] = model.corePoint(i).values();
    }
    double[][] a = new double[s][s];
    double[] b = new double[s];
    for (int i = 0; i < s; i++) {
      for (int j = 0; j < s; j++) {
        a[i][j] = LAMBDA * kernel(cores[i], cores[j]);
      }
    }
    int known = 0;
    for (int t = 0; t < xs.size(); t++) {
      while (known < s && isAmong(cores[known], xs, t)) {
        known++;
      }
      double[] p = projected(cores, known, xs.get(t));
      for (int i = 0; i < s; i++) {
        b[i] += ys.get(t) * p[i];
        for (int j = 0; j < s; j++) {
          a[i][j] += p[i] * p[j];
        }
      }
    }
    return solve(a, b);
  }

  private static boolean isAmong(double[] core, List<double[]> xs, int last) {
    for (int t = 0; t <= last; t++) {
      if (java.util.Arrays.equals(core, xs.get(t))) {
        return true;
      }
    }
    return false;
  }

  /** The values at all cores of the projection of x onto the first {@code known}: K·K_kk⁻¹·k. */
  private static double[] projected(double[][] cores, int known, double[] x) {
    double[][] gram = new double[known][known];
    double[] k = new double[known];
    for (int i = 0; i < known; i++) {
      k[i] = kernel(cores[i], x);
      for (int j = 0; j < known; j++) {
        gram[i][j] = kernel(cores[i], cores[j]);
      }
    }
    double[] on = solve(gram, k);
    double[] values = new double[cores.length];
    for (int i = 0; i < cores.length; i++) {
      for (int j = 0; j < known; j++) {
        values[i] += kernel(cores[i], cores[j]) * on[j];
      }
    }
    return values;
  }

  private static double[] solve(double[][] a, double[] b) {
    int n = b.length;
    double[][] m = new double[n][];
    for (int i = 0; i < n; i++) {
      m[i] = java.util.Arrays.copyOf(a[i], n + 1);
      m[i][n] = b[i];
    }
    for (int c = 0; c < n; c++) {
      int pivot = c;
      for (int r = c + 1; r < n; r++) {
        pivot = Math.abs(m[r][c]) > Math.abs(m[pivot][c]) ? r : pivot;
      }
      double[] swap = m[c];
      m[c] = m[pivot];
      m[pivot] = swap;
      for (int r = 0; r < n; r++) {
        double factor = r == c ? 0 : m[r][c] / m[c][c];
        for (int j = c; j <= n && factor != 0; j++) {
          m[r][j] -= factor * m[c][j];
        }
      }
    }
    double[] x = new double[n];
    for (int i = 0; i < n; i++) {
      x[i] = m[i][n] / m[i][i];
    }
    return x;
  }

  /** ‖Pφ(x) − φ(x)‖ ≤ ‖φ(c) − φ(x)‖ for every core point c: the paper's gap only shrinks. */
  @Test
  void projectionIsNeverFartherThanTheNearestCorePoint() {
    SplittableRandom random = new SplittableRandom(8);
    SecondOrder solver = new SecondOrder(LAMBDA, 1);
    List<double[]> cores = new ArrayList<>();
    for (int t = 0; t < 2000; t++) {
      double[] x = random.doubles(D, -1, 1).toArray();
      double[] k = new double[64];
      double nearest = 2;
      for (int i = 0; i < cores.size(); i++) {
        k[i] = kernel(cores.get(i), x);
        nearest = Math.min(nearest, 2 - 2 * k[i]);
      }
      double residual = solver.residual(k);
      assertTrue(residual <= nearest + 1e-9, "step " + t + ": " + residual + " > " + nearest);
      assertTrue(residual > -1e-9, "step " + t + ": " + residual);
      if (cores.size() < 40 && residual > 1e-3) {
        solver.append(residual);
        cores.add(x);
        k[cores.size() - 1] = 1;
      }
      double s = solver.spread(k);
      solver.step(new double[] {(random.nextDouble() - 0.5) / (1 + s)}, 1);
    }
    assertEquals(40, cores.size());
  }
}
