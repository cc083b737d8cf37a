// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.repository;

import java.util.ArrayList;
import java.util.List;

/**
 * Error of a model's predictions whose labels are known, in the order of their labels, with a curve
 * of at most {@value #MOST_POINTS} windows: when they are all used, neighbours are joined and
 * windows become twice as long. Any thread.
 */
public final class FeedbackErrors {
  private static final int MOST_POINTS = 120;
  private static final int FIRST_WINDOW = 50;

  private final boolean regression;
  private final List<Point> points = new ArrayList<>();
  private int window = FIRST_WINDOW;
  private long judged;
  private long wanted;
  private double loss;
  private int inWindow;
  private double windowLoss;

  /**
   * A window of predictions.
   *
   * @param judged predictions scored up to its end
   * @param error share of mistakes, or root mean squared error, within it
   * @param version version that made its last prediction
   */
  public record Point(long judged, double error, long version) {}

  /**
   * The errors at one moment.
   *
   * @param judged predictions scored
   * @param wanted those among them whose labels were asked for
   * @param loss mistakes among them, or the sum of squared errors
   * @param error share of mistakes, or root mean squared error
   * @param points the windows, oldest first
   */
  public record Summary(long judged, long wanted, double loss, double error, List<Point> points) {}

  FeedbackErrors(boolean regression) {
    this.regression = regression;
  }

  synchronized void add(double value, long version, boolean asked) {
    judged++;
    wanted += asked ? 1 : 0;
    loss += value;
    windowLoss += value;
    if (++inWindow == window) {
      points.add(new Point(judged, error(windowLoss, window), version));
      inWindow = 0;
      windowLoss = 0;
      if (points.size() == MOST_POINTS) {
        join();
      }
    }
  }

  private void join() {
    for (int k = 0; k < MOST_POINTS / 2; k++) {
      Point second = points.get(k + 1);
      double sum = loss(points.get(k).error) + loss(second.error);
      points.set(k, new Point(second.judged, error(sum, 2), second.version));
      points.remove(k + 1);
    }
    window *= 2;
  }

  private double error(double sum, long count) {
    return regression ? Math.sqrt(sum / count) : sum / count;
  }

  private double loss(double error) {
    return regression ? error * error : error;
  }

  /** The errors now. */
  public synchronized Summary summary() {
    return new Summary(
        judged, wanted, loss, judged == 0 ? Double.NaN : error(loss, judged), List.copyOf(points));
  }
}
