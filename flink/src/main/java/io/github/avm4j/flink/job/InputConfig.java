// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import io.github.avm4j.config.Task;
import io.github.avm4j.data.Format;
import io.github.avm4j.feature.CellReader;
import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.flink.operator.StartFiles;
import io.github.avm4j.flink.record.RecordFormat;
import io.github.avm4j.flink.record.TextFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Section {@code input} of a job's file: where records come from and how they are written; also
 * section {@code labels}, for labels that arrive separately. The column of the truth is {@code
 * label} if it holds classes, {@code target} if it holds numbers.
 *
 * @param topic the Kafka topic; null if there are only files
 * @param files read first, in this order, one line a record
 * @param skipHeader whether each file begins with names, which are passed over
 * @param toLatest whether to end at what the topic holds at the start
 * @param parallelism of the source
 * @param ahead how far an event time may be ahead of the clock
 * @param disorder how far event times of a partition may be behind its newest
 * @param idle how long a partition without records is waited for
 * @param isTarget whether the column of the truth was called {@code target}
 * @param text the records' text
 * @param schema the features of a record
 */
record InputConfig(
    @Nullable String topic,
    List<String> files,
    boolean skipHeader,
    boolean toLatest,
    int parallelism,
    Duration ahead,
    Duration disorder,
    Duration idle,
    boolean isTarget,
    TextFormat text,
    Schema schema) {
  private static final int LONGEST = 1 << 20;
  private static final int BUCKETS = 64;
  private static final Duration AHEAD = Duration.ofHours(1);
  private static final Duration DISORDER = Duration.ofSeconds(10);
  private static final Duration IDLE = Duration.ofSeconds(30);

  static InputConfig read(Section in, int subtasks) {
    String topic = in.text("topic");
    List<String> files = in.texts("files");
    if (topic == null && files.isEmpty()) {
      throw new ConfigException("input.topic or input.files is missing");
    }
    boolean skipHeader = in.flag("header", false);
    boolean toLatest = in.choice("until", "forever", "latest").equals("latest");
    int parallelism = (int) in.whole("parallelism", subtasks, 1, 1 << 15);
    Duration ahead = in.duration("ahead", AHEAD);
    Duration disorder = in.duration("disorder", DISORDER);
    Duration idle = in.duration("idle", IDLE);
    if (idle.isZero()) {
      throw in.wrong("idle", "longer than 0s");
    }
    TextFormat text = text(in);
    CellReader cells =
        CellReader.DEFAULT
            .withMissing(in.texts("missing"))
            .withDecimalComma(text.format() == Format.CSV && text.delimiter() == ';');
    Schema schema = schema(in.section("features"), text, cells);
    in.end();
    return new InputConfig(
        topic,
        files,
        skipHeader,
        toLatest,
        parallelism,
        ahead,
        disorder,
        idle,
        in.has("target"),
        text,
        schema);
  }

  private static TextFormat text(Section in) {
    Format format =
        switch (in.choice("format", "jsonl", "csv", "libsvm")) {
          case "csv" -> Format.CSV;
          case "libsvm" -> Format.LIBSVM;
          default -> Format.JSONL;
        };
    String delimiter = in.text("delimiter", ",");
    if (delimiter.length() != 1) {
      throw in.wrong("delimiter", "one character");
    }
    int longest = (int) in.whole("longest", LONGEST, 1, 1 << 28);
    try {
      return new TextFormat(
          format,
          in.texts("columns"),
          truth(in),
          in.text("weight"),
          in.text("key"),
          in.text("id"),
          in.text("time"),
          delimiter.charAt(0),
          longest);
    } catch (IllegalArgumentException e) {
      throw new ConfigException("input: " + e.getMessage(), e);
    }
  }

  private static @Nullable String truth(Section in) {
    String label = in.text("label");
    String target = in.text("target");
    if (label != null && target != null) {
      throw in.wrong("target", "left out where label is set");
    }
    return label == null ? target : label;
  }

  /**
   * Refuses a column of the truth by the other task's name.
   *
   * @param path of the section
   */
  void checkTruth(String path, Task task) {
    if (text.label() != null && isTarget != (task == Task.REGRESSION)) {
      throw new ConfigException(
          isTarget
              ? path + ".target is of regression; write " + path + ".label for classes"
              : path + ".label is of classes; write " + path + ".target for a regression");
    }
  }

  /**
   * How its records become examples.
   *
   * @param labelled whether each must have a label
   */
  RecordFormat format(StartFiles start, boolean labelled) {
    return new RecordFormat(text, start.file(), labelled, ahead);
  }

  /** Every column but label, weight, key, id and time; numeric unless set otherwise. */
  private static Schema schema(Section features, TextFormat text, CellReader cells) {
    Map<String, Object> kinds = features.entries();
    Set<String> names = new LinkedHashSet<>(kinds.keySet());
    if (names.isEmpty()) {
      names.addAll(text.columns());
      for (String other :
          new String[] {text.label(), text.weight(), text.key(), text.id(), text.time()}) {
        names.remove(other);
      }
    }
    List<Column> columns = new ArrayList<>();
    for (String name : names) {
      if (!text.columns().contains(name)) {
        throw new ConfigException(
            "input.features." + name + " is not among input.columns " + text.columns());
      }
      columns.add(column(name, kinds.getOrDefault(name, "number")));
    }
    return new Schema(columns, cells);
  }

  private static Column column(String name, Object kind) {
    if (kind instanceof List<?> categories) {
      List<String> texts = categories.stream().map(String::valueOf).toList();
      return new Column(name, Column.Kind.CATEGORY, 0, texts, 0);
    }
    return switch (kind.toString()) {
      case "number" -> new Column(name, Column.Kind.NUMBER, 0, List.of(), 0);
      case "date" -> new Column(name, Column.Kind.DATE, 0, List.of(), 0);
      case "hashed" -> new Column(name, Column.Kind.HASHED, 0, List.of(), BUCKETS);
      default ->
          throw new ConfigException(
              "input.features."
                  + name
                  + " must be number, date, hashed or a list of categories, was "
                  + kind);
    };
  }
}
