// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.lab.baselines;

import io.github.avm4j.baselines.Settings;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import java.util.Arrays;

/**
 * BSGD, budgeted stochastic gradient descent: Pegasos, which shrinks by 1 − 1/t and adds y/(λt) for
 * an instance within the margin, with a support vector too many removed or merged.
 *
 * <p>Z. Wang, K. Crammer and S. Vucetic, "Breaking the Curse of Kernelization: Budgeted Stochastic
 * Gradient Descent for Large-Scale SVM Training", Journal of Machine Learning Research 13 (2012).
 * Removal drops the one of least ‖a‖, the oldest on ties, O(B). Merging joins it with the partner
 * that {@link Merge} finds least harmful, O(B·d) and a line search a partner. For classes.
 */
public final class BudgetSgd extends ExpansionBaseline {
  private final int budget;
  private final double lambda;
  private final boolean merges;
  private final Merge merge;
  private double[] born = new double[32];
  private double steps;
  private int free = NONE;

  private BudgetSgd(Settings settings, boolean merges) {
    super(Task.CLASSIFICATION, settings.gamma());
    budget = settings.budget();
    lambda = settings.lambda();
    this.merges = merges;
    merge = new Merge(expansion, settings.gamma());
  }

  /**
   * {@return a learner BSGD-R, which removes; it reads γ, λ and B}
   *
   * @param settings parameters of the method; others than those named are ignored
   */
  public static BudgetSgd removing(Settings settings) {
    return new BudgetSgd(settings, false);
  }

  /**
   * {@return a learner BSGD-M, which merges; it reads γ, λ and B}
   *
   * @param settings parameters of the method; others than those named are ignored
   */
  public static BudgetSgd merging(Settings settings) {
    return new BudgetSgd(settings, true);
  }

  @Override
  protected void step(FeatureVector x, double y, double weight) {
    steps++;
    expansion.shrink(1 - 1 / steps);
    double amount = weight * descent(y) / (lambda * steps);
    if (amount == 0) {
      return;
    }
    int slot = place(x);
    pull(slot, amount);
    born = slot < born.length ? born : Arrays.copyOf(born, 2 * slot);
    born[slot] = steps;
    if (size() > budget) {
      maintain();
    }
  }

  private int place(FeatureVector x) {
    if (free == NONE) {
      return expansion.append(x);
    }
    int slot = free;
    free = NONE;
    expansion.replace(slot, x);
    return slot;
  }

  private void maintain() {
    int least = leastImportant();
    free = merges && merge.into(least) ? merge.freed() : least;
    for (int j = 0; j < columns(); j++) {
      expansion.setCoefficient(j, free, 0);
    }
  }

  /**
   * The slot of least ‖a‖, the oldest of those that differ by rounding alone: until something is
   * merged or repeated, Pegasos gives all support vectors the same |a| = 1/(λt).
   */
  private int leastImportant() {
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < expansion.size(); i++) {
      least = Math.min(least, expansion.squaredNorm(i));
    }
    int oldest = NONE;
    for (int i = 0; i < expansion.size(); i++) {
      boolean tied = expansion.squaredNorm(i) <= least * (1 + 1e-9);
      if (tied && (oldest == NONE || born[i] < born[oldest])) {
        oldest = i;
      }
    }
    return oldest;
  }

  /** The support vectors in use: the expansion keeps a place for the next one. */
  @Override
  public int size() {
    return expansion.size() - (free == NONE ? 0 : 1);
  }
}
