// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.lab.baselines;

import io.github.avm4j.baselines.ColumnLearner;
import io.github.avm4j.baselines.Settings;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.simd.VectorOps;
import io.github.avm4j.internal.simd.VectorOpsProvider;
import io.github.avm4j.loss.Loss;

/**
 * FOGD, Fourier online gradient descent: w ← w − η·l′·z(x) over random Fourier features.
 *
 * <p>J. Lu, S. C. H. Hoi, J. Wang, P. Zhao and Z.-Y. Liu, "Large Scale Online Kernel Learning",
 * Journal of Machine Learning Research 17 (2016), Algorithm 2. Features are scaled by D^−½, so η
 * means the same as in {@link KernelGradientDescent}. A step costs O(D·d).
 */
public final class FourierGradientDescent extends ColumnLearner {
  private static final VectorOps OPS = VectorOpsProvider.get();

  private final FourierFeatures features;
  private final Loss loss;
  private final double eta;
  private double[][] weights;
  private double[] z = {};
  private boolean begun;

  /**
   * One that has seen nothing; reads γ, η, D and the seed.
   *
   * @param task classification or regression
   * @param settings parameters of the method; others than those named are ignored
   */
  public FourierGradientDescent(Task task, Settings settings) {
    super(task);
    features = new FourierFeatures(settings.randomFeatures(), settings.gamma(), settings.seed());
    loss = ExpansionBaseline.lossOf(task);
    eta = settings.eta();
    weights = new double[1][features.size()];
  }

  @Override
  protected void checkMore(FeatureVector x) {
    features.check(x);
  }

  @Override
  protected void begin(FeatureVector first) {
    begun = true;
  }

  @Override
  protected void represent(FeatureVector x) {
    z = features.of(x);
  }

  @Override
  protected double score(int j) {
    return OPS.dot(weights[j], z, z.length);
  }

  @Override
  protected void step(FeatureVector x, double y, double weight) {
    double slope =
        task() == Task.REGRESSION ? loss.derivative(margin(), y) : loss.derivative(margin(), 1);
    double amount = -eta * weight * slope;
    if (amount != 0) {
      OPS.addScaled(sign() * amount, z, weights[column()], z.length);
      if (rival() != NONE) {
        OPS.addScaled(-amount, z, weights[rival()], z.length);
      }
    }
  }

  @Override
  protected void setColumns(int count) {
    weights = grown(weights, count);
  }

  /** Number of features 2D, once something was learned. */
  @Override
  public int size() {
    return begun ? features.size() : 0;
  }

  @Override
  public long modelBytes() {
    return features.bytes() + 8L * weights.length * features.size();
  }
}
