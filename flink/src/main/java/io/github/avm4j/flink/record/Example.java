// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import io.github.avm4j.feature.FeatureVector;

/**
 * One instance of a stream.
 *
 * @param id names it, for joining labels and for finding its answer; empty if nobody asked
 * @param key whose it is (user, sensor, merchant); empty if nobody asked
 * @param x its features; owned by the example, not a reader's view
 * @param y the label's number or the target; NaN if it is not known (yet)
 * @param weight at least 0
 * @param time event time in milliseconds since 1970
 */
public record Example(String id, String key, FeatureVector x, double y, double weight, long time) {

  /** Whether the label is known. */
  public boolean isLabelled() {
    return !Double.isNaN(y);
  }

  /** This example with that label. */
  public Example withLabel(double label) {
    return new Example(id, key, x, label, weight, time);
  }
}
