// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.evaluation;

import java.io.IOException;
import java.util.Locale;

/**
 * Writes learning curves as comma-separated values under the column names of MOA, whose figures are
 * of the window too, so that plots made for it go on working. Regression has its own columns in
 * place of MOA's of classification.
 */
public final class LearningCurve {
  private static final String HEAD =
      "learning evaluation instances,evaluation time (cpu seconds),model cost (RAM-Hours),"
          + "classified instances,";
  private static final String CLASSES =
      "classifications correct (percent),Kappa Statistic (percent),"
          + "Kappa Temporal Statistic (percent),Kappa M Statistic (percent),";
  private static final String NUMBERS = "mean absolute error,root mean squared error,";
  private static final String TAIL = "model training instances,model serialized size (bytes)";

  private final Appendable out;
  private boolean started;

  /**
   * A curve written to {@code out}, which is not closed.
   *
   * @param out receives CSV
   */
  public LearningCurve(Appendable out) {
    this.out = out;
  }

  /**
   * Writes one row, after the header if it is the first.
   *
   * @param point the row to write
   * @throws IOException if the output fails
   */
  public void write(CurvePoint point) throws IOException {
    boolean classes = point.window() instanceof ClassificationFigures;
    if (!started) {
      out.append(HEAD).append(classes ? CLASSES : NUMBERS).append(TAIL).append('\n');
      started = true;
    }
    out.append(Long.toString(point.instances())).append(',');
    number(point.cpuSeconds());
    number(point.ramHours());
    out.append(Long.toString(point.instances())).append(',');
    if (point.window() instanceof ClassificationFigures figures) {
      number(100 - figures.mistakeRate());
      number(figures.kappa());
      number(figures.kappaT());
      number(figures.kappaM());
    } else if (point.window() instanceof RegressionFigures figures) {
      number(figures.mae());
      number(figures.rmse());
    }
    out.append(Long.toString(point.instances())).append(',');
    out.append(Long.toString(point.modelBytes())).append('\n');
  }

  /** A number, or "?" as MOA writes what is not defined. */
  private void number(double value) throws IOException {
    out.append(Double.isFinite(value) ? String.format(Locale.ROOT, "%.9g", value) : "?");
    out.append(',');
  }

  /** When a point of the learning curve is taken. */
  @FunctionalInterface
  public interface Sampling {
    /**
     * {@return the first count of instances after {@code instances} at which to take a point}
     *
     * @param instances number of instances seen
     */
    long after(long instances);

    /** {@return a sampling after 1, 2, 4, 8 … instances} */
    static Sampling powersOfTwo() {
      return instances -> Math.max(1, Long.highestOneBit(instances) << 1);
    }

    /**
     * {@return a sampling after every {@code k} instances}
     *
     * @param k number of instances between two points, ≥ 1
     */
    static Sampling every(long k) {
      if (k < 1) {
        throw new IllegalArgumentException("k must be >= 1, was " + k);
      }
      return instances -> (instances / k + 1) * k;
    }
  }
}
