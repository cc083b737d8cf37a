// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.cells.Cell;
import io.github.avm4j.internal.contest.Contest;
import io.github.avm4j.internal.contest.LossAlarm;
import io.github.avm4j.internal.contest.SuddenRise;
import io.github.avm4j.internal.tuning.Trial;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Replaces an engine that the stream has left behind. When recent losses rise, a challenger that
 * knows nothing but the labels learns beside the engine and finds parameters of its own. It takes
 * the engine's place, cells included, if it predicts better in a {@link Contest} on mistakes or
 * squared errors; otherwise it is dropped after {@value #LENGTH} instances.
 *
 * <p>Two alarms begin a challenge: {@link LossAlarm}, once the estimation is over, and {@link
 * SuddenRise}, within it, too. What the second alone began is brief: it is dropped after {@value
 * #FIRST} instances, and no rest follows. A challenger younger than that wins if it saves half of
 * the loss by four standard errors, or by two and a half while the engine is estimating: such an
 * engine has little to lose, and would learn its stored instances of another stream again.
 *
 * <p>{@link Trial} answers slow changes, in which what was learned loses worth gradually. After an
 * abrupt one, scaling, kernel and core points are those of another stream. Losses that rise while
 * the engine is young are those of a stream that keeps changing: there the challenger forgets from
 * the beginning, with the factor that {@link Trial} tries first. Otherwise one that forgets nothing
 * would follow the other, each left behind before it has tried to forget.
 */
public final class Renewal {
  /** Instances that means are taken over. */
  private static final int WINDOW = 500;

  /** Instances of a challenger before the first usual verdict, and between two. */
  private static final int FIRST = 100;

  private static final int STRIDE = 20;

  /** Instances after which a challenger is dropped: before it could be divided into cells. */
  private static final int LENGTH = 2900;

  /** Instances before the next one after one that was dropped. */
  private static final int REST = 3000;

  /**
   * If losses rise again after so many usual ones, or suddenly and by far when it is so old, a
   * challenger has learned from before the change: it begins again.
   */
  public static final int CALM = 200;

  /** Instances before the first alarm. */
  private static final int PATIENCE = 1000;

  private static final double STANDARD_ERRORS = 3;
  private static final double LEAST_GAIN = 0.1;

  /** Instances before the first verdict of all, and what it takes before the usual ones. */
  private static final int EARLIEST = 10;

  private static final double EARLY_ERRORS = 4;
  private static final double EARLY_ERRORS_ESTIMATING = 2.5;
  private static final double EARLY_GAIN = 0.5;

  /** Sudden losses of so many times the usual ones are larger by far. */
  private static final double MANY_TIMES = 20;

  /**
   * Instances within which an engine that is left behind is one of a stream that keeps changing:
   * the first engine of all, and one that has taken another's place.
   */
  private static final int YOUNG = 3000;

  private static final int YOUNG_AGAIN = 8000;

  /** As {@link #CALM}, for a brief challenge. */
  private static final int BRIEFLY_CALM = 20;

  private static final double[] NO_SCORES = {};

  /** The engine is entrant 0, the challenger entrant 1. */
  public final Contest contest = new Contest(2, WINDOW);

  public final LossAlarm alarm = new LossAlarm(PATIENCE);
  public final SuddenRise sudden = new SuddenRise();
  public @Nullable AutoEngine challenger;

  /** Instances that the challenger has learned from. */
  public long age;

  /** Instances since losses were last above the usual ones, at most {@link #CALM}. */
  public int calm;

  /** Whether the challenge is one that a sudden rise alone began. */
  public boolean brief;

  /** Instances before another may begin, unless losses rise suddenly. */
  public long rest;

  /** How often a challenger has taken the place of the engine. */
  public long count;

  private final double[] losses = new double[2];

  /**
   * The engine has predicted for an instance and learned from it.
   *
   * @param estimating whether it was estimating when it predicted
   * @return the challenger if it is to take the engine's place
   */
  @Nullable AutoEngine learned(
      AutoEngine engine,
      FeatureVector x,
      double y,
      double weight,
      double prediction,
      boolean estimating) {
    double loss = Math.min(Contest.LARGEST, Cell.loss(engine.task(), prediction, y));
    losses[0] = weight * loss;
    losses[1] = losses[0];
    boolean rise = !estimating && alarm.observe(loss);
    boolean abrupt = sudden.observe(loss);
    setKind(rise);
    AutoEngine running = challenger;
    if (isDue(rise, abrupt)) {
      begin(engine);
      return null;
    }
    if (running == null) {
      return null;
    }
    calm = rise || abrupt ? 0 : Math.min(CALM, calm + 1);
    if (!learn(running, engine, x, y, weight)) {
      drop();
      return null;
    }
    contest.observe(losses);
    age++;
    if (isWon(estimating)) {
      challenger = null;
      alarm.watched = 0;
      sudden.watched = 0;
      rest = FIRST;
      count++;
      return running;
    }
    if (age >= (brief ? FIRST : LENGTH)) {
      drop();
    }
    return null;
  }

  /** Counts the rest down, and settles whether a challenge that runs or begins now is brief. */
  private void setKind(boolean rise) {
    boolean open = challenger != null;
    if (!open || brief) {
      rest = Math.max(0, rest - 1);
    }
    boolean lasting = rise && (rest == 0 || (open && !brief));
    brief = !lasting && (!open || brief);
  }

  /** Whether a challenge begins, or begins again. */
  private boolean isDue(boolean rise, boolean abrupt) {
    if (challenger == null) {
      return !brief || abrupt;
    }
    boolean again = (rise || abrupt) && calm >= (brief ? BRIEFLY_CALM : CALM);
    return again || (abrupt && age >= CALM && sudden.recent > MANY_TIMES * sudden.usual);
  }

  private boolean isWon(boolean estimating) {
    if (age >= FIRST) {
      return age % STRIDE == 0 && contest.best(STANDARD_ERRORS, LEAST_GAIN) == 1;
    }
    double errors = estimating ? EARLY_ERRORS_ESTIMATING : EARLY_ERRORS;
    return age >= EARLIEST && contest.best(errors, EARLY_GAIN) == 1;
  }

  /**
   * The weighted loss on the last instance of the challenger, which may have won by it; that of the
   * engine where there is none.
   */
  public double successorLoss() {
    return losses[1];
  }

  /** Whether the challenger could learn: its file must fit, and a form that it refuses ends it. */
  private boolean learn(
      AutoEngine running, AutoEngine engine, FeatureVector x, double y, double weight) {
    if (running.savedBytesWith(x) + engine.savedBytesWith(x) > engine.mostSaved) {
      return false;
    }
    try {
      double predicted = running.predictThenLearn(x, y, weight, NO_SCORES);
      losses[1] = weight * Cell.loss(engine.task(), predicted, y);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private void begin(AutoEngine engine) {
    challenger = fresh(engine);
    contest.restart();
    age = 0;
    calm = 0;
  }

  /** Ends a challenge without a verdict. */
  void drop() {
    challenger = null;
    rest = brief ? rest : REST;
  }

  private AutoEngine fresh(AutoEngine engine) {
    double[] labels = new double[engine.task() == Task.CLASSIFICATION ? engine.classes() : 0];
    Arrays.setAll(labels, engine::label);
    boolean young = engine.instances() - engine.levels.before < (count == 0 ? YOUNG : YOUNG_AGAIN);
    int rate = young ? engine.whole.trial.quick() : Trial.NONE;
    return AutoEngine.challenging(engine.settings().toBuilder().labels(labels).build(), rate);
  }
}
