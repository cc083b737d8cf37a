// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.paper;

/**
 * Algorithm 3: open balls of diameter δ around core points. An instance belongs to its nearest core
 * point c if ‖x − c‖ &lt; δ/2. O(S) beside the shared distance pass.
 *
 * @param delta diameter δ of a cell, in (0, 1e150)
 */
public record Hypersphere(double delta) implements Coverage {

  /**
   * Checks 0 &lt; δ &lt; 1e150.
   *
   * @param delta diameter δ of a cell, in (0, 1e150)
   */
  public Hypersphere {
    Deltas.check(delta);
  }

  @Override
  public double reach() {
    return delta / 2;
  }
}
