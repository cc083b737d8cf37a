// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.model.Model;
import java.util.List;

/** The minimum of (λ/2)‖f‖² + Σ log(1 + exp(−y·f(x))) over the core points of a model. */
final class LogisticFit {
  private final double[] online;
  private final double[][] gram;
  private final double[][] values;
  private final List<Double> ys;
  private final double lambda;

  LogisticFit(Model model, List<double[]> xs, List<Double> ys, double lambda) {
    int s = model.size();
    Kernel kernel = model.config().kernel();
    this.online = new double[s];
    this.gram = new double[s][];
    this.values = new double[xs.size()][];
    this.ys = ys;
    this.lambda = lambda;
    for (int i = 0; i < s; i++) {
      online[i] = model.coefficient(0, i);
      gram[i] = kernelValues(model, kernel, model.corePoint(i).values());
    }
    for (int t = 0; t < values.length; t++) {
      values[t] = kernelValues(model, kernel, xs.get(t));
    }
  }

  private static double[] kernelValues(Model model, Kernel kernel, double[] x) {
    double[] k = new double[model.size()];
    for (int i = 0; i < k.length; i++) {
      double squared = 0;
      for (int j = 0; j < x.length; j++) {
        squared += Math.pow(x[j] - model.corePoint(i).get(j), 2);
      }
      k[i] = kernel.value(squared);
    }
    return k;
  }

  double[] online() {
    return online;
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }

  double objective(double[] w) {
    double sum = 0;
    for (int i = 0; i < w.length; i++) {
      sum += lambda / 2 * w[i] * dot(gram[i], w);
    }
    for (int t = 0; t < values.length; t++) {
      sum += Math.log1p(Math.exp(-ys.get(t) * dot(values[t], w)));
    }
    return sum;
  }

  /** By Newton steps, halved until they lower the objective. */
  double[] converged() {
    double[] w = new double[online.length];
    for (int round = 0; round < 100; round++) {
      double[] step = newton(w);
      double before = objective(w);
      double share = 1;
      double[] next = moved(w, step, share);
      while (objective(next) > before && share > 1e-12) {
        share /= 2;
        next = moved(w, step, share);
      }
      if (before - objective(next) <= 1e-12 * before) {
        return w;
      }
      w = next;
    }
    throw new AssertionError("Newton's method did not converge");
  }

  private static double[] moved(double[] w, double[] step, double share) {
    double[] next = w.clone();
    for (int i = 0; i < w.length; i++) {
      next[i] -= share * step[i];
    }
    return next;
  }

  private double[] newton(double[] w) {
    int s = w.length;
    double[] gradient = new double[s];
    double[][] hessian = new double[s][s];
    for (int i = 0; i < s; i++) {
      gradient[i] = lambda * dot(gram[i], w);
      for (int j = 0; j < s; j++) {
        hessian[i][j] = lambda * gram[i][j];
      }
    }
    for (int t = 0; t < values.length; t++) {
      double[] k = values[t];
      double p = 1 / (1 + Math.exp(ys.get(t) * dot(k, w)));
      for (int i = 0; i < s; i++) {
        gradient[i] -= ys.get(t) * p * k[i];
        for (int j = 0; j < s; j++) {
          hessian[i][j] += p * (1 - p) * k[i] * k[j];
        }
      }
    }
    return PlainAlgebra.solve(hessian, gradient);
  }
}
