// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.model.InvalidModelException;
import java.util.List;

/**
 * Evidence for a challenger against what predicts, and what follows from it by a {@link Rule}. The
 * mean gain and its mean square are all that is kept; 0 allocations, a few operations for each row.
 */
final class Challenge {
  /** Rules as they are written: their places in the table. */
  private static final List<Rule> CODES = List.of(Rule.values());

  /** Losses beyond this count as this, so that they can be squared and summed. */
  static final double LARGEST = 1e140;

  /** What follows from the evidence at a look; between looks it is open. */
  enum Verdict {
    OPEN,
    WON,
    LOST
  }

  private final Rule rule;
  private long seen;
  private double loss;
  private double gain;
  private double square;

  Challenge(Rule rule) {
    this.rule = rule;
  }

  Rule rule() {
    return rule;
  }

  /** Forgets all evidence. */
  void restart() {
    seen = 0;
    loss = 0;
    gain = 0;
    square = 0;
  }

  /** Takes in the losses of one row. */
  void observe(double incumbent, double challenger) {
    seen++;
    double rate = rule.window == 0 ? 1.0 / seen : Math.max(1.0 / seen, 1.0 / rule.window);
    double own = Math.min(LARGEST, incumbent);
    double difference = own - Math.min(LARGEST, challenger);
    loss += rate * (own - loss);
    gain += rate * (difference - gain);
    square += rate * (difference * difference - square);
  }

  /** What follows by its own rule. */
  Verdict verdict() {
    return verdict(rule);
  }

  /** What follows by another rule of the same window. */
  Verdict verdict(Rule by) {
    if (seen < by.first || seen % by.every != 0) {
      return Verdict.OPEN;
    }
    double errors = standardErrors();
    if (errors > by.wins && gain > by.share * loss) {
      return Verdict.WON;
    }
    if (errors < by.loses) {
      return Verdict.LOST;
    }
    return seen < by.most ? Verdict.OPEN : gain > by.tie * loss ? Verdict.WON : Verdict.LOST;
  }

  /** The mean gain divided by its standard error, which is taken as if the true mean were 0. */
  double standardErrors() {
    // An exponential mean over n has the variance of a plain one over 2n − 1.
    long count = rule.window == 0 ? seen : Math.min(seen, 2L * rule.window - 1);
    return square == 0 ? 0 : gain / Math.sqrt(square / count);
  }

  /** The mean loss of what predicts. */
  double loss() {
    return loss;
  }

  /** Rows compared. */
  long seen() {
    return seen;
  }

  /** The mean loss of what predicts less that of the challenger. */
  double gain() {
    return gain;
  }

  /** The same as a share of the mean loss of what predicts. */
  double share() {
    return loss == 0 ? 0 : gain / loss;
  }

  void write(StateWriter out) {
    out.u8(CODES.indexOf(rule));
    out.i64(seen);
    out.f64(loss);
    out.f64(gain);
    out.f64(square);
  }

  static Challenge read(StateReader in) throws InvalidModelException {
    Challenge challenge = new Challenge(CODES.get(in.code("rule", CODES.size())));
    challenge.seen = in.count("rows compared");
    challenge.loss = in.positive("mean loss");
    challenge.gain = in.f64("mean gain");
    challenge.square = in.positive("mean squared gain");
    return challenge;
  }
}
