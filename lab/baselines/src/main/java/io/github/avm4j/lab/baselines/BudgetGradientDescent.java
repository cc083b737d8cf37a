// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.lab.baselines;

import io.github.avm4j.baselines.Settings;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import java.util.Random;

/**
 * BOGD, bounded online gradient descent with uniform sampling: with the budget full, a support
 * vector drawn uniformly goes and the others grow by B/(B−1), so that the function is unchanged in
 * expectation.
 *
 * <p>P. Zhao, J. Wang, P. Wu, R. Jin and S. C. H. Hoi, "Fast Bounded Online Gradient Descent
 * Algorithms for Scalable Kernel-Based Online Learning", ICML 2012. The growth is bounded by
 * clipping coefficients to ±η, the size of one step of the hinge loss; for numbers, whose steps are
 * η·(y − f), to ±η·max|y|. λ is 0, as in {@link KernelGradientDescent}. A step costs O(B·d).
 */
public final class BudgetGradientDescent extends ExpansionBaseline {
  private final int budget;
  private final double eta;
  private final Random random;
  private double largest;

  /**
   * One that has seen nothing; reads γ, η, B and the seed.
   *
   * @param task classification or regression
   * @param settings parameters of the method; others than those named are ignored
   */
  public BudgetGradientDescent(Task task, Settings settings) {
    super(task, settings.gamma());
    budget = settings.budget();
    eta = settings.eta();
    random = new Random(settings.seed());
    largest = task == Task.CLASSIFICATION ? 1 : 0;
  }

  @Override
  protected void step(FeatureVector x, double y, double weight) {
    if (task() == Task.REGRESSION) {
      largest = Math.max(largest, Math.abs(y));
    }
    double amount = eta * weight * descent(y);
    if (amount == 0) {
      return;
    }
    if (size() < budget) {
      pull(expansion.append(x), amount);
      return;
    }
    int slot = random.nextInt(budget);
    expansion.shrink(budget / (budget - 1.0));
    clip();
    expansion.replace(slot, x);
    pull(slot, amount);
  }

  private void clip() {
    double most = eta * largest;
    for (int j = 0; j < columns(); j++) {
      for (int i = 0; i < budget; i++) {
        double value = expansion.coefficient(j, i);
        if (Math.abs(value) > most) {
          expansion.setCoefficient(j, i, Math.copySign(most, value));
        }
      }
    }
  }
}
