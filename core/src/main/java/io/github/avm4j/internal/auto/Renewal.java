// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.cells.Cell;
import io.github.avm4j.internal.contest.Contest;
import io.github.avm4j.internal.contest.LossAlarm;
import io.github.avm4j.internal.tuning.Trial;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Replaces an engine that the stream has left behind. When recent losses rise, a challenger that
 * knows nothing but the labels learns beside the engine and finds parameters of its own. It takes
 * the engine's place, cells included, if it predicts better in a {@link Contest} on mistakes or
 * squared errors; otherwise it is dropped after {@value #LENGTH} instances.
 *
 * <p>{@link Trial} answers slow changes, in which what was learned loses worth gradually. After an
 * abrupt one, scaling, γ and core points are those of another stream.
 */
public final class Renewal {
  /** Instances that means are taken over. */
  private static final int WINDOW = 500;

  /** Instances of a challenger before the first verdict, and between two. */
  private static final int FIRST = 100;

  private static final int STRIDE = 20;

  /** Instances after which a challenger is dropped: before it could be divided into cells. */
  private static final int LENGTH = 2900;

  /** Instances before the next one after one that was dropped. */
  private static final int REST = 3000;

  /** If losses rise again after so many usual ones, a challenger is too old: it begins again. */
  public static final int CALM = 200;

  /** Instances before the first alarm. */
  private static final int PATIENCE = 1000;

  private static final double STANDARD_ERRORS = 3;
  private static final double LEAST_GAIN = 0.1;

  private static final double[] NO_SCORES = {};

  /** The engine is entrant 0, the challenger entrant 1. */
  public final Contest contest = new Contest(2, WINDOW);

  public final LossAlarm alarm = new LossAlarm(PATIENCE);
  public @Nullable AutoEngine challenger;

  /** Instances that the challenger has learned from. */
  public long age;

  /** Instances since losses were last above the usual ones, at most {@link #CALM}. */
  public int calm;

  /** Instances before another may begin. */
  public long rest;

  /** How often a challenger has taken the place of the engine. */
  public long count;

  private final double[] losses = new double[2];

  /**
   * The engine has predicted for an instance and learned from it.
   *
   * @return the challenger if it is to take the engine's place
   */
  @Nullable AutoEngine learned(
      AutoEngine engine, FeatureVector x, double y, double weight, double prediction) {
    losses[0] = Cell.loss(engine.task(), prediction, y);
    boolean rise = alarm.observe(Math.min(Contest.LARGEST, losses[0]));
    AutoEngine running = challenger;
    if (running == null) {
      rest = Math.max(0, rest - 1);
      if (rise && rest == 0) {
        begin(engine);
      }
      return null;
    }
    if (rise && calm == CALM) {
      begin(engine);
      return null;
    }
    calm = rise ? 0 : Math.min(CALM, calm + 1);
    if (!learn(running, engine, x, y, weight)) {
      drop();
      return null;
    }
    contest.observe(losses);
    age++;
    if (age >= FIRST && age % STRIDE == 0 && contest.best(STANDARD_ERRORS, LEAST_GAIN) == 1) {
      challenger = null;
      alarm.watched = 0;
      rest = FIRST;
      count++;
      return running;
    }
    if (age >= LENGTH) {
      drop();
    }
    return null;
  }

  /** Whether the challenger could learn: its file must fit, and a form that it refuses ends it. */
  private boolean learn(
      AutoEngine running, AutoEngine engine, FeatureVector x, double y, double weight) {
    if (running.savedBytesWith(x) + engine.savedBytesWith(x) > engine.mostSaved) {
      return false;
    }
    try {
      losses[1] = Cell.loss(engine.task(), running.predictThenLearn(x, y, weight, NO_SCORES), y);
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
    rest = REST;
  }

  private static AutoEngine fresh(AutoEngine engine) {
    List<Double> labels = new ArrayList<>();
    if (engine.task() == Task.CLASSIFICATION) {
      for (int j = 0; j < engine.classes(); j++) {
        labels.add(engine.label(j));
      }
    }
    return AutoEngine.challenging(engine.settings().toBuilder().labels(labels).build());
  }
}
