// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.loss.AbsoluteLoss;
import io.github.avm4j.loss.EpsilonInsensitive;
import io.github.avm4j.loss.Hinge;
import io.github.avm4j.loss.Logistic;
import io.github.avm4j.loss.Loss;
import io.github.avm4j.loss.SmoothHinge;
import io.github.avm4j.loss.SquaredLoss;
import java.util.List;

/**
 * w* = argmin f(w) = (λ/2)‖w‖² + (1/n)·Σ l(wᵀΦ(x_i); y_i) for a few dozen instances, certified by a
 * duality gap. Targets are numbers, or −1 and +1.
 *
 * <p>Squared loss: one linear solve. Smooth losses: Newton's method on the coefficients. Losses
 * with a kink: coordinate ascent on the dual, max D(a) = (1/n)·Σ φ_i(a_i) − (λ/2)‖w(a)‖² with w(a)
 * = Σ a_i·Φ(x_i)/(λn), exact along each coordinate.
 *
 * @param f w*
 * @param objective f(w*)
 * @param gap f(w*) is at most this above the minimum
 */
public record Optimum(KernelFunction f, double objective, double gap) {
  private static final double ENOUGH = 1e-9;
  private static final int MOST_PASSES = 200_000;

  /**
   * Solves; the gap is at most 1e-8.
   *
   * @param loss the loss
   * @param kernel the kernel
   * @param rows the rows, not changed
   * @param lambda λ &gt; 0
   * @return the optimum
   */
  public static Optimum of(Loss loss, Kernel kernel, List<Instance> rows, double lambda) {
    List<FeatureVector> points = rows.stream().map(Instance::x).toList();
    Problem problem = new Problem(loss, kernel, rows, lambda);
    double[] c;
    if (loss instanceof SquaredLoss) {
      c = problem.linear();
    } else if (!Double.isInfinite(loss.smoothness())) {
      c = problem.newton();
    } else {
      c = problem.dualAscent();
    }
    double primal = problem.primal(c);
    double gap = primal - problem.dual(c);
    if (!(gap <= 1e-8)) {
      throw new IllegalStateException("no optimum for " + loss + ": the gap is " + gap);
    }
    return new Optimum(new KernelFunction(kernel, points, c), primal, gap);
  }

  /**
   * {@return f(w) on the given instances}
   *
   * @param loss the loss
   * @param w the function
   * @param rows the rows, not changed
   * @param lambda λ &gt; 0
   */
  public static double objective(Loss loss, KernelFunction w, List<Instance> rows, double lambda) {
    double sum = 0;
    for (Instance row : rows) {
      sum += PaperLoss.value(loss, w.value(row.x()), row.y());
    }
    return lambda / 2 * w.squaredNorm() + sum / rows.size();
  }

  /** The problem in coefficients: w = Σ c_i·Φ(x_i). */
  private static final class Problem {
    final Loss loss;
    final double lambda;
    final int n;
    final double[] y;
    final double[][] gram;

