// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import io.github.avm4j.config.Task;
import io.github.avm4j.model.Calibration;
import io.github.avm4j.model.Decision;
import io.github.avm4j.model.Interval;
import io.github.avm4j.model.Predictor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The interval or prediction set of one prediction, at one level of coverage. Made before the
 * prediction: it holds the thresholds of that moment, so that a learner may learn from the instance
 * before {@link #around} is called. Costs no distance: scores are those of the prediction itself.
 */
public final class PredictionRange {
  private static final double[] NO_SCORES = {};

  private final Predictor predictor;
  private final double level;
  private final Calibration before;
  private final int known;
  private final double[] scores;

  /**
   * Takes down the thresholds of a model or learner.
   *
   * @param predictor the model or learner
   * @param level the share of instances whose target is to be held
   */
  public PredictionRange(Predictor predictor, double level) {
    this.predictor = predictor;
    this.level = level;
    before = predictor.calibration();
    known = predictor.classes();
    scores = predictor.task() == Task.REGRESSION ? NO_SCORES : new double[Math.max(2, known)];
  }

  /** {@return where the scores of a classifier belong; empty for a regression} */
  public double[] scores() {
    return scores;
  }

  /**
   * {@return the label of the largest score, which is the prediction of a classifier; NaN if no
   * class is known}
   */
  public double winner() {
    return known == 0 ? Double.NaN : predictor.label(Decision.argmax(scores, known));
  }

  /**
   * {@return lower and upper end of the interval, or the labels of the prediction set; null if the
   * level is not kept} Uses up the scores.
   *
   * @param prediction the prediction
   */
  public @Nullable List<Double> around(double prediction) {
    if (!before.levels().contains(level)) {
      return null;
    }
    if (predictor.task() == Task.REGRESSION) {
      return Double.isNaN(prediction)
          ? List.of(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY)
          : ends(before.interval(prediction, level));
    }
    int winner = Decision.argmax(scores, known);
    Decision.softmax(scores, known);
    boolean[] held = before.set(scores, known, winner, level);
    List<Double> labels = new ArrayList<>();
    for (int j = 0; j < known; j++) {
      if (held[j]) {
        labels.add(predictor.label(j));
      }
    }
    return labels;
  }

  /**
   * {@return the ends of an interval}
   *
   * @param interval the interval
   */
  static List<Double> ends(Interval interval) {
    return List.of(interval.lower(), interval.upper());
  }
}
