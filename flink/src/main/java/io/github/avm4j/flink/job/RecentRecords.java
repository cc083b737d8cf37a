// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import io.github.avm4j.flink.record.RawRecord;
import io.github.avm4j.flink.sink.KafkaTopics;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the newest records of a topic that a job has read: those before the offsets that it
 * committed at the broker with its last checkpoint or savepoint. Where it committed none, the
 * newest of the topic. They come one of each partition in turn, the oldest first.
 */
final class RecentRecords {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final List<TopicPartition> partitions;
  private final Map<TopicPartition, Long> first;
  private final Map<TopicPartition, Long> ends;

  private RecentRecords(KafkaConsumer<byte[], byte[]> consumer, String topic) {
    this.consumer = consumer;
    this.partitions =
        consumer.partitionsFor(topic).stream()
            .map(p -> new TopicPartition(topic, p.partition()))
            .sorted(Comparator.comparing(TopicPartition::partition))
            .toList();
    this.first = consumer.beginningOffsets(partitions);
    this.ends = new HashMap<>(consumer.endOffsets(partitions));
    Map<TopicPartition, @Nullable OffsetAndMetadata> read =
        consumer.committed(new HashSet<>(partitions));
    read.forEach(
        (partition, offset) -> {
          if (offset != null) {
            ends.merge(partition, offset.offset(), Math::min);
          }
        });
  }

  /**
   * The newest records.
   *
   * @param kafka properties of Kafka's clients
   * @param job name of the job, which is its consumer group
   * @param most records
   */
  static List<RawRecord> of(Map<String, String> kafka, String job, String topic, int most)
      throws IOException {
    Map<String, Object> properties = new HashMap<>(kafka);
    properties.put("isolation.level", "read_committed");
    properties.put("enable.auto.commit", "false");
    properties.put("group.id", job);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      return new RecentRecords(consumer, topic).read(most);
    } catch (KafkaException e) {
      throw new IOException("topic " + topic + ": " + StreamMain.reason(e), e);
    }
  }

  private List<RawRecord> read(int most) throws IOException {
    consumer.assign(partitions);
    beginnings(most).forEach(consumer::seek);
    Map<Integer, Deque<RawRecord>> read = new TreeMap<>();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!isRead()) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        TopicPartition of = new TopicPartition(record.topic(), record.partition());
        if (record.offset() < ends.getOrDefault(of, 0L)) {
          read.computeIfAbsent(record.partition(), p -> new ArrayDeque<>())
              .add(KafkaTopics.raw(record));
        }
        deadline = System.nanoTime() + PATIENCE.toNanos();
      }
      if (System.nanoTime() > deadline) {
        throw new IOException("the broker has sent no record for " + PATIENCE.toSeconds() + " s");
      }
    }
    return inTurn(read);
  }

  private boolean isRead() {
    return partitions.stream()
        .allMatch(partition -> consumer.position(partition) >= ends.getOrDefault(partition, 0L));
  }

  /** As many of each partition as there are, and of those with more, equally many. */
  private Map<TopicPartition, Long> beginnings(int most) {
    List<TopicPartition> smallestFirst = new ArrayList<>(partitions);
    smallestFirst.sort(Comparator.comparing(this::size));
    Map<TopicPartition, Long> from = new HashMap<>();
    long left = most;
    for (int k = 0; k < smallestFirst.size(); k++) {
      TopicPartition partition = smallestFirst.get(k);
      long taken = Math.min(size(partition), left / (smallestFirst.size() - k));
      from.put(partition, ends.getOrDefault(partition, 0L) - taken);
      left -= taken;
    }
    return from;
  }

  private long size(TopicPartition partition) {
    long size = ends.getOrDefault(partition, 0L) - first.getOrDefault(partition, 0L);
    return Math.max(0, size);
  }

  private static List<RawRecord> inTurn(Map<Integer, Deque<RawRecord>> read) {
    List<RawRecord> all = new ArrayList<>();
    while (!read.isEmpty()) {
      for (Deque<RawRecord> one : read.values()) {
        all.add(one.remove());
      }
      read.values().removeIf(Deque::isEmpty);
    }
    return all;
  }
}
