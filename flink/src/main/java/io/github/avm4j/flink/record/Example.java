// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import io.github.avm4j.feature.FeatureVector;
import org.jspecify.annotations.Nullable;

/**
 * One instance of a stream.
 *
 * @param id identifies it, for joining labels and for finding its prediction; empty if not needed
 * @param key the user, sensor or merchant that it belongs to; empty if there are no keys
 * @param x its features; owned by the example, not a reader's view
 * @param y the label's number or the target; NaN if it is not known (yet)
 * @param weight at least 0
 * @param time event time in milliseconds since 1970
 * @param origin the record it was read from, to be written to the bad records if it is refused;
 *     null if there is none
 */
public record Example(
    String id,
    String key,
    FeatureVector x,
    double y,
    double weight,
    long time,
    @Nullable RawRecord origin) {

  /**
   * An example that was not read from a record.
   *
   * @param id identifies the example; empty if nothing does
   * @param key key of the learner; empty if there is none
   * @param x features of the instance
   * @param y label of the instance, or its target for regression
   * @param weight weight of the instance, ≥ 0
   * @param time milliseconds since 1970
   */
  public Example(String id, String key, FeatureVector x, double y, double weight, long time) {
    this(id, key, x, y, weight, time, null);
  }

  /** The same example with other features. */
  Example with(FeatureVector features) {
    return new Example(id, key, features, y, weight, time, origin);
  }

  /** {@return whether the label is known} */
  public boolean isLabelled() {
    return !Double.isNaN(y);
  }

  /**
   * {@return this example with that label}
   *
   * @param label the label or target
   */
  public Example withLabel(double label) {
    return new Example(id, key, x, label, weight, time, origin);
  }
}
