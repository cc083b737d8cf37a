// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import org.jspecify.annotations.Nullable;

/**
 * Finds out whether forgetting faster or slower would pay: from time to time a copy of the learner
 * goes on at another rate beside it, and takes its place if its losses are smaller by four standard
 * errors and a tenth. On a stream that does not change none ever is.
 *
 * <p>Trials last 1000 instances or a twentieth of the stream so far, and rest four times as long,
 * so they cost a fifth. When the recent losses exceed the usual ones by four standard errors, a
 * trial begins at once.
 */
final class Trial {
  /** Share of what was learned that an instance leaves: for ever, 2000, 500 and 100 instances. */
  private static final double[] RATES = {1, 0.9995, 0.998, 0.99};

  /** The rate to try first: the others are tried in turn. */
  private static final int FIRST = 2;

  private static final double STANDARD_ERRORS = 4;
  private static final double LEAST_GAIN = 0.1;

  /** No verdict before so many instances were learned from; trials wait so many times as long. */
  private static final int LEAST_LEARNED = 400;

  private static final int PATIENCE = 4;
  private static final int SHORTEST = 1000;
  private static final double SHARE = 0.05;
  private static final int REST = 4;
  private static final int STRIDE = 100;
  private static final int RECENT = 200;
  private static final int USUAL = 5000;

  /**
   * As the first trial: there will be none, whatever happens. The largest count a file may hold.
   */
  static final long NEVER = 1L << 62;

  @Nullable SecondOrderLearner challenger;
  int rate;
  int tried;
  long begin;
  long learnedBefore;
  long length;
  long next;
  double sum;
  double squares;
  double losses;
  double recent;
  double usual;
  double usualSquares;
  long watched;

  /** The first trial comes after {@code first} instances. */
  Trial(long first) {
    next = first;
    tried = FIRST - 1;
  }

  /** Number of rates there are. */
  static int rates() {
    return RATES.length;
  }

  /** The leader has changed: what it was compared with means nothing now. */
  void abandon() {
    challenger = null;
  }

  /**
   * Leader and challenger have learned from one instance more, {@code count} in all.
   *
   * @return the learner to go on with, the leader or the challenger
   */
  SecondOrderLearner learned(SecondOrderLearner leader, long count) {
    if (next == NEVER) {
      return leader;
    }
    boolean alarm = watch(leader.lastLoss());
    SecondOrderLearner running = challenger;
    if (running == null) {
      if (count >= next || alarm) {
        start(leader, count);
      }
      return leader;
    }
    double gain = leader.lastLoss() - running.lastLoss();
    sum += gain;
    squares += gain * gain;
    losses += leader.lastLoss();
    if ((count - begin) % STRIDE != 0) {
      return leader;
    }
    long learned = leader.learned() - learnedBefore;
    if (learned >= LEAST_LEARNED && isProven()) {
      rate = tried;
      next = count + STRIDE;
      challenger = null;
      return running;
    }
    if (count - begin >= (learned >= LEAST_LEARNED ? 1 : PATIENCE) * length) {
      challenger = null;
      next = count + REST * length;
    }
    return leader;
  }

  private void start(SecondOrderLearner leader, long count) {
    do {
      tried = (tried + 1) % RATES.length;
    } while (tried == rate);
    challenger = leader.copy(leader.config().withForgetting(RATES[tried]));
    begin = count;
    learnedBefore = leader.learned();
    length = Math.max(SHORTEST, (long) (SHARE * count));
    sum = 0;
    squares = 0;
    losses = 0;
  }

  /**
   * To forget faster must save a tenth of the losses: where a class is rare, its instances are so
   * few in a trial that standard errors alone say little. To forget less is the safe side.
   */
  private boolean isProven() {
    boolean faster = tried > rate;
    double errors = faster ? STANDARD_ERRORS : STANDARD_ERRORS / 2;
    return sum > errors * Math.sqrt(squares) && (!faster || sum > LEAST_GAIN * losses);
  }

  /** Whether the recent losses are out of proportion to the usual ones. */
  private boolean watch(double loss) {
    watched++;
    double slow = Math.max(1.0 / watched, 1.0 / USUAL);
    double fast = Math.max(1.0 / watched, 1.0 / RECENT);
    usual += slow * (loss - usual);
    usualSquares += slow * (loss * loss - usualSquares);
    recent += fast * (loss - recent);
    // An exponential mean over n has the variance of a plain one over 2n − 1.
    double variance = Math.max(0, usualSquares - usual * usual) / (2 * RECENT - 1);
    return watched > USUAL && recent - usual > STANDARD_ERRORS * Math.sqrt(variance);
  }
}
