// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

/**
 * A prediction for one example.
 *
 * @param id id of the example
 * @param key key of the example
 * @param value index of the predicted class, or the predicted number; NaN before anything is
 *     learned
 * @param label true label or target; NaN if it was not known at the time
 * @param version version of the model that predicted: the number of instances it had learned from
 * @param time event time of the example
 */
public record Prediction(
    String id, String key, double value, double label, long version, long time) {}
