// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.lab.baselines;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.coreset.CoreDistances;
import io.github.avm4j.internal.coreset.CoreSet;
import java.util.ArrayList;
import java.util.List;

/**
 * Centres by Lloyd's iteration ("Least Squares Quantization in PCM", IEEE Trans. Information Theory
 * 28, 1982): every point goes to its nearest centre, every centre to the mean of its points; one
 * that has none stays. Each round lowers the sum of squared distances or ends.
 *
 * <p>O(n·k·d) a round; k·d doubles.
 */
final class KMeans {
  private final List<FeatureVector> points;
  private final int dimension;
  private final CoreDistances distances = new CoreDistances();
  private CoreSet centres;

  /** The first {@code k} points, or all there are, as centres. */
  KMeans(List<FeatureVector> points, int k) {
    this.points = points;
    this.dimension = points.stream().mapToInt(FeatureVector::dimension).max().orElse(0);
    this.centres = set(points.subList(0, Math.min(k, points.size())));
  }

  private static CoreSet set(List<FeatureVector> points) {
    FeatureVector first = points.get(0);
    CoreSet set = first.isSparse() ? CoreSet.sparse(0) : CoreSet.dense(first.count());
    for (FeatureVector x : points) {
      set = set.roomFor(x);
      set.append(x, true);
    }
    return set;
  }

  /** At most so many rounds; returns itself. */
  KMeans run(int rounds) {
    double before = Double.POSITIVE_INFINITY;
    for (int round = 0; round < rounds; round++) {
      double cost = round();
      if (!(cost < before)) {
        break;
      }
      before = cost;
    }
    return this;
  }

  /** Moves the centres once; Σ‖x − nearest centre‖² before that. */
  double round() {
    int k = centres.size();
    double[][] sums = new double[k][dimension];
    int[] counts = new int[k];
    double cost = 0;
    for (FeatureVector x : points) {
      distances.measure(centres, x);
      cost += distances.nearestSquared();
      counts[distances.nearest()]++;
      double[] sum = sums[distances.nearest()];
      for (int i = 0; i < x.count(); i++) {
        sum[x.isSparse() ? x.indices()[i] : i] += x.values()[i];
      }
    }
    List<FeatureVector> moved = new ArrayList<>();
    for (int c = 0; c < k; c++) {
      moved.add(counts[c] == 0 ? centres.point(c) : mean(sums[c], counts[c]));
    }
    centres = set(moved);
    return cost;
  }

  private FeatureVector mean(double[] sum, int count) {
    int[] indices = new int[sum.length];
    double[] values = new double[sum.length];
    int n = 0;
    for (int j = 0; j < sum.length; j++) {
      if (sum[j] != 0) {
        indices[n] = j;
        values[n++] = sum[j] / count;
      }
      sum[j] /= count;
    }
    return points.get(0).isSparse()
        ? FeatureVector.sparse(indices, values, n)
        : FeatureVector.dense(sum);
  }

  CoreSet centres() {
    return centres;
  }
}
