// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import io.github.avm4j.flink.operator.Schedule;
import io.github.avm4j.flink.operator.StartFiles;
import io.github.avm4j.flink.sink.KafkaTopics;
import io.github.avm4j.flink.sink.ModelFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Settings of a job, read from its YAML file (docs/operations.md).
 *
 * @param name of the job and of its model
 * @param keyed whether there is a learner per key
 * @param cells the settings of cells if there is a learner per cell; else null. If neither, there
 *     is one learner of the stream
 * @param detect the settings of detection if anomalies are detected; else null
 * @param input where examples come from
 * @param labels source of the labels if they arrive separately; null if examples carry them
 * @param labelsWithin how long an example and its label wait for each other
 * @param start what it begins with
 * @param parallelism subtasks that learn, by keys or cells; 1 for one learner of the stream
 * @param schedule when a model is published
 * @param window instances of a prequential score
 * @param timeToLive time after which a silent key is removed; zero for never
 * @param startTopic topic of global learners that new keys begin with; null for none
 * @param startName the global learner's name there
 * @param output topics and folder by kind: models, learners, folder, predictions, scores, alarms,
 *     detections, bad-records
 * @param level coverage of the intervals or prediction sets of predictions; 0 for none
 * @param labelShare share of the examples without a label that predictions ask one for; 0 to take
 *     labelled examples only
 * @param exactlyOnce whether rows are written to topics in transactions, as versions always are
 * @param keep versions that stay in the folder; 0 for all
 * @param kafka properties of Kafka's clients
 * @param flink Flink's own options
 */
