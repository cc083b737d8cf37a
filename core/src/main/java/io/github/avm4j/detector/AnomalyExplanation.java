// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.detector;

import io.github.avm4j.feature.FeatureVector;
import java.util.List;

/**
 * Why an instance has its score.
 *
 * @param score the score
 * @param pValue the p-value
 * @param features the features that the score is due to, largest share first
 * @param neighbours the core points nearest to the instance, nearest first
 */
public record AnomalyExplanation(
    double score, double pValue, List<Feature> features, List<Neighbour> neighbours) {

  /**
   * Copies the lists.
   *
   * @param score the score
   * @param pValue the p-value
   * @param features the features that the score is due to, largest share first
   * @param neighbours the core points nearest to the instance, nearest first
   */
  public AnomalyExplanation {
    features = List.copyOf(features);
    neighbours = List.copyOf(neighbours);
  }

  /**
   * What a feature has to do with a score.
   *
   * @param index index of the feature, from 0
   * @param value its value; NaN if it was missing
   * @param expected the mean of this feature over the core points that are like the instance in all
   *     other features
   * @param contribution by how much the score is lower without this feature, ≥ 0
   * @param share its part of the sum of all contributions, 0..1
   */
  public record Feature(
      int index, double value, double expected, double contribution, double share) {}

  /**
   * A core point near an instance.
   *
   * @param point index of the core point
   * @param example the core point, an instance of the stream
   * @param similarity exp(−γ‖·‖) of the narrowest kernel, 1 where it is the instance itself
   */
  public record Neighbour(int point, FeatureVector example, double similarity) {}
}
