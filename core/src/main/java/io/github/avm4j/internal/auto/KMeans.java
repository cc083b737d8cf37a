// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.coreset.CoreDistances;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.paper.SplitMix64;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Centres of a set of vectors by Lloyd's algorithm; the same vectors give the same centres. */
public final class KMeans {
  private static final int ROUNDS = 10;

  /** Most instances that centres are found from. */
  private static final int SAMPLE = 8000;

  private KMeans() {}

  /**
   * Centres of a sample of vectors; null if they are too few or of two forms.
   *
   * @param count most centres
   */
  public static @Nullable CoreSet ofSample(List<FeatureVector> all, Scaling scaling, int count) {
    Scaling.Scaler scaler = new Scaling.Scaler(scaling);
    List<FeatureVector> sample = new ArrayList<>();
    int size = Math.min(SAMPLE, all.size());
    for (int i = 0; i < size; i++) {
      int place = (int) ((long) i * all.size() / size);
      sample.add(scaler.scale(all.get(place)).copy());
    }
    if (sample.isEmpty()
        || sample.stream().anyMatch(z -> z.isSparse() != sample.get(0).isSparse())) {
      return null;
    }
    CoreSet centres = centres(sample, count);
    return centres.size() < 2 ? null : centres;
  }

  /** Elements of vectors that are compared with centres to find so many. */
  public static double work(int vectors, int count, int features) {
    return (double) (ROUNDS + 1) * Math.min(SAMPLE, vectors) * count * features;
  }

  /**
   * At most k centres that differ.
   *
   * @param vectors all dense and of one length, or all sparse
   */
  static CoreSet centres(List<FeatureVector> vectors, int k) {
    CoreSet centres = first(vectors, k);
    for (int round = 0; round < ROUNDS && isMeasurable(centres); round++) {
      centres = moved(vectors, centres);
    }
    return centres;
  }

  /** Means of sparse vectors in an inverted index would have values for most features. */
  private static boolean isMeasurable(CoreSet centres) {
    return !centres.storesPostings();
  }

  private static CoreSet first(List<FeatureVector> vectors, int k) {
    SplitMix64 random = new SplitMix64(vectors.size());
    CoreDistances distances = new CoreDistances();
    CoreSet centres = empty(vectors);
    for (int tries = 0; tries < 4 * k && centres.size() < k; tries++) {
      FeatureVector chosen = vectors.get((int) (random.nextDouble() * vectors.size()));
      distances.measure(centres, chosen);
      if (distances.nearestSquared() > 0) {
        centres = centres.roomFor(chosen);
        centres.append(chosen, true);
      }
    }
    return centres;
  }

  private static CoreSet empty(List<FeatureVector> vectors) {
    FeatureVector one = vectors.get(0);
    int dimension = vectors.stream().mapToInt(FeatureVector::dimension).max().orElseThrow();
    return one.isSparse() ? CoreSet.sparse(dimension) : CoreSet.dense(one.dimension());
  }

  /** The means of the vectors nearest to each centre; a centre that has none stays. */
  private static CoreSet moved(List<FeatureVector> vectors, CoreSet centres) {
    double[][] sums = new double[centres.size()][centres.dimension()];
    int[] counts = new int[centres.size()];
    CoreDistances distances = new CoreDistances();
    for (FeatureVector x : vectors) {
      distances.measure(centres, x);
      int nearest = distances.nearest();
      counts[nearest]++;
      for (int j = 0; j < x.count(); j++) {
        sums[nearest][x.isSparse() ? x.indices()[j] : j] += x.values()[j];
      }
    }
    CoreSet moved = centres.empty();
    for (int i = 0; i < centres.size(); i++) {
      FeatureVector mean = counts[i] == 0 ? centres.point(i) : mean(sums[i], counts[i]);
      moved = moved.roomFor(mean);
      moved.append(mean, true);
    }
    return moved;
  }

  private static FeatureVector mean(double[] sum, int count) {
    for (int j = 0; j < sum.length; j++) {
      sum[j] /= count;
    }
    return FeatureVector.dense(sum);
  }
}