record StreamConfig(
    String name,
    boolean keyed,
    @Nullable CellsConfig cells,
    @Nullable DetectConfig detect,
    InputConfig input,
    @Nullable InputConfig labels,
    Duration labelsWithin,
    StartFiles start,
    int parallelism,
    Schedule schedule,
    long window,
    Duration timeToLive,
    @Nullable String startTopic,
    String startName,
    Map<String, String> output,
    double level,
    double labelShare,
    boolean exactlyOnce,
    int keep,
    Map<String, String> kafka,
    Map<String, String> flink) {
  private static final int LARGEST_FILE = 1 << 20;

  /** So many checkpoints fit into the life of a transaction, at least. */
  private static final int SHARE = 8;

  private static final List<String> OUTPUTS =
      List.of(
          "models",
          "learners",
          "folder",
          "predictions",
          "scores",
          "alarms",
          "detections",
          "bad-records");

  /** Those of which a reader can bear some twice. */
  private static final List<String> ROWS =
      List.of("predictions", "alarms", "detections", "bad-records");

  /** The job of a file; paths in it are relative to where it lies. */
  static StreamConfig read(Path file) throws IOException {
    if (Files.size(file) > LARGEST_FILE) {
      throw new ConfigException(file + " is larger than 1 MiB: not a job's file");
    }
    try {
      return parse(Files.readString(file), file.toAbsolutePath().getParent());
    } catch (ConfigException e) {
      throw new ConfigException(file + ": " + e.getMessage(), e);
    }
  }

  static StreamConfig parse(String yaml, @Nullable Path folder) throws IOException {
    Object tree;
    try {
      LoadSettings settings =
          LoadSettings.builder()
              .setAllowDuplicateKeys(false)
              .setMaxAliasesForCollections(20)
              .setCodePointLimit(LARGEST_FILE)
              .build();
      tree = new Load(settings).loadFromString(yaml);
    } catch (YamlEngineException e) {
      throw new ConfigException("not YAML: " + e.getMessage(), e);
    }
    Section top = Section.of("", tree);
    String name = top.required("name");
    if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]{0,63}")) {
      throw top.wrong("name", "up to 64 letters, digits, dots, dashes or underscores");
    }
    String mode = top.choice("mode", "global", "keyed", "cells", "detect");
    boolean keyed = mode.equals("keyed");
    CellsConfig cells =
        mode.equals("cells") ? CellsConfig.read(top.section("cells"), name, folder) : null;
    DetectConfig detect = mode.equals("detect") ? DetectConfig.read(top.section("detector")) : null;
    int parallelism = (int) top.whole("parallelism", 1, 1, 1 << 15);
    InputConfig input = InputConfig.read(top.section("input"), parallelism);
    InputConfig labels = null;
    Duration within = Duration.ofHours(1);
    if (top.has("labels")) {
      Section section = top.section("labels");
      within = section.duration("within", within);
      labels = InputConfig.read(section, 1);
    }
    StartFiles start =
        detect == null
            ? StartLearner.read(top, input, folder)
            : DetectConfig.start(top, input, folder);
    Section publish = top.section("publish");
    Schedule schedule = schedule(publish);
    publish.end();
    Section keys = top.section("keys");
    Duration timeToLive = keys.duration("time-to-live", Duration.ZERO);
    String startTopic = keys.text("start-topic");
    String startName = keys.text("start-name", name);
    String state = keys.choice("state", "hashmap", "rocksdb");
    keys.end();
    Map<String, String> flink = new LinkedHashMap<>(KeyState.settings(state));
    checkpoints(top.section("checkpoints"), flink);
    flink.putAll(top.section("flink").rest());
    Section outputs = top.section("output");
    int keep = (int) outputs.whole("keep", ModelFolder.KEEP, 0, 1 << 20);
    boolean exactlyOnce =
        outputs.choice("delivery", "exactly-once", "at-least-once").equals("exactly-once");
    Double level = outputs.number("level");
    Double labelShare = outputs.number("label-share");
    long window = top.whole("window", 1000, 1, Long.MAX_VALUE);
    StreamConfig config =
        new StreamConfig(
            name,
            keyed,
            cells,
            detect,
            input,
            labels,
            within,
            start,
            parallelism,
            schedule,
            window,
            timeToLive,
            startTopic,
            startName,
            output(outputs),
            level == null ? 0 : level,
            labelShare == null ? 0 : labelShare,
            exactlyOnce,
            keep,
            top.section("kafka").rest(),
            flink);
    top.end();
    config.check();
    return config;
  }

  private void check() {
    boolean topics =
        input.topic() != null
            || startTopic != null
            || output.entrySet().stream().anyMatch(one -> isTopic(one.getKey(), one.getValue()));
    if (topics && !kafka.containsKey("bootstrap.servers")) {
      throw new ConfigException("kafka.bootstrap.servers is missing (host:port of a broker)");
    }
    checkTransactions();
    for (String kind : List.of("models", "learners", "folder", "scores")) {
      if (keyed && output.containsKey(kind)) {
        throw new ConfigException(
            "output." + kind + " is of global mode; a key's learner is in its state");
      }
    }
    if (detect != null) {
      detect.check(this);
      return;
    }
    for (String kind : DetectConfig.OUTPUTS) {
      if (output.containsKey(kind)) {
        throw new ConfigException("output." + kind + " is of mode detect");
      }
    }
    input.checkTruth("input", start.task());
    if (labels != null) {
      labels.checkTruth("labels", start.task());
    }
    if (level != 0) {
      checkLevel();
    }
    if (labelShare != 0) {
      checkLabelShare();
    }
    if (cells != null) {
      checkCells();
    }
    if (!keyed && cells == null && parallelism > 1) {
      throw new ConfigException(
          "parallelism must be 1: one learner of the stream works in one subtask."
              + " input.parallelism reads with more; modes keyed and cells learn with more");
    }
    if (labels != null && labels.topic() == null) {
      throw new ConfigException("labels.topic is missing");
    }
  }

  /** Whether an output is a topic: alarms and detections may be folders too, which have a slash. */
  static boolean isTopic(String kind, String where) {
    return !kind.equals("folder")
        && !(DetectConfig.OUTPUTS.contains(kind) && where.indexOf('/') >= 0);
  }

  /** Whether an output is a topic that is written in transactions. */
  boolean isTransactional(String kind) {
    String where = output.get(kind);
    return where != null && isTopic(kind, where) && (exactlyOnce || !ROWS.contains(kind));
  }

  private void checkLevel() {
    List<Double> levels = start.levels();
    if (!levels.contains(level)) {
      throw new ConfigException(
          "output.level: "
              + (levels.isEmpty()
                  ? "this learner keeps no intervals; leave it out, or use kind: auto"
                  : "the learner keeps intervals of " + levels + ", not of " + level));
    }
    if (!output.containsKey("predictions")) {
      throw new ConfigException("output.level requires output.predictions");
    }
  }

  private void checkLabelShare() {
    if (!(labelShare > 0 && labelShare <= 1)) {
      throw new ConfigException(
          "output.label-share must be a share above 0 and at most 1, was " + labelShare);
    }
    if (cells != null) {
      throw new ConfigException("output.label-share is of modes global and keyed");
    }
    if (!output.containsKey("predictions")) {
      throw new ConfigException("output.label-share requires output.predictions");
    }
  }

  private void checkCells() {
    if (!start.isAuto()) {
      throw new ConfigException("mode cells needs the self-configuring learner (kind: auto)");
    }
    if (start.hasLearned()) {
      throw new ConfigException("start has learned; mode cells begins with the plan's rows");
    }
    if (labels != null && !(input.files().isEmpty() && labels.files().isEmpty())) {
      throw new ConfigException(
          "mode cells joins labels from topics only: leave out input.files and labels.files");
    }
    if (output.containsKey("learners")) {
      throw new ConfigException("output.learners is of global mode; a cell's is in its state");
    }
  }

  private static Map<String, String> output(Section section) {
    Map<String, String> output = new LinkedHashMap<>();
    for (String kind : OUTPUTS) {
      String where = section.text(kind);
      if (where != null) {
        output.put(kind, where);
      }
    }
    section.end();
    if (output.isEmpty()) {
      throw new ConfigException("output must name at least one of " + OUTPUTS);
    }
    return output;
  }

  private static Schedule schedule(Section publish) {
    String every = publish.text("every", "10000");
    if (every.matches("[0-9]{1,18}") && Long.parseLong(every) > 0) {
      return Schedule.everyInstances(Long.parseLong(every));
    }
    long millis = publish.duration("every", Duration.ZERO).toMillis();
    if (millis <= 0) {
      throw publish.wrong("every", "a number of instances or a duration such as 30s");
    }
    return Schedule.everyMillis(millis);
  }

  /** Whether any output is written in transactions. */
  boolean isTransactional() {
    return output.keySet().stream().anyMatch(this::isTransactional);
  }

  /** How long a transaction may be open, in milliseconds, as it is written. */
  String transactionTimeout() {
    return kafka.getOrDefault(KafkaTopics.TRANSACTION_TIMEOUT, KafkaTopics.TEN_MINUTES);
  }

  /** The longest time from one checkpoint to the next if none fails. */
  private Duration every() {
    Configuration options = Configuration.fromMap(flink);
    Duration every = options.get(CheckpointingOptions.CHECKPOINTING_INTERVAL);
    Duration pause = options.get(CheckpointingOptions.MIN_PAUSE_BETWEEN_CHECKPOINTS);
    return every.compareTo(pause) < 0 ? pause : every;
  }

  /**
   * How old what was written since the last checkpoint may get. Checkpoints may fail for half of
   * what a transaction lives; the last before that and the first after it may each be as far away
   * as two checkpoints are. A quarter at least is left to commit.
   */
  Duration deadline() {
    return Duration.ofMillis(Long.parseLong(transactionTimeout()) / 2)
        .plus(every().multipliedBy(2));
  }

  /** Checkpoints end transactions: {@link #deadline} must come long before the broker's. */
  private void checkTransactions() {
    if (!isTransactional()) {
      return;
    }
    String timeout = transactionTimeout();
    long least = SHARE * every().toMillis();
    if (least <= 0) {
      throw new ConfigException("checkpoints.every must be above 0: transactions end with them");
    }
    if (!timeout.matches("[0-9]{1,9}") || least > Long.parseLong(timeout)) {
      throw new ConfigException(
          "kafka.%s must be at least eight times checkpoints.every, %d milliseconds, was %s"
              .formatted(KafkaTopics.TRANSACTION_TIMEOUT, least, timeout));
    }
  }

  private static void checkpoints(Section section, Map<String, String> flink) {
    Duration every = section.duration("every", Duration.ofSeconds(10));
    flink.put("execution.checkpointing.interval", every.toMillis() + " ms");
    String folder = section.text("folder");
    if (folder != null) {
      flink.put(JobOptions.CHECKPOINTS, folder);
    }
    section.end();
  }
}
