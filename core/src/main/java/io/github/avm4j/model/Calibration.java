// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.model;

import io.github.avm4j.internal.calibration.Calibrator;
import java.util.Arrays;
import java.util.List;

/**
 * How far off predictions have been: what turns a number into an {@link Interval}, and
 * probabilities into a set of classes, that hold the target of a given share of the instances.
 *
 * <pre>{@code
 * Calibration calibration = model.calibration();
 * Interval interval = calibration.interval(model.predict(x), 0.9); // as model.interval(x, 0.9)
 * }</pre>
 *
 * <p>Immutable and safe for any number of threads.
 */
public final class Calibration {
  /** That of a method which keeps none: there are no levels. */
  public static final Calibration NONE = new Calibration(new Calibrator(new double[0], null));

  private final Calibrator state;

  /**
   * Takes ownership of the state: the caller must not change it any more.
   *
   * @param state thresholds
   */
  public Calibration(Calibrator state) {
    this.state = state;
  }

  /** {@return the levels that can be asked for, ascending; none if it was not asked to keep any} */
  public List<Double> levels() {
    return Arrays.stream(state.levels).boxed().toList();
  }

  /** {@return the number of instances that it was found on} */
  public long observed() {
    return state.observed();
  }

  /**
   * {@return the interval around a prediction of a regression}
   *
   * @param prediction the number predicted
   * @param level the share of instances whose number it is to hold, one of {@link #levels}
   * @throws IllegalArgumentException if there is no such level
   * @throws IllegalStateException if it is of a classification
   */
  public Interval interval(double prediction, double level) {
    double half = state.halfWidth(prediction, state.indexOf(level));
    return new Interval(prediction - half, prediction + half);
  }

  /**
   * Chooses the classes of a prediction set: the predicted one, and all that are probable enough.
   *
   * @param probabilities one per class
   * @param classes number of classes
   * @param winner index of the predicted class
   * @param level the share of instances whose class it is to hold, one of {@link #levels}
   * @return whether each class belongs to it
   * @throws IllegalArgumentException if there is no such level
   * @throws IllegalStateException if it is of a regression
   */
  public boolean[] set(double[] probabilities, int classes, int winner, double level) {
    double least = state.leastProbability(state.indexOf(level));
    boolean[] set = new boolean[classes];
    for (int j = 0; j < classes; j++) {
      set[j] = j == winner || probabilities[j] >= least;
    }
    return set;
  }

  /** {@return a copy of the state, to go on with} */
  public Calibrator copy() {
    return state.copy();
  }
}
