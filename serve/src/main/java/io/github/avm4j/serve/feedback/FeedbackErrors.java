// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.feedback;

/** Error of a model's predictions whose labels are known. Any thread. */
public final class FeedbackErrors {
  private final boolean regression;
  private long judged;
  private long wanted;
  private double loss;

  /**
   * The errors at one moment.
   *
   * @param judged predictions scored
   * @param wanted those among them whose labels were asked for
   * @param loss mistakes among them, or the sum of squared errors
   * @param error share of mistakes, or root mean squared error; NaN before the first
   */
  public record Summary(long judged, long wanted, double loss, double error) {}

  FeedbackErrors(boolean regression) {
    this.regression = regression;
  }

  synchronized void add(double value, boolean asked) {
    judged++;
    wanted += asked ? 1 : 0;
    loss += value;
  }

  /** The errors now. */
  public synchronized Summary summary() {
    double mean = loss / judged;
    return new Summary(judged, wanted, loss, regression ? Math.sqrt(mean) : mean);
  }
}
