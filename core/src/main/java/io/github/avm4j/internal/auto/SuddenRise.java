// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.model.InvalidModelException;

/**
 * Tells within some ten instances that losses are no longer the usual ones: an exponential mean
 * over 10 instances lies two and a half standard errors above one over 500.
 *
 * <p>The standard error is that of the recent losses, were their mean 0. So the scale of losses
 * does not matter, and no single loss raises an alarm, however large. Where one instance in a
 * hundred is a mistake, five mistakes in a row do; where every third is, ten of ten do not. {@link
 * LossAlarm} finds smaller rises, more slowly.
 */
final class SuddenRise {
  private static final int RECENT = 10;
  private static final int USUAL = 500;
  private static final double STANDARD_ERRORS = 2.5;

  /** Instances before the first alarm. */
  private static final int PATIENCE = 20;

  private double recent;
  private double recentSquares;
  private double usual;
  private long watched;

  /** Takes in the loss of one instance; whether recent losses are out of proportion. */
  boolean observe(double loss) {
    watched++;
    double slow = Math.max(1.0 / watched, 1.0 / USUAL);
    double fast = Math.max(1.0 / watched, 1.0 / RECENT);
    usual += slow * (loss - usual);
    recent += fast * (loss - recent);
    recentSquares += fast * (loss * loss - recentSquares);
    // An exponential mean over n has the variance of a plain one over 2n − 1.
    double error = Math.sqrt(recentSquares / (2 * RECENT - 1));
    return watched > PATIENCE && recent - usual > STANDARD_ERRORS * error;
  }

  void write(StateWriter out) {
    out.i64(watched);
    out.f64(recent);
    out.f64(recentSquares);
    out.f64(usual);
  }

  /** Goes on with what was written. */
  void restore(StateReader in) throws InvalidModelException {
    watched = in.count("rows watched");
    recent = in.f64("recent losses");
    recentSquares = in.positive("squared losses");
    usual = in.f64("usual losses");
  }
}
