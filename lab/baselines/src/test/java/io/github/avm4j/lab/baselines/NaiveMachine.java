// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.lab.baselines;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Two-class methods as their papers print them, over plain lists: y is −1 or +1, every kernel value
 * is computed anew. Slow and readable; the specification.
 */
abstract class NaiveMachine {
  final List<double[]> points = new ArrayList<>();
  final List<Double> a = new ArrayList<>();
  final double gamma;

  NaiveMachine(double gamma) {
    this.gamma = gamma;
  }

  abstract void learn(double[] x, int y);

  double kernel(double[] p, double[] q) {
    double sum = 0;
    for (int j = 0; j < p.length; j++) {
      sum += (p[j] - q[j]) * (p[j] - q[j]);
    }
    return Math.exp(-gamma * sum);
  }

  double f(double[] x) {
    double sum = 0;
    for (int i = 0; i < points.size(); i++) {
      sum += a.get(i) * kernel(points.get(i), x);
    }
    return sum;
  }

  void add(double[] x, double coefficient) {
    points.add(x);
    a.add(coefficient);
  }

  void put(int i, double[] x, double coefficient) {
    points.set(i, x);
    a.set(i, coefficient);
  }

  void remove(int i) {
    points.remove(i);
    a.remove(i);
  }

  void scale(double factor) {
    a.replaceAll(value -> factor * value);
  }

  /** Solves Kd = k by Gaussian elimination. */
  double[] project(double[] x) {
    int n = points.size();
    double[][] m = new double[n][n + 1];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        m[i][j] = kernel(points.get(i), points.get(j));
      }
      m[i][n] = kernel(points.get(i), x);
    }
    for (int c = 0; c < n; c++) {
      int pivot = c;
      for (int i = c; i < n; i++) {
        pivot = Math.abs(m[i][c]) > Math.abs(m[pivot][c]) ? i : pivot;
      }
      double[] row = m[pivot];
      m[pivot] = m[c];
      m[c] = row;
      for (int i = 0; i < n; i++) {
        if (i != c) {
          double factor = m[i][c] / row[c];
          for (int j = c; j <= n; j++) {
            m[i][j] -= factor * row[j];
          }
        }
      }
    }
    double[] d = new double[n];
    for (int i = 0; i < n; i++) {
      d[i] = m[i][n] / m[i][i];
    }
    return d;
  }

  static NaiveMachine perceptron(double gamma) {
    return new NaiveMachine(gamma) {
      @Override
      void learn(double[] x, int y) {
        if (y * f(x) <= 0) {
          add(x, y);
        }
      }
    };
  }

  static NaiveMachine ogd(double gamma, double eta) {
    return new NaiveMachine(gamma) {
      @Override
      void learn(double[] x, int y) {
        if (y * f(x) < 1) {
          add(x, eta * y);
        }
      }
    };
  }

  static NaiveMachine rbp(double gamma, int budget, long seed) {
    Random random = new Random(seed);
    return new NaiveMachine(gamma) {
      @Override
      void learn(double[] x, int y) {
        if (y * f(x) > 0) {
          return;
        }
        if (points.size() < budget) {
          add(x, y);
        } else {
          put(random.nextInt(budget), x, y);
        }
      }
    };
  }

  /** Self-tuned Forgetron; φ by bisection of its defining inequality. */
  static NaiveMachine forgetron(double gamma, int budget) {
    return new NaiveMachine(gamma) {
      private double q;
      private double mistakes;

      @Override
      void learn(double[] x, int y) {
        if (y * f(x) > 0) {
          return;
        }
        mistakes++;
        add(x, y);
        if (points.size() <= budget) {
          return;
        }
        double sigma = Math.abs(a.get(0));
        double mu = Math.signum(a.get(0)) * f(points.get(0));
        double phi = largest(sigma, mu);
        q += psi(phi * sigma, phi * mu);
        scale(phi);
        remove(0);
      }

      private double psi(double sigma, double mu) {
        return sigma * sigma + 2 * sigma - 2 * sigma * mu;
      }

      private double largest(double sigma, double mu) {
        double most = 15.0 / 32 * mistakes;
        if (psi(sigma, mu) + q <= most) {
          return 1;
        }
        double low = 0;
        double high = 1;
        for (int i = 0; i < 100; i++) {
          double middle = (low + high) / 2;
          if (psi(middle * sigma, middle * mu) + q <= most) {
            low = middle;
          } else {
            high = middle;
          }
        }
        return low;
      }
    };
  }

  static NaiveMachine projectron(double gamma, int budget, double eta, boolean plusPlus) {
    return new NaiveMachine(gamma) {
      @Override
      void learn(double[] x, int y) {
        double margin = y * f(x);
        if (margin >= 1 || (margin > 0 && !plusPlus)) {
          return;
        }
        double[] d = project(x);
        double inSpan = 0;
        for (int i = 0; i < d.length; i++) {
          inSpan += d[i] * kernel(points.get(i), x);
        }
        double delta = Math.sqrt(Math.max(0, 1 - inSpan));
        double tau = 1;
        if (margin > 0) {
          double loss = 1 - margin;
          if (loss - delta / eta <= 0) {
            return;
          }
          tau = Math.min(Math.min(loss / inSpan, 2 * (loss - delta / eta) / inSpan), 1);
        } else if (delta > Math.max(eta, 1e-2) && points.size() < budget) {
          add(x, y);
          return;
        }
        for (int i = 0; i < d.length; i++) {
          a.set(i, a.get(i) + y * tau * d[i]);
        }
      }
    };
  }

  /** BPA-S; the support vector is chosen by the distance of the whole new function to the old. */
  static NaiveMachine bpas(double gamma, int budget, double c) {
    return new NaiveMachine(gamma) {
      @Override
      void learn(double[] x, int y) {
        double loss = 1 - y * f(x);
        if (loss <= 0) {
          return;
        }
        double tau = Math.min(c, loss);
        if (points.size() < budget) {
          add(x, y * tau);
          return;
        }
        int best = -1;
        double least = Double.POSITIVE_INFINITY;
        for (int r = 0; r < budget; r++) {
          double k = kernel(points.get(r), x);
          double b = a.get(r) * k + y * tau;
          double moved = a.get(r) * a.get(r) - 2 * a.get(r) * b * k + b * b;
          if (moved < least - 1e-15) {
            least = moved;
            best = r;
          }
        }
        put(best, x, a.get(best) * kernel(points.get(best), x) + y * tau);
      }
    };
  }

  static NaiveMachine bogd(double gamma, int budget, double eta, long seed) {
    Random random = new Random(seed);
    return new NaiveMachine(gamma) {
      @Override
      void learn(double[] x, int y) {
        if (y * f(x) >= 1) {
          return;
        }
        if (points.size() < budget) {
          add(x, eta * y);
          return;
        }
        int r = random.nextInt(budget);
        scale(budget / (budget - 1.0));
        a.replaceAll(value -> Math.max(-eta, Math.min(eta, value)));
        put(r, x, eta * y);
      }
    };
  }

  static NaiveMachine bsgdRemoving(double gamma, int budget, double lambda) {
    return new NaiveMachine(gamma) {
      private int t;

      @Override
      void learn(double[] x, int y) {
        t++;
        boolean violates = y * f(x) < 1;
        scale(1 - 1.0 / t);
        if (violates) {
          add(x, y / (lambda * t));
        }
        if (points.size() > budget) {
          double least = a.stream().mapToDouble(Math::abs).min().orElseThrow();
          int i = 0;
          while (Math.abs(a.get(i)) > least * (1 + 1e-9)) {
            i++;
          }
          remove(i);
        }
      }
    };
  }
}
