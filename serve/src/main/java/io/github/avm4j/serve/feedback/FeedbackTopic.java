// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.feedback;

import io.github.avm4j.serve.models.Kafka;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * The topic that feedback goes to, for the training job. A record counts as sent once all in-sync
 * replicas have it; a record that is not acknowledged in five seconds has failed, and its future
 * fails.
 */
public final class FeedbackTopic implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 5_000;

  private final String topic;
  private final KafkaProducer<byte[], byte[]> producer;

  /** Connects to nothing yet. */
  public FeedbackTopic(Kafka kafka) throws IOException {
    this.topic = kafka.feedbackTopic();
    Properties properties = kafka.properties();
    properties.put("acks", "all");
    properties.put("enable.idempotence", "true");
    properties.put("linger.ms", "5");
    properties.put("max.block.ms", Integer.toString(PATIENCE_MILLIS));
    properties.put("request.timeout.ms", Integer.toString(PATIENCE_MILLIS - 1_000));
    properties.put("delivery.timeout.ms", Integer.toString(PATIENCE_MILLIS));
    producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /**
   * Writes a record. The call may block while the brokers' addresses are not known, so it is not
   * for an event loop.
   *
   * @return done when the brokers have it, failed if that did not happen in time
   */
  public CompletableFuture<Void> send(String id, byte[] value, @Nullable String trace) {
    CompletableFuture<Void> sent = new CompletableFuture<>();
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(topic, id.getBytes(StandardCharsets.UTF_8), value);
    if (trace != null) {
      record.headers().add("traceparent", trace.getBytes(StandardCharsets.US_ASCII));
    }
    try {
      @SuppressWarnings("unused") // the callback is told as well
      Future<RecordMetadata> ignored =
          producer.send(
              record,
              (written, failure) -> {
                if (failure == null) {
                  sent.complete(null);
                } else {
                  sent.completeExceptionally(failure);
                }
              });
    } catch (KafkaException e) {
      sent.completeExceptionally(e);
    }
    return sent;
  }

  @Override
  public void close() {
    producer.close(Duration.ofMillis(PATIENCE_MILLIS));
  }
}
