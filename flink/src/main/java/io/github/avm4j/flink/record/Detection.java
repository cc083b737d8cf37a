// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import io.github.avm4j.detector.AnomalyExplanation;
import java.util.List;

/**
 * What a detector of anomalies says of one example, before it learned from it.
 *
 * @param id id of the example
 * @param key key of the example
 * @param pValue share of recent normal examples that were at least as unusual
 * @param score soft distance to the core points
 * @param alarm whether the p-value is at most the detector's level
 * @param features the features that an alarm is due to, largest share first; empty if it is none
 * @param time event time of the example
 */
public record Detection(
    String id,
    String key,
    double pValue,
    double score,
    boolean alarm,
    List<AnomalyExplanation.Feature> features,
    long time) {

  /**
   * Copies the features.
   *
   * @param id id of the example
   * @param key key of the example
   * @param pValue the p-value
   * @param score the score
   * @param alarm whether it is an alarm
   * @param features the features that an alarm is due to
   * @param time event time of the example
   */
  public Detection {
    features = List.copyOf(features);
  }
}
