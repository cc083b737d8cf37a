// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.tuning;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.contest.Contest;
import io.github.avm4j.internal.contest.LossAlarm;
import io.github.avm4j.internal.expansion.ExpansionEngine;
import io.github.avm4j.internal.secondorder.SecondOrderEngine;
import org.jspecify.annotations.Nullable;

/**
 * Finds the forgetting factor: from time to time a copy of the leader learns with another factor
 * beside it and replaces it if it wins their {@link Contest}. On a stream that does not change no
 * copy ever does.
 *
 * <p>Factors are tried in turn, fast and slow ones alternately; after one that won, the next in its
 * direction. Trials last 1000 instances or a twentieth of the stream so far, and rest four times as
 * long, so they cost a fifth. One that is being won without proof yet goes on; one that is clearly
 * lost ends. After one that was won they begin again with 5000 at most: what was right in the
 * middle of a change is often wrong soon after it, and a stream that is long already would find out
 * late. A {@link LossAlarm} begins one at once, with the factor that is tried first of all; for
 * regression, whose targets may change their scale and level, first that of an engine that starts
 * fresh.
 */
public final class Trial {
  /**
   * Forgetting factors. Forgetting returns the variance of a score to that before learning, which
   * is large: 0.998 leaves a handful of instances of each neighbourhood, 0.99998 some dozens.
   */
  private static final double[] RATES = {1, 0.99998, 0.9998, 0.998, 0.99};

  /** Number of the factor that forgets nothing. */
  public static final int NONE = 0;

  /** The factor to try first, and how far it is from one to the next: it comes to all of them. */
  private static final int FIRST = 3;

  private static final int HOP = 3;

  private static final double STANDARD_ERRORS = 4;

  /** Share of the losses to be saved: to begin with fast forgetting, and in other cases. */
  private static final double LEAST_GAIN = 0.1;

  private static final double LEAST_GAIN_SLOW = 0.02;

  /** Standard errors that the challenger of a trial that goes on is ahead by. */
  private static final double AHEAD = 2;

  /** Instances that were learned from before a trial is lost, or won after an alarm. */
  private static final int LEARNED_EARLY = 100;

  /** The same before others are won or end; trials wait so many times as long for them. */
  private static final int LEAST_LEARNED = 400;

  private static final int PATIENCE = 4;
  private static final int SHORTEST = 1000;
  private static final double SHARE = 0.05;

  /** Most instances of a trial after one that was won, and how the next ones grow from there. */
  private static final int LONGEST_AT_FIRST = 5000;

  private static final double GROWTH = 1.3;
  private static final int REST = 4;
  private static final int STRIDE = 100;

  /** Estimation periods before the first trial in a cell, unless an alarm begins one. */
  private static final int PERIODS_IN_CELL = 8;

  /** Instances before the first alarm, where a fresh start may follow and where not. */
  private static final int WATCHED_FRESH = 1000;

  private static final int WATCHED = 5000;

  /** Instances whose mean target a fresh engine takes as its intercept, before it learns. */
  private static final int SHIFT_FROM = 50;

  /** In the place of a factor: an engine that has learned nothing, and forgets as the leader. */
  public static final int FRESH = RATES.length;

  /** Losses beyond this count as this, so that they can be squared and summed. */
  private static final double LARGEST_LOSS = 1e140;

  /** The leader is entrant 0, the challenger entrant 1. */
  public final Contest contest = new Contest(2, 0);

  public final LossAlarm alarm;
  public @Nullable SecondOrderEngine challenger;
  public int rate;
  public int tried;
  public boolean alarmed;
  public long begin;
  public long learnedBefore;
  public long length;
  public long next;

  /** What a fresh engine takes off every target, and the number of targets it is the mean of. */
  public double shift;

  public int shiftedBy;

  /** Whether the challenger learned from the instance at hand. */
  private boolean compared;

  private final boolean restarts;
  private final double[] losses = new double[2];

  /** The first trial comes after {@code first} instances. */
  public Trial(Task task, long first) {
    restarts = task == Task.REGRESSION;
    alarm = new LossAlarm(restarts ? WATCHED_FRESH : WATCHED);
    next = first;
    tried = before(FIRST);
  }

  /** Instances before an engine tries another factor unasked. */
  public static long first(int estimation, boolean ofCell) {
    return (ofCell ? PERIODS_IN_CELL : 1L) * estimation;
  }

  /** Number of forgetting factors. */
  public static int rates() {
    return RATES.length;
  }

