// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.solver;

/**
 * The step that one instance justifies when its score f is known only to variance s: the minimiser
 * u of (u − f)²/(2s) + loss(u). Unlike a Newton step at f it cannot overshoot, however confident
 * and wrong f was, so that nothing has to be tuned against that.
 */
public final class Proximal {
  /** Newton steps shrink the error quadratically and bisection guards them: far fewer are used. */
  private static final int MOST_STEPS = 60;

  private static final double TOLERANCE = 1e-10;

  private Proximal() {}

  /**
   * For the logistic loss log(1 + exp(−m)) of the margin m = y·f.
   *
   * @return how much the margin rises, in [0, s]
   */
  public static double logistic(double margin, double s) {
    double low = 0;
    double high = s;
    double rise = Math.min(s, Math.max(0, -margin));
    for (int i = 0; i < MOST_STEPS; i++) {
      double p = 1 / (1 + Math.exp(margin + rise));
      double excess = rise - s * p;
      if (excess > 0) {
        high = rise;
      } else {
        low = rise;
      }
      double next = rise - excess / (1 + s * p * (1 - p));
      if (!(next > low && next < high)) {
        next = (low + high) / 2;
      }
      if (Math.abs(next - rise) <= TOLERANCE * (1 + rise)) {
        return next;
      }
      rise = next;
    }
    return rise;
  }

  /**
   * For the cross entropy of the softmax of m scores.
   *
   * @param scores f, left as they are
   * @param label index of the true class
   * @param moved receives u
   * @param probabilities receives the softmax of u
   */
  public static void softmax(
      double[] scores, int m, int label, double s, double[] moved, double[] probabilities) {
    System.arraycopy(scores, 0, moved, 0, m);
    double before = Double.POSITIVE_INFINITY;
    for (int i = 0; i < MOST_STEPS; i++) {
      probabilities(moved, m, probabilities);
      double gradient = 0;
      double pg = 0;
      double pp = 0;
      for (int j = 0; j < m; j++) {
        double p = probabilities[j];
        double g = moved[j] - scores[j] + s * (p - (j == label ? 1 : 0));
        gradient = Math.max(gradient, Math.abs(g));
        pg += p * g / (1 + s * p);
        pp += p * p / (1 + s * p);
      }
      if (gradient <= TOLERANCE * (1 + s) || gradient >= before && i > MOST_STEPS / 2) {
        return;
      }
      before = gradient;
      newton(scores, m, label, s, s * pg / (1 - s * pp), moved, probabilities);
    }
    probabilities(moved, m, probabilities);
  }

  /** u ← u − (I + s·diag(p) − s·p·pᵀ)⁻¹·g by Sherman and Morrison, at most 4 in any score. */
  private static void newton(
      double[] scores, int m, int label, double s, double shared, double[] moved, double[] p) {
    double largest = 0;
    for (int j = 0; j < m; j++) {
      largest = Math.max(largest, Math.abs(change(scores, label, s, shared, moved, p, j)));
    }
    double damping = largest > 4 ? 4 / largest : 1;
    for (int j = 0; j < m; j++) {
      moved[j] -= damping * change(scores, label, s, shared, moved, p, j);
    }
  }

  private static double change(
      double[] scores, int label, double s, double shared, double[] moved, double[] p, int j) {
    double g = moved[j] - scores[j] + s * (p[j] - (j == label ? 1 : 0));
    return (g + shared * p[j]) / (1 + s * p[j]);
  }

  private static void probabilities(double[] scores, int m, double[] out) {
    double largest = Double.NEGATIVE_INFINITY;
    for (int j = 0; j < m; j++) {
      largest = Math.max(largest, scores[j]);
    }
    double sum = 0;
    for (int j = 0; j < m; j++) {
      out[j] = Math.exp(scores[j] - largest);
      sum += out[j];
    }
    for (int j = 0; j < m; j++) {
      out[j] /= sum;
    }
  }
}
