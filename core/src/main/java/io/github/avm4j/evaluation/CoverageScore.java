// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.evaluation;

import io.github.avm4j.config.Task;
import io.github.avm4j.internal.linear.CompensatedSum;
import io.github.avm4j.model.Calibration;
import io.github.avm4j.model.Decision;
import io.github.avm4j.model.Interval;
import io.github.avm4j.model.Predictor;
import java.util.ArrayDeque;
import java.util.List;

/**
 * How often intervals or prediction sets held the target, and how large they were, at every level
 * of a {@link Calibration}. Instances of infinite intervals do not count. For one thread.
 */
public final class CoverageScore {
  /** Instances of a window; the first begins after {@link #FIRST} instances. */
  public static final int WINDOW = 2000;

  /** Instances before the first window. */
  public static final int FIRST = 1000;

  /** The last intervals that are kept. */
  private static final int LAST = 60;

  private final List<Level> levels;
  private final ArrayDeque<Held> last = new ArrayDeque<>();
  private double[] probabilities = {};

  /**
   * The figures of one level.
   *
   * @param level the share of instances asked for
   * @param instances number of instances
   * @param coverage the share of instances whose target was held; NaN if there are none
   * @param worst that of the window in which it was farthest from the level; NaN before the end of
   *     the first
   * @param size mean width of the intervals, or mean number of classes in the sets
   */
  public record Figures(double level, long instances, double coverage, double worst, double size) {}

  /**
   * A target and the intervals that were to hold it.
   *
   * @param actual the target
   * @param prediction the prediction
   * @param intervals one per level, in ascending order of the levels
   */
  public record Held(double actual, double prediction, List<Interval> intervals) {}

  private static final class Level {
    final double level;
    final CompensatedSum sizes = new CompensatedSum();
    long instances;
    long held;
    long heldBefore;
    double worst = Double.NaN;

    Level(double level) {
      this.level = level;
    }

    void add(boolean holds, double size) {
      instances++;
      held += holds ? 1 : 0;
      sizes.add(size);
      if (instances == FIRST) {
        heldBefore = held;
      } else if (instances > FIRST && (instances - FIRST) % WINDOW == 0) {
        double share = (held - heldBefore) / (double) WINDOW;
        heldBefore = held;
        if (!(Math.abs(share - level) <= Math.abs(worst - level))) {
          worst = share;
        }
      }
    }

    Figures figures() {
      double count = instances;
      return new Figures(level, instances, held / count, worst, sizes.value() / count);
    }
  }

  /**
   * No instances yet.
   *
   * @param levels the levels to look at, each one of the calibrations'
   */
  public CoverageScore(List<Double> levels) {
    this.levels = levels.stream().map(Level::new).toList();
  }

  /**
   * Takes in one instance.
   *
   * @param before the calibration before the instance was learned from
   * @param actual label or target of the instance
   * @param prediction the prediction
   * @param predictor the model or learner
   * @param scores what {@link Predictor#scores} said; not changed
   * @param known number of classes the predictor knew when it predicted
   */
  public void add(
      Calibration before,
      double actual,
      double prediction,
      Predictor predictor,
      double[] scores,
      int known) {
    if (predictor.task() == Task.REGRESSION) {
      List<Interval> intervals =
          levels.stream().map(level -> before.interval(prediction, level.level)).toList();
      for (int i = 0; i < levels.size(); i++) {
        add(i, intervals.get(i), actual);
      }
      if (last.size() == LAST) {
        last.removeFirst();
      }
      last.addLast(new Held(actual, prediction, intervals));
      return;
    }
    if (probabilities.length < known) {
      probabilities = new double[2 * known];
    }
    System.arraycopy(scores, 0, probabilities, 0, known);
    int winner = Decision.argmax(scores, known);
    Decision.softmax(probabilities, known);
    for (Level level : levels) {
      addSet(level, before.set(probabilities, known, winner, level.level), actual, predictor);
    }
  }

  /**
   * Takes in an interval that another method has given.
   *
   * @param index which of the levels it is of
   * @param interval the interval, given before the instance was learned from
   * @param actual target of the instance
   */
  public void add(int index, Interval interval, double actual) {
    if (interval.width() < Double.POSITIVE_INFINITY) {
      levels.get(index).add(interval.contains(actual), interval.width());
    }
  }

  private static void addSet(Level level, boolean[] set, double actual, Predictor predictor) {
    boolean holds = false;
    int size = 0;
    for (int j = 0; j < set.length; j++) {
      size += set[j] ? 1 : 0;
      holds |= set[j] && predictor.label(j) == actual;
    }
    level.add(holds, size);
  }

  /** {@return the intervals of the last instances of a regression, 60 at most, oldest first} */
  public List<Held> last() {
    return List.copyOf(last);
  }

  /** {@return the figures so far, in ascending order of the levels} */
  public List<Figures> figures() {
    return levels.stream().map(Level::figures).toList();
  }
}