  /** Begins with a factor; if it forgets, the first trial is of the one that does not. */
  void beginWith(int number) {
    rate = number;
    tried = number == NONE ? tried : before(NONE);
  }

  /** The number after which this one is tried. */
  private static int before(int number) {
    return Math.floorMod(number - HOP, RATES.length);
  }

  /** The factor of the leader. */
  double factor() {
    return RATES[rate];
  }

  /** Number of the factor that is tried first, or the leader's if that forgets faster. */
  public int quick() {
    return Math.max(rate, FIRST);
  }

  /** Ends a trial without a verdict: the leader has changed. Its factor is the next one again. */
  void abandon() {
    if (challenger != null && tried != FRESH) {
      tried = before(tried);
    }
    challenger = null;
  }

  /** The challenger, if any, learns from the instance that the leader learns from. */
  void learn(FeatureVector z, double target, double weight) {
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
    double shifted = restarts ? ExpansionEngine.bounded(target - shift) : target;
    running.learn(z, shifted, running.worth(weight));
  }

  /**
   * Leader and challenger have learned from one instance more, {@code count} in all.
   *
   * @return the challenger if it is to replace the leader
   */
  @Nullable SecondOrderEngine learned(SecondOrderEngine leader, long count, double weight) {
    boolean rise = alarm.observe(Math.min(LARGEST_LOSS, leader.lastLoss()));
    SecondOrderEngine running = challenger;
    if (running == null || (rise && !alarmed && restarts)) {
      if (count >= next || rise) {
        start(leader, count, rise);
      }
      return null;
    }
    if (!compared) {
      return null;
    }
    losses[0] = weight * leader.lastLoss();
    losses[1] = weight * running.lastLoss();
    contest.observe(losses);
    return (count - begin) % STRIDE == 0 ? verdict(running, leader, count) : null;
  }

  private @Nullable SecondOrderEngine verdict(
      SecondOrderEngine running, SecondOrderEngine leader, long count) {
    long learned = leader.learned() - learnedBefore;
    if (learned >= (alarmed ? LEARNED_EARLY : LEAST_LEARNED) && isProven()) {
      won();
      next = count + STRIDE;
      length = 0;
      challenger = null;
      return running;
    }
    if (isLost(learned, count - begin)) {
      challenger = null;
      next = count + REST * length;
    }
    return null;
  }

  /** Whether the challenger is clearly worse, or the trial is over. */
  private boolean isLost(long learned, long age) {
    if (tried != FRESH && learned >= LEARNED_EARLY && contest.isWorse(1, STANDARD_ERRORS)) {
      return true;
    }
    boolean ahead = tried != FRESH && contest.best(AHEAD, 0) == 1;
    return age >= (learned >= LEAST_LEARNED && !ahead ? 1 : PATIENCE) * length;
  }

  private void won() {
    if (tried == FRESH) {
      alarm.watched = 0;
      return;
    }
    int further = Math.floorMod(tried + (tried > rate ? 1 : -1), RATES.length);
    rate = tried;
    tried = before(further);
  }

  private void start(SecondOrderEngine leader, long count, boolean rise) {
    if (rise && !alarmed && rate < FIRST) {
      tried = before(FIRST);
    }
    alarmed = rise;
    shift = 0;
    shiftedBy = 0;
    if (rise && restarts && tried != FRESH) {
      tried = FRESH;
      challenger = leader.fresh();
    } else {
      do {
        tried = tried == FRESH ? FIRST : (tried + HOP) % RATES.length;
      } while (tried == rate);
      challenger = leader.copy(leader.config().toBuilder().forgetting(RATES[tried]).build());
    }
    begin = count;
    learnedBefore = leader.learned();
    long most = Math.max(LONGEST_AT_FIRST, (long) (GROWTH * length));
    length = Math.max(SHORTEST, Math.min(most, (long) (SHARE * count)));
    contest.restart();
  }

  /**
   * To forget fast must save a tenth of the losses: where a class is rare, its instances are so few
   * in a trial that standard errors alone say little. To forget slowly needs less, and so does a
   * leader that forgets already. To forget less than the leader is the safe side.
   */
  private boolean isProven() {
    if (tried < rate) {
      return contest.best(STANDARD_ERRORS / 2, 0) == 1;
    }
    boolean cautious = rate == NONE && tried >= FIRST;
    return contest.best(STANDARD_ERRORS, cautious ? LEAST_GAIN : LEAST_GAIN_SLOW) == 1;
  }
}
