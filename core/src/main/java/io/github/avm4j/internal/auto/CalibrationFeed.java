// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.internal.calibration.Calibrator;
import io.github.avm4j.internal.calibration.Residuals;
import io.github.avm4j.internal.expansion.Labels;
import io.github.avm4j.model.Decision;
import org.jspecify.annotations.Nullable;

/** Tells a {@link Calibrator} how far off each prediction was. */
final class CalibrationFeed {
  private static final double[] NO_SCORES = {};

  private double[] asked = NO_SCORES;
  private double[] probabilities = NO_SCORES;

  /** A calibrator that has seen nothing; null if no levels of coverage are asked for. */
  static @Nullable Calibrator calibrator(AutoConfig config) {
    double[] levels = config.levels().stream().mapToDouble(level -> level).toArray();
    boolean regression = config.task() == Task.REGRESSION;
    return levels.length == 0 ? null : new Calibrator(levels, regression ? new Residuals() : null);
  }

  /** Where scores go: to who asked for them, else into an array of its own if it needs them. */
  double[] wanted(double[] scores, AutoEngine engine) {
    boolean needed = engine.calibrator != null && engine.task() == Task.CLASSIFICATION;
    if (scores.length > 0 || !needed) {
      return scores;
    }
    if (asked.length <= engine.classes()) {
      asked = new double[2 * engine.classes() + 2];
    }
    return asked;
  }

  /**
   * Takes in a prediction of an engine that has learned from the instance since.
   *
   * @param scores of a classifier, in the array {@link #wanted}
   * @param known classes when the prediction was made
   */
  void observe(AutoEngine engine, double prediction, double y, double[] scores, int known) {
    @Nullable Calibrator calibrator = engine.calibrator;
    if (calibrator == null) {
      return;
    }
    if (engine.task() == Task.REGRESSION) {
      calibrator.observeNumber(prediction, y);
      return;
    }
    if (probabilities.length < known) {
      probabilities = new double[2 * known];
    }
    System.arraycopy(scores, 0, probabilities, 0, known);
    Decision.softmax(probabilities, known);
    int label = engine.leader().labels.indexOf(y);
    boolean isKnown = label != Labels.UNKNOWN && label < known;
    calibrator.observeLabel(isKnown ? probabilities[label] : Double.NaN, prediction == y);
  }
}
