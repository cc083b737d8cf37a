// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.newton;

/**
 * The step that one instance justifies when its score f is known only to variance s: the minimiser
 * u of (u − f)²/(2s) + loss(u). Unlike a Newton step at f it cannot overshoot, however confident
 * and wrong f was, so that nothing has to be tuned against that.
 */
final class Proximal {
  /** Newton steps shrink the error quadratically and bisection guards them: far fewer are used. */
  private static final int MOST_STEPS = 60;

  /** Newton steps from f before the slower way that always ends is taken. */
  private static final int MOST_JOINT_STEPS = 30;

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
   * For the cross entropy of the softmax of m scores. Newton steps from f, a handful as a rule;
   * where s is large and f confident and wrong they may circle, and {@link #byNormaliser} ends it.
   *
   * @param scores f, left as they are
   * @param label index of the true class
   * @param moved receives u
   * @param probabilities receives the softmax of u
   */
  public static void softmax(
      double[] scores, int m, int label, double s, double[] moved, double[] probabilities) {
    System.arraycopy(scores, 0, moved, 0, m);
    for (int i = 0; i < MOST_JOINT_STEPS; i++) {
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
      if (gradient <= TOLERANCE * (1 + s)) {
        return;
      }
      newton(scores, m, label, s, s * pg / (1 - s * pp), moved, probabilities);
    }
    byNormaliser(scores, m, label, s, moved);
    probabilities(moved, m, probabilities);
  }

  /**
   * The same by one unknown: with b = f + s·1_label and L = log Σ exp(u_j) the minimiser has u_j =
   * b_j − ω(log s + b_j − L), and L is where Σ ω = s. That sum falls with L and is convex, so that
   * Newton steps from below L only approach it.
   */
  private static void byNormaliser(double[] scores, int m, int label, double s, double[] moved) {
    double largest = Double.NEGATIVE_INFINITY;
    for (int j = 0; j < m; j++) {
      largest = Math.max(largest, scores[j] + (j == label ? s : 0));
    }
    double low = largest - s;
    double high = largest - s / m + Math.log(m);
    double normaliser = low;
    for (int i = 0; i < MOST_STEPS; i++) {
      double sum = 0;
      double slope = 0;
      for (int j = 0; j < m; j++) {
        double b = scores[j] + (j == label ? s : 0);
        double omega = omega(Math.log(s) + b - normaliser);
        moved[j] = b - omega;
        sum += omega;
        slope += omega / (1 + omega);
      }
      if (sum > s) {
        low = normaliser;
      } else {
        high = normaliser;
      }
      double next = normaliser + (sum - s) / slope;
      if (!(next > low && next < high)) {
        next = (low + high) / 2;
      }
      if (Math.abs(next - normaliser) <= Math.ulp(normaliser)) {
        return;
      }
      normaliser = next;
    }
  }

  /** Wright's function: the ω &gt; 0 of ω + log ω = z. */
  private static double omega(double z) {
    double t = z > 1 ? Math.log(z) : z;
    for (int i = 0; i < MOST_STEPS; i++) {
      double omega = Math.exp(t);
      double step = (omega + t - z) / (omega + 1);
      t -= step;
      if (Math.abs(step) <= 1e-15 * (1 + Math.abs(t))) {
        break;
      }
    }
    return Math.exp(t);
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
