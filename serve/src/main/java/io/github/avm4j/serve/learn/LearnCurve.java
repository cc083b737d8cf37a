// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.learn;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How the prequential error went since the start: at most 100 points, as many rows apart. When
 * there is no more room two points become one. For one thread.
 */
public final class LearnCurve {
  private static final int MOST = 100;
  private static final int FIRST_ROWS = 10;

  private final boolean regression;
  private final double[] losses = new double[MOST];
  private final double[] constant = new double[MOST];
  private int each = FIRST_ROWS;
  private int whole;
  private int inside;
  private List<Point> points = List.of();

  LearnCurve(boolean regression) {
    this.regression = regression;
  }

  /**
   * A point.
   *
   * @param rows rows judged up to here
   * @param error share of mistakes, or root mean squared error, of all of them
   * @param baseline the same of a constant prediction
   */
  public record Point(long rows, double error, double baseline) {}

  void add(double loss, double ofConstant) {
    losses[whole] += loss;
    constant[whole] += ofConstant;
    if (++inside < each) {
      return;
    }
    inside = 0;
    if (++whole == MOST) {
      whole = MOST / 2;
      each *= 2;
      halve(losses);
      halve(constant);
    }
    List<Point> made = new ArrayList<>(whole);
    double sum = 0;
    double sumOfConstant = 0;
    for (int k = 0; k < whole; k++) {
      long rows = (k + 1L) * each;
      sum += losses[k];
      sumOfConstant += constant[k];
      made.add(new Point(rows, error(sum / rows), error(sumOfConstant / rows)));
    }
    points = List.copyOf(made);
  }

  private static void halve(double[] sums) {
    for (int k = 0; k < MOST / 2; k++) {
      sums[k] = sums[2 * k] + sums[2 * k + 1];
    }
    Arrays.fill(sums, MOST / 2, MOST, 0);
  }

  private double error(double mean) {
    return regression ? Math.sqrt(mean) : mean;
  }

  /** The points so far, oldest first. */
  List<Point> points() {
    return points;
  }
}