    Problem(Loss loss, Kernel kernel, List<Instance> rows, double lambda) {
      this.loss = loss;
      this.lambda = lambda;
      n = rows.size();
      y = rows.stream().mapToDouble(Instance::y).toArray();
      gram = new double[n][n];
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
          gram[i][j] = PaperKernel.value(kernel, rows.get(i).x(), rows.get(j).x());
        }
      }
    }

    double score(double[] c, int i) {
      double sum = 0;
      for (int j = 0; j < n; j++) {
        sum += gram[i][j] * c[j];
      }
      return sum;
    }

    double primal(double[] c) {
      double sum = 0;
      double norm = 0;
      for (int i = 0; i < n; i++) {
        double f = score(c, i);
        norm += c[i] * f;
        sum += PaperLoss.value(loss, f, y[i]);
      }
      return lambda / 2 * norm + sum / n;
    }

    /** D at a = −l′(f), feasible by construction; at the optimum it is c·λ·n. */
    double dual(double[] c) {
      double[] a = c.clone();
      boolean kinked = Double.isInfinite(loss.smoothness());
      for (int i = 0; i < n; i++) {
        a[i] = kinked ? c[i] * lambda * n : -PaperLoss.derivative(loss, score(c, i), y[i]);
      }
      double sum = 0;
      double norm = 0;
      for (int i = 0; i < n; i++) {
        norm += a[i] * score(a, i) / (lambda * n * lambda * n);
        sum += phi(a[i], y[i]);
      }
      return sum / n - lambda / 2 * norm;
    }

    /** −l*(−a). */
    double phi(double a, double target) {
      if (loss instanceof SmoothHinge smooth) {
        return a * target - smooth.tau() * a * a / 2;
      }
      if (loss instanceof Logistic) {
        double b = a * target;
        return -(b * Math.log(b) + (1 - b) * Math.log1p(-b));
      }
      if (loss instanceof EpsilonInsensitive insensitive) {
        return a * target - insensitive.epsilon() * Math.abs(a);
      }
      boolean parabola = Double.isFinite(loss.smoothness());
      return parabola ? a * target - a * a / 2 : a * target;
    }

    /** (λn·I + K)·c = y. */
    double[] linear() {
      double[][] matrix = new double[n][];
      for (int i = 0; i < n; i++) {
        matrix[i] = gram[i].clone();
        matrix[i][i] += lambda * n;
      }
      return solve(matrix, y.clone());
    }

    /** (λ·I + D·K/n)·step = −(λc + l′(f)/n), halved until the objective falls. */
    double[] newton() {
      double[] c = new double[n];
      for (int pass = 0; pass < 100 && primal(c) - dual(c) > ENOUGH; pass++) {
        double[][] matrix = new double[n][n];
        double[] right = new double[n];
        for (int i = 0; i < n; i++) {
          double f = score(c, i);
          double second = loss.curvature(f, y[i]);
          for (int j = 0; j < n; j++) {
            matrix[i][j] = second * gram[i][j] / n + (i == j ? lambda : 0);
          }
          right[i] = -(lambda * c[i] + PaperLoss.derivative(loss, f, y[i]) / n);
        }
        double[] step = solve(matrix, right);
        double length = 1;
        while (length > 1e-10 && primal(moved(c, step, length)) >= primal(c)) {
          length /= 2;
        }
        c = moved(c, step, length);
      }
      return c;
    }

    static double[] moved(double[] c, double[] step, double length) {
      double[] result = c.clone();
      for (int i = 0; i < result.length; i++) {
        result[i] += length * step[i];
      }
      return result;
    }

    double[] dualAscent() {
      double[] c = new double[n];
      double unit = lambda * n;
      for (int pass = 0; pass < MOST_PASSES; pass++) {
        for (int i = 0; i < n; i++) {
          c[i] = best(c[i] * unit, score(c, i), y[i]) / unit;
        }
        if (pass % 100 == 99 && primal(c) - dual(c) <= ENOUGH) {
          break;
        }
      }
      return c;
    }

    /** The maximum of φ(a) − (a−old)·f − (a−old)²/(2λn) over the dual's box. */
    double best(double old, double f, double target) {
      double unit = lambda * n;
      if (loss instanceof Hinge) {
        return target * clip(old * target + unit * (1 - target * f), 0, 1);
      }
      double free = old + unit * (target - f);
      if (loss instanceof EpsilonInsensitive insensitive) {
        double shrunk = Math.max(0, Math.abs(free) - unit * insensitive.epsilon());
        return clip(Math.signum(free) * shrunk, -1, 1);
      }
      if (loss instanceof AbsoluteLoss) {
        return clip(free, -1, 1);
      }
      throw new IllegalArgumentException("no kink in " + loss);
    }

    static double clip(double value, double low, double high) {
      return Math.max(low, Math.min(high, value));
    }

    /** Gaussian elimination with pivoting; overwrites both. */
    static double[] solve(double[][] matrix, double[] right) {
      int n = right.length;
      for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++) {
          pivot = Math.abs(matrix[i][k]) > Math.abs(matrix[pivot][k]) ? i : pivot;
        }
        double[] row = matrix[pivot];
        matrix[pivot] = matrix[k];
        matrix[k] = row;
        double swap = right[pivot];
        right[pivot] = right[k];
        right[k] = swap;
        for (int i = k + 1; i < n; i++) {
          double factor = matrix[i][k] / row[k];
          right[i] -= factor * right[k];
          for (int j = k; j < n; j++) {
            matrix[i][j] -= factor * row[j];
          }
        }
      }
      for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) {
          right[k] -= matrix[k][j] * right[j];
        }
        right[k] /= matrix[k][k];
      }
      return right;
    }
  }
}
