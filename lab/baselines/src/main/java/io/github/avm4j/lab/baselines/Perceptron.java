// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.lab.baselines;

import io.github.avm4j.baselines.Settings;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;

/**
 * The kernel Perceptron: every instance it errs on becomes a support vector, for ever.
 *
 * <p>Y. Freund and R. E. Schapire, "Large Margin Classification Using the Perceptron Algorithm",
 * Machine Learning 37 (1999). No budget: the n-th step costs O(mistakes·d).
 */
public final class Perceptron extends ExpansionBaseline {
  private final double eta;

  /**
   * A Perceptron that has seen nothing; reads γ, and η for numbers.
   *
   * @param task classification or regression
   * @param settings parameters of the method; others than those named are ignored
   */
  public Perceptron(Task task, Settings settings) {
    super(task, settings.gamma());
    eta = settings.eta();
  }

  @Override
  protected void step(FeatureVector x, double y, double weight) {
    double amount = weight * mistake(y, eta);
    if (amount != 0) {
      pull(expansion.append(x), amount);
    }
  }
}
