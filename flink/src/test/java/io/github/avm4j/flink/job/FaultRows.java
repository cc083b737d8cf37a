// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import static org.junit.jupiter.api.Assertions.assertNull;

import io.github.avm4j.fixtures.KafkaBroker;
import io.github.avm4j.fixtures.TestStream;
import io.github.avm4j.fixtures.Topic;
import java.time.Duration;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.jspecify.annotations.Nullable;

/** The topic that jobs under test read: the rows of {@link TestStream} and bad records. */
final class FaultRows implements AutoCloseable {
  private final String topic;
  private final KafkaProducer<byte[], byte[]> producer;
  private volatile long produced;
  private int bad;
  private volatile @Nullable Exception failure;

  FaultRows(String topic, KafkaBroker broker) throws Exception {
    this.topic = topic;
    broker.topics(topic);
    producer = Topic.producer(broker.address());
  }

  String topic() {
    return topic;
  }

  /** How many rows there are. */
  long produced() {
    return produced;
  }

  /** How many bad records there are. */
  int bad() {
    return bad;
  }

  /** The first {@code n} rows are elsewhere. */
  void skip(long n) {
    produced = n;
  }

  /** Rows up to {@code n}; waits until the broker has them. */
  void produceTo(long n) throws Exception {
    produceTo(n, 0);
  }

  /** The same, about 3000 a second, so that something can happen meanwhile. */
  void produceSlowlyTo(long n) throws Exception {
    produceTo(n, 10);
  }

  private void produceTo(long n, int pause) throws Exception {
    for (long i = produced; i < n; produced = ++i) {
      send(Long.toString(i), TestStream.line(i));
      if (i % 30 == 0) {
        Thread.sleep(pause);
      }
    }
    producer.flush();
    assertNull(failure, "the broker took every record");
  }

  void poison(String text) {
    send("poison", text);
    bad++;
  }

  private void send(String key, String text) {
    var unused =
        producer.send(
            Topic.record(topic, key, text),
            (metadata, problem) -> failure = problem == null ? failure : problem);
  }

  @Override
  public void close() {
    producer.close(Duration.ofSeconds(5));
  }
}
