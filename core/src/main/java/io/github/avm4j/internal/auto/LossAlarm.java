// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.model.InvalidModelException;

/**
 * Tells when recent losses exceed the usual ones: an exponential mean over 200 instances lies four
 * standard errors above one over 5,000.
 */
final class LossAlarm {
  private static final int RECENT = 200;
  private static final int USUAL = 5000;
  private static final double STANDARD_ERRORS = 4;

  /** Instances before the first alarm. */
  private final long patience;

  private double recent;
  private double usual;
  private double usualSquares;
  private long watched;

  /** An alarm that is silent for the first {@code patience} instances. */
  LossAlarm(long patience) {
    this.patience = patience;
  }

  /** Takes in the loss of one instance; whether recent losses are out of proportion. */
  boolean observe(double loss) {
    watched++;
    double slow = Math.max(1.0 / watched, 1.0 / USUAL);
    double fast = Math.max(1.0 / watched, 1.0 / RECENT);
    usual += slow * (loss - usual);
    usualSquares += slow * (loss * loss - usualSquares);
    recent += fast * (loss - recent);
    // An exponential mean over n has the variance of a plain one over 2n − 1.
    double variance = Math.max(0, usualSquares - usual * usual) / (2 * RECENT - 1);
    return watched > patience && recent - usual > STANDARD_ERRORS * Math.sqrt(variance);
  }

  void write(StateWriter out) {
    out.i64(watched);
    out.f64(recent);
    out.f64(usual);
    out.f64(usualSquares);
  }

  /** Goes on with what was written. */
  void restore(StateReader in) throws InvalidModelException {
    watched = in.count("rows watched");
    recent = in.f64("recent losses");
    usual = in.f64("usual losses");
    usualSquares = in.positive("squared losses");
  }
}
