// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.newton;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.avm4j.testing.Streams;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A core point that is removed leaves what would be there had it never been. */
class RemoveTest {
  private static final double LAMBDA = 0.1;

  private static double kernel(double a, double b) {
    return Math.exp(-(a - b) * (a - b));
  }

  private static double[] kernels(double[] points, double x) {
    double[] k = new double[(points.length + 15) & -16];
    for (int i = 0; i < points.length; i++) {
      k[i] = kernel(points[i], x);
    }
    return k;
  }

  /** A solver of these core points that has learned the squared loss of a stream. */
  private static SecondOrder solver(double[] points, int instances) {
    SecondOrder solver = new SecondOrder(LAMBDA, 2);
    for (double point : points) {
      solver.append(solver.residual(kernels(points, point)));
    }
    Streams.uniform(3, instances, 1, 0, 10).forEach(x -> learn(solver, points, x[0]));
    return solver;
  }

  private static void learn(SecondOrder solver, double[] points, double x) {
    double[] k = kernels(points, x);
    double s = solver.spread(k);
    double[] pull = {
      (solver.score(0, k, points.length) - Math.sin(x)) / (1 + s),
      (solver.score(1, k, points.length) - Math.cos(x)) / (1 + s)
    };
    solver.step(pull, 1);
  }

  private static double[] without(double[] points, int i) {
    double[] fewer = new double[points.length - 1];
    for (int j = 0; j < fewer.length; j++) {
      fewer[j] = points[j < i ? j : j + 1];
    }
    return fewer;
  }

  @Test
  void leavesTheSolutionWithoutIt() {
    double[] points = new double[20];
    for (int i = 0; i < points.length; i++) {
      points[i] = 0.9 * i;
    }
    SecondOrder solver = solver(points, 200);
    Random random = new Random(4);
    while (points.length > 1) {
      int i = random.nextInt(points.length);
      solver.remove(i);
      points = without(points, i);
      SecondOrder never = solver(points, 200);
      assertEquals(points.length, solver.size());
      for (int round = 0; round < 2; round++) {
        for (double x = 0; x < 18; x += 0.7) {
          double[] k = kernels(points, x);
          for (int c = 0; c < 2; c++) {
            double expected = never.score(c, k, points.length);
            assertEquals(expected, solver.score(c, k, points.length), 1e-8);
          }
          assertEquals(never.spread(k), solver.spread(k), 1e-8);
          assertEquals(never.residual(k), solver.residual(k), 1e-8);
        }
        SecondOrder copy = new SecondOrder(solver);
        learn(copy, points, 5);
        learn(never, points, 5);
        solver = round == 0 ? copy : solver;
      }
      solver = solver(points, 200);
    }
  }
}
