// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.internal.newton.ExpansionEngine;

/**
 * Winsorises targets: one that is farther from its prediction than ten times what 99 of 100 recent
 * residuals stay below is taken as that far. A squared loss would otherwise spend a whole model on
 * one wrong reading.
 *
 * <p>What repeats is no outlier: every target that is cut raises the limit by 4.5, so that a change
 * of scale by 1000 is followed within five instances, and events that are rarer than one residual
 * in a hundred but come again are learned.
 */
final class OutlierGuard {
  private static final double FACTOR = 10;

  /** Instances before targets are cut. */
  static final int FIRST = 50;

  /** Share of the residuals that exceed {@link #reach}. */
  private static final double BEYOND = 0.01;

  private static final double RATE = 0.1;
  private static final double RISE = 1.5;

  /** About the 99 % quantile of recent residuals; 0 until there was a residual above 0. */
  double reach;

  /** Whether the reach is one of another expert, so that targets are cut from the first row on. */
  boolean warned;

  /**
   * The target to learn from.
   *
   * @param instances learned from before this one
   */
  double cut(double prediction, double y, long instances) {
    double miss = y - prediction;
    double size = Math.abs(miss);
    if (reach == 0) {
      reach = size;
      return y;
    }
    double limit = FACTOR * reach;
    boolean outlier = size > limit;
    double change = outlier ? RISE : RATE * ((size > reach ? 1 : 0) - BEYOND);
    reach = Math.max(Double.MIN_NORMAL, reach * Math.exp(change));
    return outlier && (warned || instances >= FIRST)
        ? ExpansionEngine.bounded(prediction + Math.copySign(limit, miss))
        : y;
  }
}
