// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.standard;

import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.contest.LossAlarm;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * After losses rose, a learner that begins afresh learns beside the one in use, and takes its place
 * if it predicts better by much. It forgets fast if the change came so early that little is known
 * of the stream.
 */
final class Renewal {
  /** Rows before the first alarm. */
  private static final int PATIENCE = 1000;

  /** Changes before this row make the fresh learner forget. */
  private static final int EARLY = 3000;

  private static final double FORGETTING = 0.998;

  /** Rows without another after one that lost, and after one that won. */
  private static final int REST = 3000;

  private static final int REST_AFTER_SUCCESS = 100;

  private LossAlarm alarm = new LossAlarm(PATIENCE);
  private final Challenge challenge = new Challenge(Rule.RENEWAL);
  private @Nullable Space fresh;
  private long rest;
  private long count;

  /** The space in use from now on: itself, or the fresh one. */
  Space learned(
      Space used,
      FeatureVector x,
      double y,
      double weight,
      boolean known,
      SecondOrderConfig settings,
      List<Double> classes) {
    boolean rising = alarm.observe(used.error());
    if (rising) {
      used.alarm();
    }
    rest = Math.max(0, rest - 1);
    @Nullable Space challenger = fresh;
    if (challenger == null) {
      if (rising && rest == 0) {
        double factor = used.seen() < EARLY ? FORGETTING : used.factor();
        fresh = new Space(settings.toBuilder().forgetting(factor).build(), classes);
        challenge.restart();
      }
      return used;
    }
    challenger.learn(x, y, weight, known, false);
    challenge.observe(weight * used.error(), weight * challenger.error());
    switch (challenge.verdict()) {
      case WON -> {
        fresh = null;
        alarm = new LossAlarm(PATIENCE);
        rest = REST_AFTER_SUCCESS;
        count++;
        return challenger;
      }
      case LOST -> {
        fresh = null;
        rest = REST;
      }
      case OPEN -> {}
    }
    return used;
  }

  /** How often a fresh learner has won. */
  long count() {
    return count;
  }
}
