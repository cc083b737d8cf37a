// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.lab.baselines;

import io.github.avm4j.baselines.Settings;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import java.util.Random;

/**
 * RBP, the randomised budget Perceptron: with the budget full, a support vector drawn uniformly
 * makes room for the new one.
 *
 * <p>G. Cavallanti, N. Cesa-Bianchi and C. Gentile, "Tracking the best hyperplane with a simple
 * budget Perceptron", Machine Learning 69 (2007). A step costs O(B·d).
 */
public final class RandomBudgetPerceptron extends ExpansionBaseline {
  private final int budget;
  private final double eta;
  private final Random random;

  /**
   * One that has seen nothing; reads γ, B, the seed, and η for numbers.
   *
   * @param task classification or regression
   * @param settings parameters of the method; others than those named are ignored
   */
  public RandomBudgetPerceptron(Task task, Settings settings) {
    super(task, settings.gamma());
    budget = settings.budget();
    eta = settings.eta();
    random = new Random(settings.seed());
  }

  @Override
  protected void step(FeatureVector x, double y, double weight) {
    double amount = weight * mistake(y, eta);
    if (amount == 0) {
      return;
    }
    if (size() < budget) {
      pull(expansion.append(x), amount);
    } else {
      int slot = random.nextInt(budget);
      expansion.replace(slot, x);
      pull(slot, amount);
    }
  }
}
