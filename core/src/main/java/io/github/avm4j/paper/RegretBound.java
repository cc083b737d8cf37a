// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.paper;

/**
 * Upper bounds of E[f(output) − f(w*)] and of f(w_r) − f(w*), as the paper's theorems state them
 * but for Theorem 13. {@code rate} is {@link Independence#meanRate} over the iterates concerned.
 *
 * <p>The bounds of a single iterate (Theorems 8, 10 and 13) hold, but not by the paper's proof,
 * which applies Hoeffding's inequality although the range Δ_T is itself random. Markov's inequality
 * gives them: with c = √(½·log 1/failure) and X = f(w_r) − f(w*) ≤ Δ_T, X &gt; E[X] + cΔ_T implies
 * (1−c)X &gt; E[X], which has probability 1−c at most, and 1−c ≤ exp(−2c²) = failure; for c ≥ 1 it
 * is impossible. The full argument is in docs/decisions/0034-paper-proofs.md.
 *
 * @param constants of the loss, λ and δ_Φ
 * @param lambda λ
 * @param deltaPhi δ_Φ
 */
public record RegretBound(Constants constants, double lambda, double deltaPhi) {

  /**
   * {@return δ_Φ·M^½·W^½·rate: what approximation may cost, however long the run}
   *
   * @param rate mean rate of approximation, as {@link Independence#meanRate} gives it
   */
  public double gap(double rate) {
    return deltaPhi * Math.sqrt(constants.m() * constants.w()) * rate;
  }

  /**
   * {@return H(log T + 1)/(2λT) + gap: for the uniform average w̄_T}
   *
   * @param horizon T, the number of steps
   * @param rate mean rate of approximation, as {@link Independence#meanRate} gives it
   */
  public double uniformAverage(long horizon, double rate) {
    requireHorizon(horizon);
    return constants.h() * (Math.log(horizon) + 1) / (2 * lambda * horizon) + gap(rate);
  }

  /**
   * {@return λ(1−α)/(2α)·W^α_T + gap + H·log(1/(1−α))/(2λαT): for the α-suffix average}
   *
   * @param alpha share of the iterates that are in the suffix, in (0, 1): their number over T where
   *     αT is not whole
   * @param horizon T, the number of steps
   * @param startDistance W^α_T = E‖w_{(1−α)T+1} − w*‖²; {@code constants.w()} bounds it
   * @param rate mean rate of approximation, as {@link Independence#meanRate} gives it
   */
  public double suffixAverage(double alpha, long horizon, double startDistance, double rate) {
    requireHorizon(horizon);
    return lambda * (1 - alpha) / (2 * alpha) * startDistance
        + gap(rate)
        + suffixTerm(alpha, horizon);
  }

  /** H·log(1/(1−α))/(2λαT). */
  private double suffixTerm(double alpha, long horizon) {
    if (!(alpha > 0 && alpha < 1)) {
      throw new IllegalArgumentException("alpha must be in (0, 1), was " + alpha);
    }
    return constants.h() * -Math.log1p(-alpha) / (2 * lambda * alpha * horizon);
  }

  /**
   * For one iterate w_r drawn at random from 1..T, with probability at least 1 − {@code failure}.
   *
   * @param horizon T, the number of steps
   * @param rate mean rate of approximation, as {@link Independence#meanRate} gives it
   * @param largestRegret Δ_T = max_t f(w_t) − f(w*)
   * @param failure probability that the bound fails, in (0, 1)
   * @return the bound
   */
  public double singleIterate(long horizon, double rate, double largestRegret, double failure) {
    return uniformAverage(horizon, rate) + largestRegret * deviation(failure);
  }

  /**
   * The same for w_r drawn from the α-suffix, with Δ^α_T over that suffix.
   *
   * @param alpha share of the iterates in the suffix, in (0, 1)
   * @param horizon T, the number of steps
   * @param startDistance W^α_T, or a bound of it
   * @param rate mean rate of approximation, as {@link Independence#meanRate} gives it
   * @param largestRegret largest regret of the iterates drawn from
   * @param failure probability that the bound fails, in (0, 1)
   * @return the bound
   */
  public double singleSuffixIterate(
      double alpha,
      long horizon,
      double startDistance,
      double rate,
      double largestRegret,
      double failure) {
    return suffixAverage(alpha, horizon, startDistance, rate) + largestRegret * deviation(failure);
  }

  /**
   * The same for a μ-smooth loss, from distances instead of regrets: Δ^α_T ≤ ½·L·(M^α_T)² with L =
   * λ + μ. Not as printed: the paper has M^α_T without the square that its proof needs, and L = λ/2
   * + μ where f is (λ + μ)-smooth (docs/decisions/0033-paper-theory.md).
   *
   * @param alpha share of the iterates in the suffix, in (0, 1)
   * @param horizon T, the number of steps
   * @param startDistance W^α_T, or a bound of it
   * @param rate mean rate of approximation, as {@link Independence#meanRate} gives it
   * @param smoothness μ of the loss
   * @param largestDistance M^α_T = max ‖w_t − w*‖ over the suffix
   * @param failure probability that the bound fails, in (0, 1)
   * @return the bound
   */
  public double singleSmoothIterate(
      double alpha,
      long horizon,
      double startDistance,
      double rate,
      double smoothness,
      double largestDistance,
      double failure) {
    double largestRegret = (lambda + smoothness) * largestDistance * largestDistance / 2;
    return singleSuffixIterate(alpha, horizon, startDistance, rate, largestRegret, failure);
  }

  /** c = √(½·log(1/failure)), which multiplies the largest regret. */
  private static double deviation(double failure) {
    if (!(failure > 0 && failure < 1)) {
      throw new IllegalArgumentException("failure must be in (0, 1), was " + failure);
    }
    return Math.sqrt(-Math.log(failure) / 2);
  }

  private static void requireHorizon(long horizon) {
    if (horizon < 1) {
      throw new IllegalArgumentException("horizon must be >= 1, was " + horizon);
    }
  }
}
