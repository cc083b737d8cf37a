// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.models;

import io.github.avm4j.pipeline.CellManifest;
import io.github.avm4j.pipeline.RowDetector;
import io.github.avm4j.serve.operate.EventLog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Loads models from a Kafka topic, as the Flink job writes them: the name is the key, the file the
 * value, the version a header of that name. Read from the beginning at every start, committed
 * records alone; no consumer group, so every replica sees every model. A model in parts is put
 * together.
 *
 * <p>While brokers cannot be reached the models that are loaded stay; {@link #problem} says so.
 */
public final class ModelTopic implements ModelSource {
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private final String topic;
  private final String brokers;
  private final int mostBytes;
  private final ModelRepository repository;
  private final EventLog log;
  private final PartedModels parted;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private boolean assigned;
  private volatile @Nullable String problem;

  /** Connects to nothing yet. */
  public ModelTopic(Kafka kafka, int mostBytes, ModelRepository repository, EventLog log)
      throws IOException {
    this.topic = kafka.modelTopic();
    this.brokers = kafka.brokers();
    this.mostBytes = mostBytes;
    this.repository = repository;
    this.log = log;
    this.parted = new PartedModels(repository);
    Properties properties = kafka.properties();
    properties.put("isolation.level", "read_committed");
    properties.put("enable.auto.commit", "false");
    properties.put("auto.offset.reset", "earliest");
    properties.put("allow.auto.create.topics", "false");
    properties.put("default.api.timeout.ms", Long.toString(PATIENCE.toMillis()));
    properties.put("request.timeout.ms", Long.toString(PATIENCE.toMillis()));
    consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  @Override
  public String name() {
    return "kafka:" + topic;
  }

  @Override
  public @Nullable String problem() {
    return problem;
  }

  @Override
  public void look() {
    try {
      if (!assigned) {
        assign();
      }
      ConsumerRecords<byte[], byte[]> records = consumer.poll(Duration.ofMillis(200));
      for (ConsumerRecord<byte[], byte[]> record : records) {
        load(record);
      }
      parted.load(records.isEmpty());
      reach();
    } catch (InterruptException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      if (problem == null) {
        log.warn("source_gone", "source", name(), "reason", e.toString());
      }
      problem = brokers + ": " + e;
    }
  }

  private void assign() {
    List<PartitionInfo> partitions = consumer.partitionsFor(topic, PATIENCE);
    if (partitions == null || partitions.isEmpty()) {
      throw new KafkaException("there is no topic " + topic);
    }
    List<TopicPartition> all =
        partitions.stream().map(p -> new TopicPartition(topic, p.partition())).toList();
    consumer.assign(all);
    consumer.seekToBeginning(all);
    assigned = true;
  }

  /** Polling says nothing of a broker that is gone: it is asked for the end of the topic. */
  private void reach() {
    consumer.endOffsets(consumer.assignment(), PATIENCE);
    if (problem != null) {
      log.info("source_back", "source", name());
    }
    problem = null;
  }

  /** Whatever is wrong with a record stops no other. */
  private void load(ConsumerRecord<byte[], byte[]> record) {
    if (record.key() == null) {
      return;
    }
    String source = name() + "/" + record.partition() + "@" + record.offset();
    String name = new String(record.key(), StandardCharsets.UTF_8);
    try {
      load(name, record, source);
    } catch (RefusedModelException e) {
      // The repository has recorded it; the topic goes on.
    } catch (RuntimeException | Error e) {
      repository.refuse(name, source, "cannot be read: " + e);
    }
  }

  private void load(String name, ConsumerRecord<byte[], byte[]> record, String source)
      throws RefusedModelException {
    if (PartedModels.isPart(name)) {
      parted.part(name, record.value(), source);
      return;
    }
    if (record.value() == null) {
      return; // a tombstone: compaction's business
    }
    long version = version(record);
    if (version < 0 || record.value().length > mostBytes) {
      repository.refuse(
          name,
          source,
          version < 0
              ? "no header 'version' with a whole number"
              : record.value().length + " bytes; at most " + mostBytes + " are taken");
      return;
    }
    // A record without a time has −1.
    Instant made = Instant.ofEpochMilli(record.timestamp());
    String lineage = header(record, "lineage");
    Arrival arrival = new Arrival(name, lineage, version, source, made);
    Shelf shelf = repository.shelf(name);
    if (lineage.isEmpty() && shelf != null && !shelf.lineage().isEmpty()) {
      repository.discard(arrival, "it says no lineage, and " + shelf.lineage() + " is in use");
      return;
    }
    if (RowDetector.isDetector(record.value())) {
      repository.detectors().load(arrival, record.value());
    } else if (CellManifest.isManifest(record.value())) {
      parted.manifest(arrival, record.value());
    } else {
      repository.load(arrival, record.value());
    }
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String key) {
    Header header = record.headers().lastHeader(key);
    return header == null || header.value() == null
        ? ""
        : new String(header.value(), StandardCharsets.UTF_8);
  }

  private static long version(ConsumerRecord<byte[], byte[]> record) {
    String text = header(record, "version");
    return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : -1;
  }

  @Override
  public void close() {
    consumer.close(org.apache.kafka.clients.consumer.CloseOptions.timeout(PATIENCE));
  }
}
