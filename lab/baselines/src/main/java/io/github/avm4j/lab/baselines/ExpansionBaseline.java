// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.lab.baselines;

import io.github.avm4j.baselines.ColumnLearner;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.loss.Hinge;
import io.github.avm4j.loss.Loss;
import io.github.avm4j.loss.SquaredLoss;

/** A baseline whose function is an expansion over support vectors. */
abstract class ExpansionBaseline extends ColumnLearner {
  final Expansion expansion;
  private final Loss loss;

  ExpansionBaseline(Task task, double gamma) {
    super(task);
    expansion = new Expansion(new Gaussian(gamma));
    loss = lossOf(task);
  }

  /** The losses of Lu et al. (2016): hinge for classes, squared for numbers. */
  static Loss lossOf(Task task) {
    return task == Task.CLASSIFICATION ? new Hinge() : new SquaredLoss();
  }

  /** −l′ along the instance's direction: what a gradient step adds, but for its size. */
  final double descent(double y) {
    return task() == Task.REGRESSION
        ? -loss.derivative(margin(), y)
        : -loss.derivative(margin(), 1);
  }

  /**
   * The update of a Perceptron: 1 for a mistake, 0 otherwise. For numbers η·(y − f), the gradient
   * step of the squared loss, for a Perceptron of numbers is defined by no paper that we know.
   */
  final double mistake(double y, double eta) {
    return task() == Task.REGRESSION ? eta * descent(y) : margin() <= 0 ? 1 : 0;
  }

  /** Adds {@code amount} of the instance's direction to a support vector's coefficients. */
  final void pull(int slot, double amount) {
    expansion.add(column(), slot, sign() * amount);
    if (rival() != NONE) {
      expansion.add(rival(), slot, -amount);
    }
  }

  @Override
  protected void begin(FeatureVector first) {
    expansion.begin(first);
  }

  @Override
  protected void represent(FeatureVector x) {
    expansion.measure(x);
  }

  @Override
  protected double score(int j) {
    return expansion.score(j);
  }

  @Override
  protected void setColumns(int count) {
    expansion.setColumns(count);
  }

  @Override
  public int size() {
    return expansion.size();
  }

  @Override
  public long modelBytes() {
    return expansion.bytes();
  }
}
