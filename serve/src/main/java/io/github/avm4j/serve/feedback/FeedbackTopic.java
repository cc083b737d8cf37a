// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.feedback;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * The topic that feedback goes to, for the training job. A record counts as sent once all in-sync
 * replicas have it; a record that is not acknowledged in five seconds has failed, and its future
 * fails. While the brokers do not answer, {@link #isOpen} lets one request through at a time to
 * try; the others need not wait to fail.
 */
public final class FeedbackTopic implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 5_000;

  /** Time from a failure to the next attempt. */
  private static final long REST_NANOS = 1_000_000_000L;

  private final String topic;
  private final AtomicLong nextTry = new AtomicLong();
  private volatile boolean failing;
  private final KafkaProducer<byte[], byte[]> producer;

  /**
   * Connects to nothing yet.
   *
   * @param kafka settings of the client
   */
  public FeedbackTopic(String topic, Properties kafka) {
    this.topic = topic;
    Properties properties = new Properties();
    properties.putAll(kafka);
    properties.put("acks", "all");
    properties.put("enable.idempotence", "true");
    properties.put("linger.ms", "5");
    properties.put("max.block.ms", Integer.toString(PATIENCE_MILLIS));
    properties.put("request.timeout.ms", Integer.toString(PATIENCE_MILLIS - 1_000));
    properties.put("delivery.timeout.ms", Integer.toString(PATIENCE_MILLIS));
    producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** Whether brokers answered last, or it is time that one request tries them again. */
  boolean isOpen() {
    if (!failing) {
      return true;
    }
    long now = System.nanoTime();
    long next = nextTry.get();
    return now - next >= 0 && nextTry.compareAndSet(next, now + 2_000_000L * PATIENCE_MILLIS);
  }

  private void end(CompletableFuture<Void> sent, @Nullable Exception failure) {
    if (failure == null) {
      failing = false;
      sent.complete(null);
    } else {
      nextTry.set(System.nanoTime() + REST_NANOS);
      failing = true;
      sent.completeExceptionally(failure);
    }
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
          producer.send(record, (written, failure) -> end(sent, failure));
    } catch (KafkaException e) {
      end(sent, e);
    }
    return sent;
  }

  @Override
  public void close() {
    producer.close(Duration.ofMillis(PATIENCE_MILLIS));
  }
}
