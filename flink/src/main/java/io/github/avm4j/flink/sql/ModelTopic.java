// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.sql;

import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.pipeline.CellAssembly;
import io.github.avm4j.pipeline.CellManifest;
import io.github.avm4j.pipeline.RowModel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * A model in a Kafka topic as the jobs of {@code avm stream} write it: the name is the key, the
 * file the value, parts have keys that begin with the name and a slash. Read from the beginning,
 * committed records alone, without a consumer group: every subtask sees every model.
 */
final class ModelTopic implements ModelSource {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Parts may have a third of the heap, as in avm4j-serve. */
  private static final int HEAP_SHARE = 3;

  private final String topic;
  private final String name;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final CellAssembly<String> parts =
      new CellAssembly<>(Runtime.getRuntime().maxMemory() / HEAP_SHARE);
  private @Nullable List<TopicPartition> partitions;

  /** Connects to nothing yet. */
  ModelTopic(String topic, String name, Map<String, String> kafka) {
    this.topic = topic;
    this.name = name;
    Properties properties = new Properties();
    properties.putAll(kafka);
    properties.put("isolation.level", "read_committed");
    properties.put("enable.auto.commit", "false");
    properties.put("allow.auto.create.topics", "false");
    properties.put("default.api.timeout.ms", Long.toString(PATIENCE.toMillis()));
    properties.remove("group.id");
    consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /** Reads up to the end that the topic has now. */
  @Override
  public void look(Taker taker) throws IOException {
    try {
      List<TopicPartition> all = assigned();
      Map<TopicPartition, Long> ends = consumer.endOffsets(all, PATIENCE);
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (!isRead(ends)) {
        if (System.nanoTime() > deadline) {
          throw new IOException("topic " + topic + " is not read to its end; trying again");
        }
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
          take(record, taker);
        }
      }
      if (!parts.missing().isEmpty()) {
        throw new IOException("the newest version in " + topic + " lacks " + parts.missing());
      }
    } catch (KafkaException e) {
      throw new IOException("topic " + topic + ": " + e.getMessage(), e);
    }
  }

  private boolean isRead(Map<TopicPartition, Long> ends) {
    return ends.entrySet().stream()
        .allMatch(end -> consumer.position(end.getKey(), PATIENCE) >= end.getValue());
  }

  private List<TopicPartition> assigned() throws IOException {
    List<TopicPartition> all = partitions;
    if (all == null) {
      List<PartitionInfo> found = consumer.partitionsFor(topic, PATIENCE);
      if (found == null || found.isEmpty()) {
        throw new IOException("there is no topic " + topic);
      }
      all = found.stream().map(p -> new TopicPartition(topic, p.partition())).toList();
      consumer.assign(all);
      consumer.seekToBeginning(all);
      partitions = all;
    }
    return all;
  }

  private void take(ConsumerRecord<byte[], byte[]> record, Taker taker) {
    String key = record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8);
    if (key.startsWith(name + "/")) {
      parts.part(key.substring(name.length() + 1), record.value());
      whole(taker);
    } else if (key.equals(name) && record.value() != null) {
      String from = topic + ", version " + version(record);
      if (CellManifest.isManifest(record.value())) {
        manifest(record.value(), from, taker);
      } else {
        taker.take(from, () -> RowModel.read(record.value()));
      }
    }
  }

  private void manifest(byte[] file, String from, Taker taker) {
    try {
      parts.manifest(CellManifest.read(file), from);
    } catch (InvalidModelException e) {
      refuse(from, e, taker);
    }
    whole(taker);
  }

  /** Takes a version once its last part has come: partitions are read in any order. */
  private void whole(Taker taker) {
    try {
      CellAssembly.Assembled<String> made = parts.take();
      if (made != null) {
        taker.take(made.version(), made::rows);
      }
    } catch (InvalidModelException e) {
      refuse(topic, e, taker);
    }
  }

  private static void refuse(String from, InvalidModelException reason, Taker taker) {
    taker.take(
        from,
        () -> {
          throw reason;
        });
  }

  private static String version(ConsumerRecord<byte[], byte[]> record) {
    Header header = record.headers().lastHeader("version");
    return header == null || header.value() == null
        ? "at offset " + record.offset()
        : new String(header.value(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    consumer.close(org.apache.kafka.clients.consumer.CloseOptions.timeout(PATIENCE));
  }
}
