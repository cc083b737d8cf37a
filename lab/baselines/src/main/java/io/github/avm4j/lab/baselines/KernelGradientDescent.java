// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.lab.baselines;

import io.github.avm4j.baselines.Settings;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;

/**
 * Kernel online gradient descent without a budget: f ← (1 − ηλ)f − η·l′·Φ(x).
 *
 * <p>J. Kivinen, A. J. Smola and R. C. Williamson, "Online Learning with Kernels", IEEE
 * Transactions on Signal Processing 52 (2004). λ is 0 here, as in the comparison of Lu et al.
 * (2016) that AVM's paper follows. The n-th step costs O(support vectors·d).
 */
public final class KernelGradientDescent extends ExpansionBaseline {
  private final double eta;

  /**
   * One that has seen nothing; reads γ and η.
   *
   * @param task classification or regression
   * @param settings parameters of the method; others than those named are ignored
   */
  public KernelGradientDescent(Task task, Settings settings) {
    super(task, settings.gamma());
    eta = settings.eta();
  }

  @Override
  protected void step(FeatureVector x, double y, double weight) {
    double amount = eta * weight * descent(y);
    if (amount != 0) {
      pull(expansion.append(x), amount);
    }
  }
}
