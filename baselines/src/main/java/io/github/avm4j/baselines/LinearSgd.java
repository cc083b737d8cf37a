// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.baselines;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.loss.Logistic;
import io.github.avm4j.loss.Loss;
import io.github.avm4j.loss.SquaredLoss;
import java.util.Arrays;

/**
 * A linear function with an intercept, by gradient descent with steps η/√t over the instance's
 * norm: what can be had without a kernel. Logistic loss for classes, squared for numbers.
 *
 * <p>M. Zinkevich, "Online Convex Programming and Generalized Infinitesimal Gradient Ascent", ICML
 * 2003, for the step; the division by 1 + ‖x‖² keeps it stable on features of any scale. A step
 * costs O(count of x).
 */
public final class LinearSgd extends ColumnLearner {
  /** Most features: the weights of one column fill 128 MB. */
  private static final int LARGEST = 1 << 24;

  private final Loss loss;
  private final double eta;
  private double[][] weights = {new double[8]};
  private FeatureVector current = FeatureVector.dense();
  private double steps;

  /**
   * One that has seen nothing; reads η.
   *
   * @param task classification or regression
   * @param settings parameters of the method; others than those named are ignored
   */
  public LinearSgd(Task task, Settings settings) {
    super(task);
    loss = task == Task.CLASSIFICATION ? new Logistic() : new SquaredLoss();
    eta = settings.eta();
  }

  @Override
  protected void checkMore(FeatureVector x) {
    if (x.dimension() > LARGEST) {
      throw new IllegalArgumentException(
          "feature " + (x.dimension() - 1) + " is beyond the " + LARGEST + " a linear model keeps");
    }
  }

  @Override
  protected void begin(FeatureVector first) {}

  @Override
  protected void represent(FeatureVector x) {
    current = x;
  }

  /** Weight 0 is the intercept, j + 1 that of feature j. */
  @Override
  protected double score(int j) {
    double[] w = weights[j];
    double sum = w[0];
    for (int k = 0; k < current.count(); k++) {
      int at = 1 + (current.isSparse() ? current.indices()[k] : k);
      sum += at < w.length ? w[at] * current.values()[k] : 0;
    }
    return sum;
  }

  @Override
  protected void step(FeatureVector x, double y, double weight) {
    steps++;
    double slope =
        task() == Task.REGRESSION ? loss.derivative(margin(), y) : loss.derivative(margin(), 1);
    double amount = -eta * weight * slope / (Math.sqrt(steps) * (1 + x.squaredNorm()));
    reserve(x.dimension() + 1);
    add(weights[column()], sign() * amount, x);
    if (rival() != NONE) {
      add(weights[rival()], -amount, x);
    }
  }

  private void reserve(int length) {
    if (length > weights[0].length) {
      int grown = Math.max(length, 2 * weights[0].length);
      for (int j = 0; j < weights.length; j++) {
        weights[j] = Arrays.copyOf(weights[j], grown);
      }
    }
  }

  private static void add(double[] w, double amount, FeatureVector x) {
    w[0] += amount;
    for (int k = 0; k < x.count(); k++) {
      w[1 + (x.isSparse() ? x.indices()[k] : k)] += amount * x.values()[k];
    }
  }

  @Override
  protected void setColumns(int count) {
    weights = grown(weights, count);
  }

  /** 0: there are no core points. */
  @Override
  public int size() {
    return 0;
  }

  @Override
  public long modelBytes() {
    return 8L * weights.length * weights[0].length;
  }
}
