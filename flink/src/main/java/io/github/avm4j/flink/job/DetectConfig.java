// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import io.github.avm4j.Avm;
import io.github.avm4j.DetectorBuilder;
import io.github.avm4j.config.DetectorConfig;
import io.github.avm4j.flink.operator.StartFiles;
import io.github.avm4j.pipeline.RowDetector;
import io.github.avm4j.pipeline.RowModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Section {@code detector} of a job's file, for mode {@code detect}.
 *
 * @param perKey whether there is a detector per key; else one for the stream
 */
record DetectConfig(boolean perKey) {
  /** Outputs of this mode alone: topics, or folders if there is a slash in them. */
  static final Set<String> OUTPUTS = Set.of("alarms", "detections");

  private static final List<String> SETTINGS =
      List.of("alarm", "budget", "forgetting", "protection", "features", "seed");

  static DetectConfig read(Section section) {
    return new DetectConfig(section.choice("per", "stream", "key").equals("key"));
  }

  /** The detector that the job begins with: of the file {@code start}, or new. */
  static StartFiles start(Section top, InputConfig input, @Nullable Path folder)
      throws IOException {
    if (top.has("learner")) {
      throw new ConfigException(
          "learner is not allowed with mode: detect; its settings are in detector");
    }
    Section section = top.section("detector");
    section.text("per");
    String file = top.text("start");
    if (file == null) {
      RowDetector rows = build(section, input);
      section.end();
      return new StartFiles(rows);
    }
    for (String setting : SETTINGS) {
      if (section.has(setting)) {
        throw new ConfigException(
            "start and detector."
                + setting
                + " exclude each other: the file of start has the settings");
      }
    }
    section.end();
    Path path = folder == null ? Path.of(file) : folder.resolve(file);
    byte[] bytes = RowModel.bytes(path);
    if (!RowDetector.isDetector(bytes)) {
      throw new ConfigException(
          "start: "
              + path
              + " is no detector; mode detect begins with a file of avm detect --save");
    }
    return new StartFiles(RowDetector.read(bytes));
  }

  private static RowDetector build(Section section, InputConfig input) {
    Double alarm = section.number("alarm");
    double level = alarm == null ? DetectorConfig.DEFAULT.alarm() : alarm;
    int most = DetectorConfig.MAX_CALIBRATION;
    if (!(level >= 1.0 / most)) {
      throw section.wrong("alarm", "at least " + 1.0 / most);
    }
    int budget =
        (int)
            section.whole("budget", DetectorConfig.DEFAULT.budget(), 1, DetectorConfig.MAX_BUDGET);
    Double forgetting = section.number("forgetting");
    boolean protection = section.flag("protection", true);
    long features = section.whole("features", 0, 1, Integer.MAX_VALUE);
    long seed = section.whole("seed", 1, Long.MIN_VALUE, Long.MAX_VALUE);
    if (input.schema().isNumbered() == (features == 0)) {
      throw new ConfigException(
          features == 0
              ? "detector.features is missing: the number of features of LIBSVM records"
              : "detector.features is for LIBSVM records; input.columns has the features here");
    }
    try {
      DetectorBuilder builder =
          Avm.detector()
              .alarm(level)
              .calibration(scores(level))
              .budget(budget)
              .protection(protection)
              .seed(seed)
              .features(features == 0 ? input.schema().dimension() : (int) features);
      if (forgetting != null) {
        builder.forgetting(forgetting);
      }
      return new RowDetector(input.schema().closed(), builder.build());
    } catch (IllegalArgumentException e) {
      throw new ConfigException("detector: " + e.getMessage(), e);
    }
  }

  /** Scores that p-values compare with: ten are to be beyond the level, as for avm detect. */
  private static int scores(double alarm) {
    int needed = (int) Math.min(DetectorConfig.MAX_CALIBRATION, Math.ceil(10 / alarm));
    return Math.max(DetectorConfig.DEFAULT.calibration(), needed);
  }

  /** Labels are feedback: each record holds the row, its key and the label. */
  private static void checkFeedback(@Nullable InputConfig labels) {
    if (labels == null) {
      return;
    }
    if (labels.text().label() == null) {
      throw new ConfigException(
          "labels.label is missing: the column that says true of an anomaly, false of others");
    }
  }

  /** Refuses what is not allowed with this mode. */
  void check(StreamConfig config) {
    if (config.input().text().label() != null) {
      throw new ConfigException(
          "input.label is not allowed with mode: detect; leave it out, and name in input.features the"
              + " columns that are judged; feedback comes by labels.topic");
    }
    checkFeedback(config.labels());
    if (config.startTopic() != null) {
      throw new ConfigException("keys.start-topic is not allowed with mode: detect; use start");
    }
    if (config.level() != 0) {
      throw new ConfigException("output.level is not allowed with mode: detect; remove it");
    }
    if (config.labelShare() != 0) {
      throw new ConfigException("output.label-share is not allowed with mode: detect; remove it");
    }
    for (String kind : List.of("learners", "predictions", "scores")) {
      if (config.output().containsKey(kind)) {
        throw new ConfigException(
            "output." + kind + " is not allowed with mode: detect; it has alarms and detections");
      }
    }
    for (String kind : List.of("models", "folder")) {
      if (perKey && config.output().containsKey(kind)) {
        throw new ConfigException(
            "output." + kind + " needs detector.per: stream; a key's detector is in its state");
      }
    }
    if (!perKey && config.parallelism() > 1) {
      throw new ConfigException(
          "parallelism must be 1: one detector for the stream works in one subtask."
              + " detector.per: key has one per key, in all of them");
    }
  }
}
