// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.cluster;

import io.github.avm4j.flink.TestStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A topic of one partition as other programs see it: what is committed, in order. */
public final class Topic implements AutoCloseable {
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final List<ConsumerRecord<byte[], byte[]>> seen = new ArrayList<>();

  /** Reads {@code name} from its beginning. */
  public Topic(String broker, String name) {
    Properties properties = new Properties();
    properties.put("bootstrap.servers", broker);
    properties.put("isolation.level", "read_committed");
    properties.put("group.id", UUID.randomUUID().toString());
    consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    TopicPartition partition = new TopicPartition(name, 0);
    consumer.assign(List.of(partition));
    consumer.seekToBeginning(List.of(partition));
  }

  /** A producer that writes each record once, in order, through a broker's death too. */
  public static KafkaProducer<byte[], byte[]> producer(String broker) {
    Properties properties = new Properties();
    properties.put("bootstrap.servers", broker);
    properties.put("acks", "all");
    properties.put("enable.idempotence", "true");
    properties.put("linger.ms", "5");
    properties.put("max.block.ms", "300000");
    properties.put("delivery.timeout.ms", "300000");
    properties.put("metadata.recovery.strategy", "none");
    return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** A record to write. */
  public static ProducerRecord<byte[], byte[]> record(String topic, String key, String value) {
    return new ProducerRecord<>(
        topic, key.getBytes(StandardCharsets.UTF_8), value.getBytes(StandardCharsets.UTF_8));
  }

  /** Writes these records of {@link TestStream}, keyed by their numbers; all are there after it. */
  public static void write(String broker, String topic, LongStream rows) throws Exception {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    try (KafkaProducer<byte[], byte[]> producer = producer(broker)) {
      rows.forEach(
          i -> sent.add(producer.send(record(topic, Long.toString(i), TestStream.line(i)))));
    }
    for (Future<RecordMetadata> one : sent) {
      one.get();
    }
  }

  /** All records so far. */
  public List<ConsumerRecord<byte[], byte[]>> poll() {
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
      seen.add(record);
    }
    return seen;
  }

  /** A header as text. */
  public static String header(ConsumerRecord<byte[], byte[]> record, String key) {
    Header header = record.headers().lastHeader(key);
    return header == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    consumer.close();
  }
}
