// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.detector;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.anomaly.CoreClusters;
import io.github.avm4j.internal.anomaly.CoreSample;
import io.github.avm4j.internal.anomaly.Marginals;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Groups of instances that are alike, without labels and without their number: the clusters of a
 * detector's core points at the moment of the call.
 *
 * <pre>{@code
 * Detector detector = Avm.detector().build();
 * for (FeatureVector x : stream) {
 *   detector.detectThenLearn(x);
 * }
 * Clusters clusters = detector.clusters();
 * int cluster = clusters.of(stream.get(0));
 * FeatureVector typical = clusters.peak(cluster);
 * }</pre>
 *
 * <p>A cluster is a part of the core points in which one reaches the densest, the peak, over linked
 * neighbours; two are one unless the valley between them is deeper than chance makes it. They are
 * numbered by size, the largest first: numbers are not the same from one call of {@link
 * Detector#clusters} to the next. docs/clusters.md says what was measured.
 *
 * <p>Immutable, for any number of threads.
 */
public final class Clusters {
  private final @Nullable Marginals marginals;
  private final double[][] points;
  private final CoreClusters found;
  private final FeatureVector[] peaks;
  private final int[] sizes;

  Clusters(@Nullable CoreSample sample) {
    int n = sample == null ? 0 : sample.size();
    points = new double[n][];
    marginals = sample == null ? null : sample.marginals.copy();
    for (int i = 0; i < n; i++) {
      points[i] = new double[Objects.requireNonNull(sample).dimension];
      sample.scale(raw(sample, i), points[i]);
    }
    found = new CoreClusters(points);
    peaks = new FeatureVector[found.peaks.length];
    sizes = new int[peaks.length];
    for (int c = 0; c < peaks.length; c++) {
      peaks[c] = FeatureVector.dense(raw(Objects.requireNonNull(sample), found.peaks[c]));
    }
    for (int c : found.clusters) {
      sizes[c]++;
    }
  }

  private static double[] raw(CoreSample sample, int i) {
    double[] values = new double[sample.dimension];
    for (int j = 0; j < values.length; j++) {
      values[j] = sample.value(i, j);
    }
    return values;
  }

  /** {@return the number of clusters; 0 before the first instance} */
  public int count() {
    return peaks.length;
  }

  /**
   * The cluster of x: that of the nearest core point, however far that is. {@link Detector#pValue}
   * tells whether x is like anything seen before.
   *
   * @param x the instance
   * @return the cluster, in 0..{@link #count} − 1; −1 if there is none
   * @throws IllegalArgumentException if x has another number of features or an infinite one
   */
  public int of(FeatureVector x) {
    if (marginals == null || count() == 0) {
      return -1;
    }
    double[] z = new double[marginals.centre.length];
    marginals.read(x, z);
    for (int j = 0; j < z.length; j++) {
      z[j] = marginals.apply(j, z[j]);
    }
    int nearest = 0;
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < points.length; i++) {
      double squared = CoreClusters.squaredDistance(z, points[i]);
      if (squared < least) {
        least = squared;
        nearest = i;
      }
    }
    return found.clusters[nearest];
  }

  /**
   * {@link #of(FeatureVector)} of a dense vector.
   *
   * @param x the instance
   * @return the cluster, in 0..{@link #count} − 1; −1 if there is none
   */
  public int of(double... x) {
    return of(FeatureVector.dense(x));
  }

  /**
   * {@return the share of the core points, and so of recent instances, that are in a cluster}
   *
   * @param cluster 0 for the largest
   */
  public double share(int cluster) {
    return sizes[Objects.checkIndex(cluster, count())] / (double) points.length;
  }

  /**
   * {@return the core point in whose neighbourhood the cluster is densest, an instance of the
   * stream: show it only to those who may see instances}
   *
   * @param cluster 0 for the largest
   */
  public FeatureVector peak(int cluster) {
    return peaks[Objects.checkIndex(cluster, count())];
  }
}
