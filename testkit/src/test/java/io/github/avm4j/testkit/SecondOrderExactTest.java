// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.internal.newton.SecondOrder;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.loss.Logistic;
import io.github.avm4j.loss.SquaredLoss;
import io.github.avm4j.model.Model;
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

  /** The largest gap measured was 1.14 %, without noise. */
  private static final double GAP = 0.03;

  private static SecondOrderConfig config(int budget) {
    return SecondOrderConfig.builder(Task.REGRESSION)
        .kernel(new Gaussian(GAMMA))
        .loss(new SquaredLoss())
        .lambda(LAMBDA)
        .skip(0)
        .novelty(1e-3)
        .budget(budget)
        .replacing(false)
        .build();
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
    return PlainAlgebra.solve(a, b);
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
    double[] on = PlainAlgebra.solve(gram, k);
    double[] values = new double[cores.length];
    for (int i = 0; i < cores.length; i++) {
      for (int j = 0; j < known; j++) {
        values[i] += kernel(cores[i], cores[j]) * on[j];
      }
    }
    return values;
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

  /**
   * For the logistic loss each instance is a parabola, fitted where the score was when it came. How
   * far that is from the minimum over the same core points and instances: measured, with a margin.
   */
  @Test
  void logisticIsNearTheConvergedSolution() {
    for (double noise : new double[] {0, 0.1, 0.3}) {
      SplittableRandom random = new SplittableRandom(12);
      SecondOrderConfig config =
          SecondOrderConfig.builder(Task.CLASSIFICATION)
              .kernel(new Gaussian(GAMMA))
              .loss(new Logistic())
              .lambda(LAMBDA)
              .skip(0)
              .novelty(1e-3)
              .budget(15)
              .labels(-1, 1)
              .replacing(false)
              .build();
      Learner learner = Avm.learner(config);
      List<double[]> xs = new ArrayList<>();
      List<Double> ys = new ArrayList<>();
      for (int t = 0; t < 5000; t++) {
        double[] x = random.doubles(D, -1, 1).toArray();
        boolean turned = random.nextDouble() < noise;
        double y = Math.sin(3 * x[0]) + x[1] * x[2] > 0 != turned ? 1 : -1;
        learner.learn(x, y);
        xs.add(x);
        ys.add(y);
      }
      LogisticFit fit = new LogisticFit(learner.snapshot(), xs, ys, LAMBDA);
      double online = fit.objective(fit.online());
      double converged = fit.objective(fit.converged());
      double gap = online / converged - 1;
      System.out.printf(
          "logistic, noise %.1f: objective %.2f online, %.2f converged, gap %.2f %%%n",
          noise, online, converged, 100 * gap);
      assertTrue(gap >= -1e-9, "the converged solution is not the minimum: " + gap);
      assertTrue(gap < GAP, "noise " + noise + ": gap " + gap);
    }
  }
}
