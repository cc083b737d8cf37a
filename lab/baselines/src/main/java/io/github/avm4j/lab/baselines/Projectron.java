// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.lab.baselines;

import io.github.avm4j.baselines.Settings;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;

/**
 * The Projectron and Projectron++: an instance that the span of the support vectors nearly holds is
 * projected onto it instead of being kept.
 *
 * <p>F. Orabona, J. Keshet and B. Caputo, "Bounded Kernel-Based Online Learning", Journal of
 * Machine Learning Research 10 (2009), Algorithms 2 and 3. ‖δ‖ is the distance to the span and η
 * the threshold; once the budget is full, every update is projected. Projectron++ also learns from
 * correct predictions with a margin below 1: it moves by τ·PΦ(x), τ = min{l, 2(l − ‖δ‖/η), 1} with
 * both losses over ‖PΦ(x)‖², provided that l &gt; ‖δ‖/η.
 *
 * <p>An update costs O(B²); Projectron++ pays it within the margin too. The thresholds are 0.01 and
 * 0.1: AVM's paper does not tell what it used.
 */
public final class Projectron extends ExpansionBaseline {
  /**
   * ‖δ‖² that counts as 0: with less, rounding spoils the inverse within some ten thousand rows.
   */
  private static final double IN_SPAN = 1e-4;

  private static final double EAGER_THRESHOLD = 0.1;

  private final InverseGram inverse = new InverseGram();
  private final boolean eager;
  private final double threshold;
  private final int budget;
  private final double eta;

  private Projectron(Task task, Settings settings, boolean eager) {
    super(task, settings.gamma());
    this.eager = eager;
    threshold = eager ? EAGER_THRESHOLD : 0;
    budget = settings.budget();
    eta = settings.eta();
  }

  /**
   * {@return a Projectron; it reads γ, B, and the step η for regression}
   *
   * @param task classification or regression
   * @param settings parameters of the method; others than those named are ignored
   */
  public static Projectron plain(Task task, Settings settings) {
    return new Projectron(task, settings, false);
  }

  /**
   * {@return a Projectron++, for classification only; it reads γ and B}
   *
   * @param settings parameters of the method; others than those named are ignored
   */
  public static Projectron plusPlus(Settings settings) {
    return new Projectron(Task.CLASSIFICATION, settings, true);
  }

  @Override
  protected void step(FeatureVector x, double y, double weight) {
    double amount = weight * mistake(y, eta);
    if (amount != 0) {
      update(x, amount);
    } else if (eager && margin() < 1) {
      withinMargin(weight);
    }
  }

  private void update(FeatureVector x, double amount) {
    double residual = inverse.residual(expansion.kernel());
    boolean novel = residual > Math.max(IN_SPAN, threshold * threshold);
    if (novel && size() < budget) {
      inverse.append(residual);
      pull(expansion.append(x), amount);
    } else {
      pullProjection(amount);
    }
  }

  private void withinMargin(double weight) {
    double residual = inverse.residual(expansion.kernel());
    double loss = 1 - margin();
    double progress = loss - Math.sqrt(norm() * residual) / threshold;
    double projected = norm() * (1 - residual);
    if (progress > 0 && projected > 0) {
      pullProjection(weight * Math.min(1, Math.min(loss, 2 * progress) / projected));
    }
  }

  private void pullProjection(double amount) {
    expansion.addScaled(column(), sign() * amount, inverse.projection());
    if (rival() != NONE) {
      expansion.addScaled(rival(), -amount, inverse.projection());
    }
  }

  @Override
  public long modelBytes() {
    return super.modelBytes() + inverse.bytes();
  }
}
