// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.sink;

import io.github.avm4j.feature.Schema;
import io.github.avm4j.flink.record.Verdict;
import io.github.avm4j.pipeline.RowDetector;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.apache.flink.api.common.serialization.Encoder;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** Writes verdicts as JSON: records of a topic by id, or lines of a file. */
final class VerdictFormat implements KafkaRecordSerializationSchema<Verdict>, Encoder<Verdict> {
  private static final long serialVersionUID = 1;

  private final String topic;
  private final byte[] start;
  private transient @Nullable Schema schema;

  /**
   * With the names of the features in a detector's file.
   *
   * @param topic name of the topic; empty for files
   */
  VerdictFormat(String topic, byte[] start) {
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
      Verdict verdict, KafkaSinkContext context, @Nullable Long time) {
    byte[] id = verdict.id().getBytes(StandardCharsets.UTF_8);
    return new ProducerRecord<>(topic, id, JsonLines.verdict(verdict, schema()));
  }

  @Override
  public void encode(Verdict verdict, OutputStream out) throws IOException {
    out.write(JsonLines.verdict(verdict, schema()));
    out.write('\n');
  }
}
