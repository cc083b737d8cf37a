// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.secondorder.SecondOrderEngine;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether forgetting faster or slower would pay: from time to time a copy of the learner
 * goes on at another rate beside it, and takes its place if its losses are smaller by four standard
 * errors and a tenth. On a stream that does not change none ever is.
 *
 * <p>Trials last 1000 instances or a twentieth of the stream so far, and rest four times as long,
 * so they cost a fifth. When the recent losses exceed the usual ones by four standard errors, a
 * trial begins at once; for regression, whose targets may change their scale and level, first that
 * of a learner that starts fresh.
 */
public final class Trial {
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

  /** No fresh start before so many instances were watched. */
  private static final int LEAST_WATCHED = 1000;

  /** Instances whose mean target a fresh learner takes as its intercept, before it learns. */
  private static final int SHIFT_FROM = 50;

  /** In the place of a rate: a learner that has learned nothing, and forgets as the leader does. */
  public static final int FRESH = RATES.length;

  /** Losses beyond this count as this, so that they can be squared and summed. */
  private static final double LARGEST_LOSS = 1e140;

  /**
   * As the first trial: there will be none, whatever happens. The largest count a file may hold.
   */
  public static final long NEVER = 1L << 62;

  public @Nullable SecondOrderEngine challenger;
  public int rate;
  public int tried;
  public boolean alarmed;
  public long begin;
  public long learnedBefore;
  public long length;
  public long next;
  public double sum;
  public double squares;
  public double losses;
  public double recent;
  public double usual;
  public double usualSquares;
  public long watched;

  /** What a fresh learner takes off every target, and the targets it is the mean of. */
  public double shift;

  public int shiftedBy;

  /** Whether the challenger learned from the instance at hand. */
  private boolean compared;

  private final boolean restarts;

  /** The first trial comes after {@code first} instances. */
  public Trial(Task task, long first) {
    restarts = task == Task.REGRESSION;
    next = first;
    tried = FIRST - 1;
  }

  /** Number of rates there are. */
  public static int rates() {
    return RATES.length;
  }

  /** The leader has changed: what it was compared with means nothing now. */
  public void abandon() {
    challenger = null;
  }

  /** The challenger, if any, learns from the instance that the leader learns from. */
  public void learn(FeatureVector z, double target, double weight) {
    SecondOrderEngine running = challenger;
    if (running == null) {
      return;
    }
    if (tried == FRESH && shiftedBy < SHIFT_FROM) {
      shift += (target - shift) / ++shiftedBy;
      running.instances++;
      compared = false;
      return;
    }
    compared = true;
    double shifted = restarts ? AutoEngine.bounded(target - shift) : target;
    running.learn(z, shifted, running.worth(weight));
  }

  /**
   * Leader and challenger have learned from one instance more, {@code count} in all.
   *
   * @return the learner to go on with, the leader or the challenger
   */
  public SecondOrderEngine learned(SecondOrderEngine leader, long count, double weight) {
    if (next == NEVER) {
      return leader;
    }
    boolean alarm = watch(bounded(leader.lastLoss()));
    SecondOrderEngine running = challenger;
    if (running == null || (alarm && !alarmed && restarts)) {
      if (count >= next || alarm) {
        start(leader, count, alarm);
      }
      return leader;
    }
    if (!compared) {
      return leader;
    }
    double gain = bounded(weight * (leader.lastLoss() - running.lastLoss()));
    sum += gain;
    squares += gain * gain;
    losses += bounded(weight * leader.lastLoss());
    if ((count - begin) % STRIDE != 0) {
      return leader;
    }
    long learned = leader.learned() - learnedBefore;
    if (learned >= LEAST_LEARNED && isProven()) {
      rate = tried == FRESH ? rate : tried;
      watched = tried == FRESH ? 0 : watched;
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

  private static double bounded(double loss) {
    return Math.max(-LARGEST_LOSS, Math.min(LARGEST_LOSS, loss));
  }

  private void start(SecondOrderEngine leader, long count, boolean alarm) {
    alarmed = alarm;
    shift = 0;
    shiftedBy = 0;
    if (alarm && restarts && tried != FRESH) {
      tried = FRESH;
      challenger = leader.fresh();
    } else {
      do {
        tried = tried == FRESH ? FIRST : (tried + 1) % RATES.length;
      } while (tried == rate);
      challenger = leader.copy(leader.config().withForgetting(RATES[tried]));
    }
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
    return watched > (restarts ? LEAST_WATCHED : USUAL)
        && recent - usual > STANDARD_ERRORS * Math.sqrt(variance);
  }
}
