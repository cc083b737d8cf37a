// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.lab.baselines;

import io.github.avm4j.baselines.Settings;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;

/**
 * BPAS, the budgeted passive-aggressive classifier with the simple update: the new function is the
 * nearest to the old one that gives up one support vector r and changes no coefficient but the new
 * instance's.
 *
 * <p>Z. Wang and S. Vucetic, "Online Passive-Aggressive Algorithms on a Budget", AISTATS 2010,
 * BPA-S. With K(x,x) = 1 the solution is: r minimises a_r²(1 − k_r²), k_r = K(x_r, x), and x gets
 * a_r·k_r + y·τ with τ = min(C, l). With many classes a_r is a vector and τ = min(C, l/2). A step
 * costs O(B·d).
 */
public final class BudgetPassiveAggressive extends ExpansionBaseline {
  private final int budget;
  private final double c;

  /**
   * For classes; reads γ, B and C.
   *
   * @param settings parameters of the method; others than those named are ignored
   */
  public BudgetPassiveAggressive(Settings settings) {
    super(Task.CLASSIFICATION, settings.gamma());
    budget = settings.budget();
    c = settings.c();
  }

  @Override
  protected void step(FeatureVector x, double y, double weight) {
    double loss = 1 - margin();
    if (loss <= 0) {
      return;
    }
    double amount = Math.min(weight * c, loss / norm());
    if (size() < budget) {
      pull(expansion.append(x), amount);
      return;
    }
    int slot = cheapest();
    double similarity = expansion.kernel()[slot];
    double[] inherited = new double[columns()];
    for (int j = 0; j < inherited.length; j++) {
      inherited[j] = similarity * expansion.coefficient(j, slot);
    }
    expansion.replace(slot, x);
    for (int j = 0; j < inherited.length; j++) {
      expansion.setCoefficient(j, slot, inherited[j]);
    }
    pull(slot, amount);
  }

  /** argmin_r ‖a_r‖²(1 − k_r²). */
  private int cheapest() {
    double[] kernel = expansion.kernel();
    int best = 0;
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < budget; i++) {
      double cost = expansion.squaredNorm(i) * (1 - kernel[i] * kernel[i]);
      if (cost < least) {
        least = cost;
        best = i;
      }
    }
    return best;
  }
}
