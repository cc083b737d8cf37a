// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.paper;

/** Upper bounds of the model size (Theorem 15) and of the number of cells (Remark 20). */
public final class ModelSizeBound {
  /** Keeps a whole number of sides whole: 0.3/0.1 is a little less than 3. */
  private static final double ROUNDING = 1 + 1e-12;

  private ModelSizeBound() {}

  /**
   * E[S_T] ≤ this, for a policy that depends on nothing but t.
   *
   * @param policy the policy Z_t
   * @param horizon T, the number of steps
   * @param cells E[M_T], the cells discovered, or |P|, all there are
   * @return the bound
   * @throws IllegalArgumentException for a policy that the theorem does not cover
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
   * Most cells that a domain can ever need, whatever the order of arrival.
   *
   * <p>Hyperspheres: 1 if D &lt; δ/2, else (4D/δ)^d as in Remark 20. Core points are δ/2 apart, so
   * balls of radius δ/4 around them are disjoint; their union has diameter D + δ/2, hence at most
   * (1 + 2D/δ)^d of them fit by the isodiametric inequality, and 1 + 2D/δ ≤ 4D/δ.
   *
   * <p>Hyperrectangles: (1 + ⌊√d·D/δ⌋)^d. Remark 20's bound does not hold for them: the points 0
   * and e_1, …, e_64 have D = √2 and need 65 boxes with δ = 8. Two core points differ by a = δ/√d
   * or more in some feature, so each box of a grid of side a holds one core point at most.
   *
   * @param coverage the shape of the cells and their δ
   * @param diameter D, the Euclidean diameter of the domain; for hyperrectangles the largest
   *     difference in one feature will do
   * @param dimension d, number of features
   * @return the bound, infinite where it is too large for a double
   */
  public static double cells(Coverage coverage, double diameter, int dimension) {
    if (!(diameter >= 0) || dimension < 1) {
      throw new IllegalArgumentException(
          "need diameter >= 0, dimension >= 1, were " + diameter + ", " + dimension);
    }
    if (coverage instanceof Hyperrectangle boxes) {
      double sides = ROUNDING * diameter / boxes.halfSide(dimension);
      return Math.pow(1 + Math.floor(sides), dimension);
    }
    return Math.max(1, Math.pow(4 * diameter / coverage.delta(), dimension));
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
