// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.baselines.comparison;

import io.github.avm4j.feature.FeatureVector;
import java.util.List;
import java.util.Random;

/**
 * Euclidean distances between random pairs of rows, from which the paper chooses δ (Section 9.2):
 * twice their mean, give or take twice their deviation.
 *
 * @param mean of the distances; 1 where all rows are equal
 * @param deviation of the distances
 */
public record PairDistances(double mean, double deviation) {

  /**
   * {@return the distances of {@code pairs} pairs drawn with a seed}
   *
   * @param rows the rows, not changed
   * @param pairs number of pairs
   * @param seed seed of the random draws
   */
  public static PairDistances of(List<FeatureVector> rows, int pairs, long seed) {
    Random random = new Random(seed);
    double sum = 0;
    double squares = 0;
    for (int p = 0; p < pairs; p++) {
      FeatureVector a = rows.get(random.nextInt(rows.size()));
      FeatureVector b = rows.get(random.nextInt(rows.size()));
      double dot = 0;
      for (int k = 0; k < a.count(); k++) {
        dot += a.values()[k] * b.get(a.isSparse() ? a.indices()[k] : k);
      }
      double squared = Math.max(0, a.squaredNorm() + b.squaredNorm() - 2 * dot);
      sum += Math.sqrt(squared);
      squares += squared;
    }
    double mean = sum / pairs;
    double variance = Math.max(0, squares / pairs - mean * mean);
    return mean > 0 ? new PairDistances(mean, Math.sqrt(variance)) : new PairDistances(1, 0);
  }
}
