// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.lab.baselines;

import io.github.avm4j.baselines.Settings;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.simd.VectorOps;
import io.github.avm4j.internal.simd.VectorOpsProvider;
import io.github.avm4j.kernel.Gaussian;
import org.jspecify.annotations.Nullable;

/**
 * NOGD, Nyström online gradient descent: {@link KernelGradientDescent} until B support vectors are
 * found; these become landmarks and w ← w − η·l′·z(x) goes on in their Nyström map of rank 0.2·B.
 *
 * <p>J. Lu, S. C. H. Hoi, J. Wang, P. Zhao and Z.-Y. Liu, "Large Scale Online Kernel Learning",
 * Journal of Machine Learning Research 17 (2016), Algorithm 3. w starts as Λ^½Vᵀa, the old function
 * projected.
 *
 * <p>Only b = VΛ^−½w is kept: wᵀz(x) = Σ b_i·K(c_i, x), so a prediction costs O(B·d) and only a
 * step that changes w pays O(B·k) for the map, and as much to bring b along.
 */
public final class NystromGradientDescent extends ExpansionBaseline {
  private static final VectorOps OPS = VectorOpsProvider.get();
  private static final double RANK_SHARE = 0.2;

  private final Gaussian kernel;
  private final int budget;
  private final double eta;
  private @Nullable Nystrom map;
  private double[][] coefficients = {{}};
  private double[] z = {};

  /**
   * One that has seen nothing; reads γ, η and B.
   *
   * @param task classification or regression
   * @param settings parameters of the method; others than those named are ignored
   */
  public NystromGradientDescent(Task task, Settings settings) {
    super(task, settings.gamma());
    kernel = new Gaussian(settings.gamma());
    budget = settings.budget();
    eta = settings.eta();
  }

  @Override
  protected double score(int j) {
    return map == null ? expansion.score(j) : OPS.dot(coefficients[j], expansion.kernel(), budget);
  }

  @Override
  protected void step(FeatureVector x, double y, double weight) {
    double amount = eta * weight * descent(y);
    if (amount == 0) {
      return;
    }
    Nystrom fixed = map;
    if (fixed == null) {
      pull(expansion.append(x), amount);
      if (expansion.size() == budget) {
        map = landmarks();
      }
      return;
    }
    fixed.map(expansion.kernel(), z);
    fixed.addCoefficients(sign() * amount, z, coefficients[column()]);
    if (rival() != NONE) {
      fixed.addCoefficients(-amount, z, coefficients[rival()]);
    }
  }

  private Nystrom landmarks() {
    int rank = Math.max(1, (int) Math.round(RANK_SHARE * budget));
    Nystrom built = new Nystrom(expansion.set(), kernel, rank);
    z = new double[built.rank()];
    coefficients = new double[columns()][budget];
    double[] old = new double[budget];
    for (int j = 0; j < columns(); j++) {
      for (int i = 0; i < budget; i++) {
        old[i] = expansion.coefficient(j, i);
      }
      built.project(old, coefficients[j]);
    }
    return built;
  }

  @Override
  protected void setColumns(int count) {
    super.setColumns(count);
    coefficients = grown(coefficients, count);
  }

  @Override
  public long modelBytes() {
    Nystrom fixed = map;
    return super.modelBytes() + (fixed == null ? 0 : fixed.bytes());
  }
}
