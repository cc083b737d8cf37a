// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.paper;

/**
 * w̄^α_T: the average of the last α share of the iterates, those after ⌈(1−α)T⌉.
 *
 * <p>With the {@code horizon} T given it is exactly the paper's. Until the window opens the output
 * is the last iterate; past the horizon the window stays open.
 *
 * <p>With horizon 0, T is not known: the window's start moves along the ladder b_0 = 0, b_1 = 1,
 * b_{k+1} = max(b_k + 1, ⌈b_k/(1−α)⌉), always one rung behind the last one passed. For large T the
 * share of iterates averaged is then at least α and at most 1 − (1−α)², and a step costs amortised
 * O(1) more.
 *
 * @param alpha share of the iterates in the suffix, in (0, 1)
 * @param horizon T, the number of steps; 0 if it is unknown
 */
public record SuffixAverage(double alpha, long horizon) implements Output {
  /**
   * Checks 0 &lt; α &lt; 1 and horizon ≥ 0.
   *
   * @param alpha share of the iterates in the suffix, in (0, 1)
   * @param horizon T, the number of steps; 0 if it is unknown
   */
  public SuffixAverage {
    if (!(alpha > 0 && alpha < 1)) {
      throw new IllegalArgumentException("alpha must be in (0, 1), was " + alpha);
    }
    if (horizon < 0) {
      throw new IllegalArgumentException("horizon must be >= 0, was " + horizon);
    }
  }

  /** {@return whether T is unknown} */
  public boolean isStreaming() {
    return horizon == 0;
  }

  /** {@return ⌈(1−α)T⌉: the last iterate that is left out} */
  public long start() {
    return ceiling((1 - alpha) * horizon);
  }

  /**
   * {@return the rung after {@code rung}}
   *
   * @param rung number of an iterate, ≥ 1
   */
  public long nextRung(long rung) {
    return Math.max(rung + 1, ceiling(rung / (1 - alpha)));
  }

  /** ⌈value⌉, where a value that rounding pushed off a whole number counts as that number. */
  private static long ceiling(double value) {
    double whole = Math.rint(value);
    boolean rounding = Math.abs(value - whole) <= 1e-12 * Math.max(1, Math.abs(value));
    return (long) (rounding ? whole : Math.ceil(value));
  }

  @Override
  public double weight(long t) {
    return t > start() ? 1 : 0;
  }
}
