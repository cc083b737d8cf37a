// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import io.github.avm4j.flink.record.RawRecord;
import io.github.avm4j.flink.sink.KafkaTopics;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.compression.StandardDeCompressors;
import org.apache.flink.connector.file.src.enumerate.NonSplittingRecursiveEnumerator;
import org.apache.flink.core.fs.Path;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the first records of a job's input: files in the order of their names, then the topic, one
 * record of each partition in turn. Records its position, so that the job continues there. Waits
 * for new records at the end of a topic.
 */
final class PlanInput implements AutoCloseable {
  /** As a position: the whole of a file was read. */
  static final long WHOLE = Long.MAX_VALUE;

  private static final Duration POLL = Duration.ofMillis(200);

  private final InputConfig input;
  private final Map<String, String> kafka;
  private final PrintStream out;
  private final Map<String, Long> ends = new TreeMap<>();
  private final Deque<Path> files = new ArrayDeque<>();
  private final Map<TopicPartition, Deque<ConsumerRecord<byte[], byte[]>>> waiting =
      new HashMap<>();
  private FileLines.@Nullable Lines lines;
  private @Nullable KafkaConsumer<byte[], byte[]> consumer;
  private List<TopicPartition> partitions = List.of();
  private Map<TopicPartition, Long> latest = Map.of();
  private int turn;
  private boolean announced;

  /**
   * Opens an input.
   *
   * @param kafka properties of Kafka's clients
   */
  PlanInput(InputConfig input, Map<String, String> kafka, PrintStream out) throws IOException {
    this.input = input;
    this.kafka = kafka;
    this.out = out;
    files.addAll(files(input));
  }

  /** All files of an input in the order in which a job reads them. */
  static List<Path> files(InputConfig input) throws IOException {
    Path[] paths = input.files().stream().map(Path::new).toArray(Path[]::new);
    if (paths.length == 0) {
      return List.of();
    }
    Collection<FileSourceSplit> splits =
        new NonSplittingRecursiveEnumerator().enumerateSplits(paths, 1);
    return new FilesInOrder(splits).remainingSplits().stream().map(FileSourceSplit::path).toList();
  }

  /** Position after the last record, by source. */
  Map<String, Long> ends() {
    return new TreeMap<>(ends);
  }

  /**
   * The next record.
   *
   * @throws EOFException if there are only files and they have ended
   */
  RawRecord next() throws IOException {
    RawRecord record = poll();
    while (record == null) {
      record = poll();
    }
    return record;
  }

  /**
   * The next record; null if there is none now.
   *
   * @throws EOFException if there will be none
   */
  @Nullable RawRecord poll() throws IOException {
    while (!files.isEmpty()) {
      RawRecord record = line(files.element());
      if (record != null) {
        ends.merge(files.element().toString(), 1L, Long::sum);
        return record;
      }
      ends.put(files.remove().toString(), WHOLE);
      closeFile();
    }
    String topic = input.topic();
    if (topic == null) {
      throw new EOFException("the files have fewer rows than cells.plan-rows");
    }
    return record(topic);
  }

  private @Nullable RawRecord line(Path path) throws IOException {
    FileLines.Lines open = lines;
    if (open == null) {
      InputStream in = path.getFileSystem().open(path);
      var unpacked = StandardDeCompressors.getDecompressorForFileName(path.getName());
      in = unpacked == null ? in : unpacked.create(in);
      open = new FileLines.Lines(in, input.text().longest());
      lines = open;
      if (input.skipHeader()) {
        open.read();
      }
    }
    return open.read();
  }

  private void closeFile() throws IOException {
    if (lines != null) {
      lines.close();
      lines = null;
    }
  }

  private @Nullable RawRecord record(String topic) throws IOException {
    try {
      KafkaConsumer<byte[], byte[]> open = consumer == null ? open(topic) : consumer;
      consumer = open;
      for (int k = 0; k < partitions.size(); k++) {
        TopicPartition next = partitions.get(turn++ % partitions.size());
        ConsumerRecord<byte[], byte[]> record = next(open, next);
        if (record != null) {
          ends.put(next.toString(), record.offset() + 1);
          return KafkaTopics.raw(record);
        }
      }
      lookForMore(open, topic);
      return null;
    } catch (KafkaException e) {
      throw new IOException("topic " + topic + ": " + StreamMain.reason(e), e);
    }
  }

  /** The next record of a partition; null if it had no more when last looked at. */
  private @Nullable ConsumerRecord<byte[], byte[]> next(
      KafkaConsumer<byte[], byte[]> open, TopicPartition partition) {
    Deque<ConsumerRecord<byte[], byte[]>> here = fetched(partition);
    while (here.isEmpty() && open.position(partition) < latest.getOrDefault(partition, 0L)) {
      fetch(open);
    }
    return here.poll();
  }

  private void fetch(KafkaConsumer<byte[], byte[]> open) {
    for (ConsumerRecord<byte[], byte[]> record : open.poll(POLL)) {
      fetched(new TopicPartition(record.topic(), record.partition())).add(record);
    }
  }

  private Deque<ConsumerRecord<byte[], byte[]>> fetched(TopicPartition partition) {
    return waiting.computeIfAbsent(partition, one -> new ArrayDeque<>());
  }

  /** All partitions were read to where they ended when last looked at. */
  private void lookForMore(KafkaConsumer<byte[], byte[]> open, String topic) throws IOException {
    latest = open.endOffsets(partitions);
    boolean more = false;
    for (TopicPartition partition : partitions) {
      more |= open.position(partition) < latest.getOrDefault(partition, 0L);
    }
    if (more) {
      return;
    }
    if (input.toLatest()) {
      throw new EOFException("topic " + topic + " has fewer rows than cells.plan-rows");
    }
    if (!announced) {
      out.println("waits for more rows in " + topic);
      announced = true;
    }
    fetch(open);
  }

  private KafkaConsumer<byte[], byte[]> open(String topic) {
    Map<String, Object> properties = new HashMap<>(kafka);
    properties.put("isolation.level", "read_committed");
    properties.put("enable.auto.commit", "false");
    KafkaConsumer<byte[], byte[]> open =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    partitions =
        open.partitionsFor(topic).stream()
            .map(p -> new TopicPartition(topic, p.partition()))
            .sorted((a, b) -> Integer.compare(a.partition(), b.partition()))
            .toList();
    open.beginningOffsets(partitions)
        .forEach((partition, offset) -> ends.put(partition.toString(), offset));
    open.assign(partitions);
    open.seekToBeginning(partitions);
    latest = open.endOffsets(partitions);
    return open;
  }

  @Override
  public void close() throws IOException {
    closeFile();
    if (consumer != null) {
      consumer.close();
    }
  }
}
