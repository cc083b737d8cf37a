// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.theory;

import io.github.avm4j.approximation.Always;
import io.github.avm4j.approximation.Approximation;
import io.github.avm4j.approximation.Bernoulli;
import io.github.avm4j.approximation.Never;

/** Upper bounds of the model size (theorem "model size" and the remark on finite coverages). */
public final class ModelSizeBound {
  private ModelSizeBound() {}

  /**
   * E[S_T] ≤ this, for a policy that depends on nothing but t.
   *
   * @param policy the policy Z_t
   * @param horizon T, the number of steps
   * @param cells E[M_T], the cells discovered, or |P|, all there are
   * @return the bound
   * @throws IllegalArgumentException for a policy the theorem says nothing of
   */
  public static double expected(Approximation policy, long horizon, double cells) {
    if (horizon < 1) {
      throw new IllegalArgumentException("horizon must be >= 1, was " + horizon);
    }
    if (policy instanceof Always) {
      return cells;
    }
    if (policy instanceof Never) {
      return horizon;
    }
    if (!(policy instanceof Bernoulli bernoulli)) {
      throw new IllegalArgumentException(
          "the theorem needs Z_t independent of the data, was " + policy);
    }
    double beta = bernoulli.beta();
    double rho = bernoulli.rho();
    if (rho == 1) {
      return beta * (Math.log(horizon) + 1) + cells;
    }
    return rho < 1
        ? beta * Math.pow(horizon, 1 - rho) / (1 - rho) + cells
        : beta * zeta(rho) + cells;
  }

  /**
   * {@return (4D/δ)^d: most cells that a domain of diameter D in d dimensions can ever need}
   *
   * @param diameter D, the diameter of the domain
   * @param delta diameter δ of a cell, in (0, 1e150)
   * @param dimension number of features
   */
  public static double cells(double diameter, double delta, int dimension) {
    if (!(diameter >= 0 && delta > 0) || dimension < 1) {
      throw new IllegalArgumentException(
          "need diameter >= 0, delta > 0, dimension >= 1, were "
              + diameter
              + ", "
              + delta
              + ", "
              + dimension);
    }
    return Math.max(1, Math.pow(4 * diameter / delta, dimension));
  }

  /**
   * {@return Riemann's ζ(s) = Σ n^−s for s &gt; 1, to about 1e-12 relative (Euler–Maclaurin)}
   *
   * @param s argument, &gt; 1
   */
  public static double zeta(double s) {
    if (!(s > 1 && s < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("s must be > 1 and finite, was " + s);
    }
    int n = 20;
    double sum = 0;
    for (int k = 1; k < n; k++) {
      sum += Math.pow(k, -s);
    }
    double tail = Math.pow(n, -s);
    sum += tail * n / (s - 1) + tail / 2;
    double term = s * tail / n;
    return sum
        + term / 12
        - term * (s + 1) * (s + 2) / (720.0 * n * n)
        + term * (s + 1) * (s + 2) * (s + 3) * (s + 4) / (30240.0 * n * n * n * n);
  }
}
