// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.flink.record.BadRecord;
import io.github.avm4j.flink.record.Detection;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.Formats;
import io.github.avm4j.flink.record.ModelVersion;
import java.time.Duration;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/**
 * Detection of anomalies as a part of any job: {@link DetectAnomalies} on keyed examples. Operators
 * have fixed uids that begin with the name.
 *
 * @param detections what is said of each example before it was learned
 * @param models the versions of the detector; empty with one per key
 * @param refused the examples that no detector accepted
 */
public record AnomalyDetection(
    DataStream<Detection> detections,
    DataStream<ModelVersion> models,
    DataStream<BadRecord> refused) {

  /**
   * Judges and learns with one detector per key.
   *
   * @param examples the examples; those with a label are feedback, 1 for an anomaly
   * @param name begins the operator's uid
   * @param start the detector that each key begins with
   * @param timeToLive of event time after which a silent key is forgotten; zero for never
   * @param parallelism of the operator
   * @return the streams that result
   */
  public static AnomalyDetection perKey(
      DataStream<Example> examples,
      String name,
      StartFiles start,
      Duration timeToLive,
      int parallelism) {
    return of(
        examples
            .keyBy(Example::key, Types.STRING)
            .process(new DetectAnomalies(start.file(), timeToLive, null), Formats.DETECTION.type())
            .setParallelism(parallelism),
        name);
  }

  /**
   * Judges and learns with one detector, in one subtask, and publishes it.
   *
   * @param examples the examples; those with a label are feedback, 1 for an anomaly
   * @param start the detector to begin with
   * @param publishing its name, and when it is published
   * @return the streams that result
   */
  public static AnomalyDetection perStream(
      DataStream<Example> examples, StartFiles start, DetectAnomalies.Publishing publishing) {
    return of(
        examples
            .keyBy(example -> "", Types.STRING)
            .process(
                new DetectAnomalies(start.file(), Duration.ZERO, publishing),
                Formats.DETECTION.type())
            .setParallelism(1),
        publishing.name());
  }

  private static AnomalyDetection of(SingleOutputStreamOperator<Detection> detect, String name) {
    detect.name("detect").uid(name + "-detect");
    return new AnomalyDetection(
        detect,
        detect.getSideOutput(DetectAnomalies.MODELS),
        detect.getSideOutput(DetectAnomalies.REFUSED));
  }
}
