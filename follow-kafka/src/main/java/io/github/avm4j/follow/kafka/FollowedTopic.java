// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.follow.kafka;

import io.github.avm4j.follow.ModelRecords;
import io.github.avm4j.follow.ModelSource;
import io.github.avm4j.follow.ModelStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Finds models in a Kafka topic, as the Flink job writes them: the name is the key, the file the
 * value, version and lineage are headers of these names. Read from the beginning, committed records
 * alone; no consumer group, so every process sees every model. A model in parts is put together.
 */
public final class FollowedTopic implements ModelSource {
  /** Longest wait for a broker. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** A look that has not come to the end of the topic by then goes on with the next. */
  private static final Duration LONGEST_LOOK = Duration.ofSeconds(10);

  private static final Duration POLL = Duration.ofMillis(200);

  private final String topic;
  private final ModelRecords models;
  private final String brokers;
  private final Consumer<byte[], byte[]> consumer;

  /**
   * Connects to nothing yet.
   *
   * @param topic the topic
   * @param kafka settings of the client, such as {@code bootstrap.servers}
   * @param store takes what is found
   */
  public FollowedTopic(String topic, Map<?, ?> kafka, ModelStore store) {
    this(topic, String.valueOf(kafka.get("bootstrap.servers")), consumer(kafka), store);
  }

  /** Reads by a consumer that has nothing assigned. */
  FollowedTopic(String topic, String brokers, Consumer<byte[], byte[]> consumer, ModelStore store) {
    this.topic = topic;
    this.brokers = brokers;
    this.consumer = consumer;
    this.models = new ModelRecords(store);
  }

  private static Consumer<byte[], byte[]> consumer(Map<?, ?> kafka) {
    Properties properties = new Properties();
    properties.putAll(kafka);
    properties.remove("group.id");
    properties.put("isolation.level", "read_committed");
    properties.put("enable.auto.commit", "false");
    properties.put("auto.offset.reset", "earliest");
    properties.put("allow.auto.create.topics", "false");
    properties.put("default.api.timeout.ms", Long.toString(PATIENCE.toMillis()));
    properties.put("request.timeout.ms", Long.toString(PATIENCE.toMillis()));
    return new KafkaConsumer<>(
        properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  @Override
  public String name() {
    return "kafka:" + topic;
  }

  /** Reads to the end that the topic has now, or as far as it comes in some seconds. */
  @Override
  public void poll() throws IOException, InterruptedException {
    try {
      if (consumer.assignment().isEmpty()) {
        assign();
      }
      // Polling says nothing of a broker that is gone; this does.
      Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment(), PATIENCE);
      long deadline = System.nanoTime() + LONGEST_LOOK.toNanos();
      boolean read;
      do { // once at least: a topic that was made anew is noticed by polling alone
        consumer.poll(POLL).forEach(this::take);
        read = isRead(ends);
        models.complete(read);
      } while (!read && System.nanoTime() < deadline);
    } catch (InterruptException e) {
      throw (InterruptedException) new InterruptedException().initCause(e);
    } catch (KafkaException e) {
      throw new IOException("topic " + topic + " at " + brokers + ": " + e.getMessage(), e);
    }
  }

  private boolean isRead(Map<TopicPartition, Long> ends) {
    return ends.entrySet().stream()
        .allMatch(end -> consumer.position(end.getKey(), PATIENCE) >= end.getValue());
  }

  private void assign() {
    List<PartitionInfo> partitions = consumer.partitionsFor(topic, PATIENCE);
    if (partitions == null || partitions.isEmpty()) {
      throw new KafkaException("there is no such topic");
    }
    List<TopicPartition> all =
        partitions.stream().map(p -> new TopicPartition(topic, p.partition())).toList();
    consumer.assign(all);
    consumer.seekToBeginning(all);
  }

  private void take(ConsumerRecord<byte[], byte[]> record) {
    if (record.key() != null) {
      models.take(
          new String(record.key(), StandardCharsets.UTF_8),
          record.value(),
          header(record, "version"),
          header(record, "lineage"),
          name() + "/" + record.partition() + "@" + record.offset(),
          Instant.ofEpochMilli(record.timestamp())); // −1 if it has none
    }
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String key) {
    Header header = record.headers().lastHeader(key);
    return header == null || header.value() == null
        ? ""
        : new String(header.value(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    consumer.close(CloseOptions.timeout(PATIENCE));
  }
}
