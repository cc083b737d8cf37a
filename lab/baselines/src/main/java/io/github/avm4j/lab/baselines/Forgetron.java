// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.lab.baselines;

import io.github.avm4j.baselines.Settings;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;

/**
 * The self-tuned Forgetron: with the budget full, all coefficients shrink by φ and the oldest
 * support vector goes. φ is the largest in (0, 1] for which the damage of all removals stays within
 * 15/32 of the number of mistakes.
 *
 * <p>O. Dekel, S. Shalev-Shwartz and Y. Singer, "The Forgetron: A Kernel-Based Perceptron on a
 * Budget", SIAM Journal on Computing 37 (2008): the damage of removing a support vector of weight σ
 * with margin μ is Ψ(σ, μ) = σ² + 2σ − 2σμ; φ solves Ψ(φσ, φμ) + Q ≤ 15/32·M. With two columns a
 * direction has the squared norm 2, which multiplies σ². A removal costs a second distance pass.
 *
 * <p>The paper knows two classes. For numbers the same is done with the updates of {@link
 * #mistake}; M counts them.
 */
public final class Forgetron extends ExpansionBaseline {
  private static final double SHARE = 15.0 / 32;

  private final int budget;
  private final double eta;

  /** Of each slot, the column that its direction pulls, the rival, and σ with its sign. */
  private final int[] columnOf;

  private final int[] rivalOf;
  private final double[] sigma;
  private int oldest;
  private double damage;
  private double mistakes;

  /**
   * One that has seen nothing; reads γ, B, and η for numbers.
   *
   * @param task classification or regression
   * @param settings parameters of the method; others than those named are ignored
   */
  public Forgetron(Task task, Settings settings) {
    super(task, settings.gamma());
    budget = settings.budget();
    eta = settings.eta();
    columnOf = new int[budget];
    rivalOf = new int[budget];
    sigma = new double[budget];
  }

  @Override
  protected void step(FeatureVector x, double y, double weight) {
    double amount = weight * mistake(y, eta);
    if (amount == 0) {
      return;
    }
    mistakes++;
    int slot;
    if (size() < budget) {
      slot = expansion.append(x);
    } else {
      slot = oldest;
      oldest = (oldest + 1) % budget;
      amount *= forget(slot, amount);
      expansion.replace(slot, x);
    }
    pull(slot, amount);
    columnOf[slot] = column();
    rivalOf[slot] = rival();
    sigma[slot] = sign() * amount;
  }

  /** Shrinks all coefficients before a removal and returns φ. */
  private double forget(int slot, double amount) {
    double weight = Math.abs(sigma[slot]);
    double phi = weight == 0 ? 1 : tune(slot, weight, marginAfter(slot, amount));
    expansion.shrink(phi);
    for (int i = 0; i < budget; i++) {
      sigma[i] *= phi;
    }
    return phi;
  }

  private double tune(int slot, double weight, double margin) {
    double square = (rivalOf[slot] == NONE ? 1 : 2) * weight * weight - 2 * weight * margin;
    double rest = damage - SHARE * mistakes;
    double phi = 1;
    if (square + 2 * weight + rest > 0) {
      double root = Math.sqrt(Math.max(0, weight * weight - square * rest));
      phi = Math.min(1, Math.max(0, -rest / (weight + root)));
    }
    damage += phi * phi * square + 2 * phi * weight;
    return phi;
  }

  /** The margin of a support vector once the instance at hand was added with {@code amount}. */
  private double marginAfter(int slot, double amount) {
    double similarity = expansion.kernel()[slot];
    double[] kernel = expansion.kernelOf(slot);
    double own =
        expansion.score(columnOf[slot], kernel) + added(columnOf[slot], amount, similarity);
    if (rivalOf[slot] == NONE) {
      return Math.signum(sigma[slot]) * own;
    }
    int other = rivalOf[slot];
    return own - expansion.score(other, kernel) - added(other, amount, similarity);
  }

  private double added(int j, double amount, double similarity) {
    return j == column() ? sign() * amount * similarity : j == rival() ? -amount * similarity : 0;
  }

  @Override
  protected void setColumns(int count) {
    if (columns() == 1) {
      for (int i = 0; i < size(); i++) {
        columnOf[i] = sigma[i] < 0 ? 0 : 1;
        rivalOf[i] = 1 - columnOf[i];
        sigma[i] = Math.abs(sigma[i]) / 2;
      }
    }
    super.setColumns(count);
  }
}
