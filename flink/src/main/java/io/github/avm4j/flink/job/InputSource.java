// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import io.github.avm4j.flink.operator.CellStart;
import io.github.avm4j.flink.record.Parsed;
import io.github.avm4j.flink.record.RecordFormat;
import io.github.avm4j.flink.sink.KafkaTopics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.connector.base.source.hybrid.HybridSource;
import org.apache.flink.connector.file.src.FileSource;
import org.apache.flink.core.fs.Path;
import org.jspecify.annotations.Nullable;

/** The source of an input: its files, then its topic, from after the rows that a plan took. */
final class InputSource {
  private final InputConfig input;
  private final RecordFormat format;
  private final KafkaTopics kafka;
  private final Map<String, Long> ends;

  InputSource(InputConfig input, RecordFormat format, KafkaTopics kafka, @Nullable CellStart plan) {
    this.input = input;
    this.format = format;
    this.kafka = kafka;
    try {
      this.ends = plan == null ? Map.of() : plan.ends();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Source<Parsed, ?, ?> build() {
    List<Source<Parsed, ?, ?>> parts = new ArrayList<>(files());
    String topic = input.topic();
    if (topic != null) {
      parts.add(kafka.records(topic, format, input.toLatest(), ends));
    }
    if (parts.size() == 1) {
      return parts.get(0);
    }
    var hybrid = HybridSource.builder(parts.get(0));
    parts.subList(1, parts.size()).forEach(hybrid::addSource);
    return hybrid.build();
  }

  private List<FileSource<Parsed>> files() {
    if (input.files().isEmpty()) {
      return List.of();
    }
    if (ends.isEmpty()) {
      return List.of(source(input.files().stream().map(Path::new).toList(), 0));
    }
    List<FileSource<Parsed>> parts = new ArrayList<>();
    List<Path> untouched = new ArrayList<>();
    for (Path path : all()) {
      Long end = ends.get(path.toString());
      if (end == null) {
        untouched.add(path);
      } else if (end != PlanInput.WHOLE) {
        parts.add(source(List.of(path), end));
      }
    }
    if (!untouched.isEmpty()) {
      parts.add(source(untouched, 0));
    }
    return parts;
  }

  private List<Path> all() {
    try {
      return PlanInput.files(input);
    } catch (IOException e) {
      throw new UncheckedIOException("input.files: " + e.getMessage(), e);
    }
  }

  private FileSource<Parsed> source(List<Path> paths, long skip) {
    long passed = skip + (input.skipHeader() ? 1 : 0);
    FileLines lines = new FileLines(format, input.text().longest(), passed);
    return FileSource.forRecordStreamFormat(lines, paths.toArray(Path[]::new))
        .setSplitAssigner(FilesInOrder::new)
        .build();
  }
}
