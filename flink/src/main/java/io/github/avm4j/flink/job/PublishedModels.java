// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import io.github.avm4j.flink.record.Lineage;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.pipeline.CellManifest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** The newest version that a job's outputs hold under its name. */
final class PublishedModels {
  private static final int LOOK_BACK = 50;
  private static final int LONGEST_POINTER = 1024;

  /** Most cells, and pieces of a plan of 2 GiB. */
  private static final int MOST_PARTS = (1 << 14) + (1 << 12);

  private static final Pattern FILE =
      Pattern.compile("(?:-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}))?-(\\d{6,18})\\.avm");

  private final StreamConfig config;

  PublishedModels(StreamConfig config) {
    this.config = config;
  }

  /**
   * The launch of a job that is resumed from {@code savepoint}.
   *
   * @param reached whether the broker can be asked
   */
  Launch find(@Nullable String savepoint, boolean reached) throws IOException {
    Launch none = new Launch(savepoint, Lineage.NONE, 0);
    List<Launch> found = new ArrayList<>();
    String folder = config.output().get("folder");
    if (folder != null) {
      found.add(inFolder(none, new Path(folder)));
    }
    for (String kind : List.of("models", "learners")) {
      String topic = config.output().get(kind);
      if (topic != null) {
        found.add(reached ? inTopic(none, topic) : none);
      }
    }
    return found.stream().reduce(Launch::and).orElse(none);
  }

  /** What {@code NAME.latest} names. A folder that only the cluster sees has none here. */
  private Launch inFolder(Launch before, Path folder) {
    Path pointer = new Path(folder, config.name() + ".latest");
    String text;
    try {
      FileSystem files = pointer.getFileSystem();
      if (!files.exists(pointer)) {
        return before;
      }
      try (FSDataInputStream in = files.open(pointer)) {
        text = new String(in.readNBytes(LONGEST_POINTER), StandardCharsets.UTF_8).strip();
      }
    } catch (IOException | RuntimeException e) {
      return before;
    }
    Matcher file =
        FILE.matcher(text.startsWith(config.name()) ? text.substring(config.name().length()) : "");
    if (!file.matches()) {
      return before;
    }
    String lineage = file.group(1);
    return new Launch(
        before.savepoint(),
        lineage == null ? Lineage.NONE : lineage,
        Long.parseLong(file.group(2)));
  }

  /** The last record of that name among the last few of each partition. */
  private Launch inTopic(Launch before, String topic) throws IOException {
    Launch newest = before;
    try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(p -> new TopicPartition(topic, p.partition()))
              .toList();
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      for (TopicPartition partition : partitions) {
        long end = ends.getOrDefault(partition, 0L);
        newest = inPartition(consumer, partition, end, newest);
      }
    }
    return newest;
  }

  private Launch inPartition(
      KafkaConsumer<byte[], byte[]> consumer, TopicPartition partition, long end, Launch before)
      throws IOException {
    consumer.assign(List.of(partition));
    for (long back = LOOK_BACK; ; back *= 10) {
      Launch newest = null;
      consumer.seek(partition, Math.max(0, end - back));
      long reply = System.nanoTime();
      long at = -1;
      while (consumer.position(partition) < end) {
        if (consumer.position(partition) > at) {
          at = consumer.position(partition);
          reply = System.nanoTime();
        } else if (System.nanoTime() - reply > AdminReplies.PATIENCE.toNanos()) {
          throw new IOException(partition + ": the broker sends nothing from offset " + at + " on");
        }
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
          newest = isOurs(record) ? launch(record, before) : newest;
        }
      }
      if (newest != null || back >= end) {
        return newest == null ? before : newest;
      }
    }
  }

  private boolean isOurs(ConsumerRecord<byte[], byte[]> record) {
    return record.key() != null
        && config.name().equals(new String(record.key(), StandardCharsets.UTF_8))
        && header(record, "version").matches("[0-9]{1,18}");
  }

  private static Launch launch(ConsumerRecord<byte[], byte[]> record, Launch before) {
    long version = Long.parseLong(header(record, "version"));
    return new Launch(before.savepoint(), header(record, "lineage"), version)
        .with(parts(record.value()));
  }

  /**
   * The keys of the parts that are there if this is the newest manifest; none if it is another
   * file, damaged, or larger than any that a job writes.
   */
  static List<String> parts(byte @Nullable [] file) {
    if (file == null || !CellManifest.isManifest(file)) {
      return List.of();
    }
    try {
      CellManifest manifest = CellManifest.read(file);
      if (manifest.size() > MOST_PARTS) {
        return List.of();
      }
      return IntStream.range(0, manifest.size())
          .filter(part -> manifest.digest(part) != CellManifest.NONE)
          .mapToObj(manifest::key)
          .toList();
    } catch (InvalidModelException e) {
      return List.of();
    }
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String key) {
    Header header = record.headers().lastHeader(key);
    return header == null || header.value() == null
        ? ""
        : new String(header.value(), StandardCharsets.UTF_8);
  }

  private KafkaConsumer<byte[], byte[]> consumer() {
    Map<String, Object> properties = new HashMap<>(config.kafka());
    properties.put("isolation.level", "read_committed");
    properties.put("enable.auto.commit", "false");
    return new KafkaConsumer<>(
        properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }
}
