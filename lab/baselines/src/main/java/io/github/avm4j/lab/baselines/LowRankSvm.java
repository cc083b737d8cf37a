// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.lab.baselines;

import io.github.avm4j.baselines.Settings;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.coreset.CoreDistances;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.simd.VectorOps;
import io.github.avm4j.internal.simd.VectorOpsProvider;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.model.Predictor;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * LLSVM, the low-rank linearised SVM of two classes: Nyström's map over B landmarks, then a linear
 * SVM in it.
 *
 * <p>K. Zhang, L. Lan, Z. Wang and F. Moerchen, "Scaling up Kernel SVM on Limited Resources: A
 * Low-rank Linearization Approach", AISTATS 2012. The linear problem is solved by dual coordinate
 * descent (Hsieh et al., "A Dual Coordinate Descent Method for Large-scale Linear SVM", ICML 2008,
 * L1 loss), {@value #PASSES} passes. Landmarks are k-means centres, which the paper prefers to
 * random ones, of at most {@value #SAMPLE}·B rows drawn at random, {@value #ROUNDS} rounds. O(n·B²)
 * and n·B doubles.
 */
final class LowRankSvm extends FixedClassifier {
  private static final VectorOps OPS = VectorOpsProvider.get();
  private static final int PASSES = 10;
  private static final int SAMPLE = 20;
  private static final int ROUNDS = 5;

  private final CoreSet landmarks;
  private final Gaussian kernel;
  private final Nystrom map;
  private final CoreDistances distances = new CoreDistances();
  private final double[] coefficients;
  private double intercept;

  private LowRankSvm(double[] labels, CoreSet landmarks, Gaussian kernel) {
    super(labels);
    this.landmarks = landmarks;
    this.kernel = kernel;
    this.map = new Nystrom(landmarks, kernel, landmarks.size());
    this.coefficients = new double[landmarks.size()];
  }

  static Predictor train(List<FeatureVector> x, double[] y, Settings settings) {
    double[] labels = labels(y);
    if (labels.length > 2) {
      throw new IllegalArgumentException("llsvm knows two classes, found " + labels.length);
    }
    Random random = new Random(settings.seed());
    int[] order = IntStream.range(0, x.size()).toArray();
    shuffle(order, random);
    long sample = Math.min(x.size(), (long) SAMPLE * settings.budget());
    List<FeatureVector> drawn = IntStream.of(order).limit(sample).mapToObj(x::get).toList();
    CoreSet landmarks = new KMeans(drawn, settings.budget()).run(ROUNDS).centres();
    LowRankSvm model = new LowRankSvm(labels, landmarks, new Gaussian(settings.gamma()));
    model.solve(x, y, labels[1], settings.c(), order, random);
    return model;
  }

  private void solve(
      List<FeatureVector> x, double[] y, double positive, double c, int[] order, Random random) {
    int rank = map.rank();
    double[][] z = new double[x.size()][rank];
    for (int i = 0; i < z.length; i++) {
      distances.fill(landmarks, x.get(i), kernel);
      map.map(distances.kernel(), z[i]);
    }
    double[] dual = new double[z.length];
    double[] w = new double[rank];
    for (int pass = 0; pass < PASSES; pass++) {
      shuffle(order, random);
      for (int i : order) {
        double target = y[i] == positive ? 1 : -1;
        double gradient = target * (OPS.dot(w, z[i], rank) + intercept) - 1;
        double norm = OPS.dot(z[i], z[i], rank) + 1;
        double next = Math.min(c, Math.max(0, dual[i] - gradient / norm));
        double change = (next - dual[i]) * target;
        dual[i] = next;
        if (change != 0) {
          OPS.addScaled(change, z[i], w, rank);
          intercept += change;
        }
      }
    }
    map.addCoefficients(1, w, coefficients);
  }

  private static void shuffle(int[] order, Random random) {
    for (int i = order.length - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int kept = order[i];
      order[i] = order[j];
      order[j] = kept;
    }
  }

  @Override
  double[] columns(FeatureVector x) {
    distances.fill(landmarks, x, kernel);
    return new double[] {OPS.dot(coefficients, distances.kernel(), landmarks.size()) + intercept};
  }

  @Override
  public int size() {
    return landmarks.size();
  }
}
