// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.sink;

import io.github.avm4j.feature.Schema;
import io.github.avm4j.flink.record.Detection;
import io.github.avm4j.pipeline.RowDetector;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.apache.flink.api.common.serialization.Encoder;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** Writes detections as JSON: records of a topic by id, or lines of a file. */
final class DetectionFormat
    implements KafkaRecordSerializationSchema<Detection>, Encoder<Detection> {
  private static final long serialVersionUID = 1;

  private final String topic;
  private final byte[] start;
  private transient @Nullable Schema schema;

  /**
   * With the names of the features in a detector's file.
   *
   * @param topic name of the topic; empty for files
   */
  DetectionFormat(String topic, byte[] start) {
    this.topic = topic;
    this.start = start.clone();
  }

  private Schema schema() {
    Schema known = schema;
    if (known == null) {
      known = RowDetector.read(start).schema();
      schema = known;
    }
    return known;
  }

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      Detection detection, KafkaSinkContext context, @Nullable Long time) {
    byte[] id = detection.id().getBytes(StandardCharsets.UTF_8);
    return new ProducerRecord<>(topic, id, JsonLines.detection(detection, schema()));
  }

  @Override
  public void encode(Detection detection, OutputStream out) throws IOException {
    out.write(JsonLines.detection(detection, schema()));
    out.write('\n');
  }
}
