// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.record;

import java.util.List;
import org.jspecify.annotations.Nullable;

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
 * @param range of a regression the ends of the interval, of a classification the labels of the
 *     prediction set; null if none was asked for, or the learner does not keep the level
 * @param wantsLabel whether a label should be sent for the example; null if it came with one, or
 *     nobody decides
 */
public record Prediction(
    String id,
    String key,
    double value,
    double label,
    long version,
    long time,
    @Nullable List<Double> range,
    @Nullable Boolean wantsLabel) {

  /**
   * Copies the range.
   *
   * @param id id of the example
   * @param key key of the example
   * @param value the prediction
   * @param label true label or target; NaN if it was not known at the time
   * @param version version of the model that predicted
   * @param time event time of the example
   * @param range ends of an interval, labels of a prediction set, or null
   * @param wantsLabel whether a label should be sent, or null
   */
  public Prediction {
    range = range == null ? null : List.copyOf(range);
  }

  /**
   * A prediction of which nobody decides whether it wants a label.
   *
   * @param id id of the example
   * @param key key of the example
   * @param value the prediction
   * @param label true label or target; NaN if it was not known at the time
   * @param version version of the model that predicted
   * @param time event time of the example
   * @param range ends of an interval, labels of a prediction set, or null
   */
  public Prediction(
      String id,
      String key,
      double value,
      double label,
      long version,
      long time,
      @Nullable List<Double> range) {
    this(id, key, value, label, version, time, range, null);
  }

  /**
   * A prediction without interval or prediction set.
   *
   * @param id id of the example
   * @param key key of the example
   * @param value the prediction
   * @param label true label or target; NaN if it was not known at the time
   * @param version version of the model that predicted
   * @param time event time of the example
   */
  public Prediction(String id, String key, double value, double label, long version, long time) {
    this(id, key, value, label, version, time, null);
  }

  /**
   * The prediction for an example.
   *
   * @param example the example
   * @param value the prediction
   * @param version version of the model that predicted
   * @param range ends of an interval, labels of a prediction set, or null
   * @return the prediction
   */
  public static Prediction of(
      Example example, double value, long version, @Nullable List<Double> range) {
    return new Prediction(
        example.id(), example.key(), value, example.y(), version, example.time(), range);
  }

  /**
   * {@return this prediction with that mark}
   *
   * @param wanted whether a label should be sent for the example
   */
  public Prediction withWantsLabel(boolean wanted) {
    return new Prediction(id, key, value, label, version, time, range, wanted);
  }
}
