// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import io.github.avm4j.flink.operator.AnomalyDetection;
import io.github.avm4j.flink.operator.CellLearning;
import io.github.avm4j.flink.operator.CellStart;
import io.github.avm4j.flink.operator.CommitDeadline;
import io.github.avm4j.flink.operator.DetectAnomalies;
import io.github.avm4j.flink.operator.JoinLabels;
import io.github.avm4j.flink.operator.LearnKeys;
import io.github.avm4j.flink.operator.RunCounts;
import io.github.avm4j.flink.operator.ScoreExamples;
import io.github.avm4j.flink.operator.SortRecords;
import io.github.avm4j.flink.operator.StreamLearning;
import io.github.avm4j.flink.record.BadRecord;
import io.github.avm4j.flink.record.Detection;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.Formats;
import io.github.avm4j.flink.record.ModelVersion;
import io.github.avm4j.flink.record.Parsed;
import io.github.avm4j.flink.record.Prediction;
import io.github.avm4j.flink.record.RecordFormat;
import io.github.avm4j.flink.sink.DetectionFolder;
import io.github.avm4j.flink.sink.KafkaTopics;
import io.github.avm4j.flink.sink.ModelFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * Assembles the job of a {@link StreamConfig}. Every operator has a fixed uid, by which savepoints
 * name its state.
 */
final class StreamJob {
  private static final String LEARN_KEYS = "learn-keys";

  private final StreamExecutionEnvironment env;
  private final StreamConfig config;
  private final Launch launch;
  private final KafkaTopics kafka;
  private final List<DataStream<BadRecord>> bad = new ArrayList<>();

  private StreamJob(StreamExecutionEnvironment env, StreamConfig config, Launch launch) {
    this.env = env;
    this.config = config;
    this.launch = launch;
    this.kafka =
        new KafkaTopics(
            config.kafka(),
            config.name(),
            config.exactlyOnce()
                ? DeliveryGuarantee.EXACTLY_ONCE
                : DeliveryGuarantee.AT_LEAST_ONCE);
  }

  /** Adds the job, without savepoint or plan, to {@code env}. */
  static void build(StreamExecutionEnvironment env, StreamConfig config) {
    build(env, config, Launch.NEW);
  }

  /** Adds the job to {@code env}. */
  static void build(StreamExecutionEnvironment env, StreamConfig config, Launch launch) {
    new StreamJob(env, config, launch).build();
  }

  private void build() {
    InputConfig input = config.input();
    DetectConfig detect = config.detect();
    InputConfig labels = config.labels();
    boolean complete = labels == null && detect == null && config.labelShare() == 0;
    DataStream<Example> examples = examples(input, "examples", complete);
    if (labels != null) {
      DataStream<Example> labelled = examples(labels, "labels", true);
      // Feedback on anomalies carries the row itself, and no row waits for it.
      examples =
          detect != null ? examples.union(labelled) : join(examples, labelled, input.parallelism());
    }
    if (detect != null) {
      detect(examples, detect);
    } else if (config.keyed()) {
      keyed(examples);
    } else if (config.cells() != null) {
      cells(examples);
    } else {
      global(examples);
    }
    badRecords();
  }

  private DataStream<Example> examples(InputConfig input, String uid, boolean labelled) {
    RecordFormat read = input.format(config.start(), labelled);
    boolean fixed = config.detect() != null || config.cells() != null;
    RecordFormat format = fixed ? read : read.marking();
    SingleOutputStreamOperator<Example> examples =
        env.fromSource(
                new InputSource(input, format, kafka, launch.cells()).build(),
                times(input),
                uid,
                Formats.PARSED.type())
            .uid(uid)
            .setParallelism(input.parallelism())
            .process(
                new SortRecords(
                    config.start().file(), joined(), learners(), launch.savepoint() != null),
                Formats.EXAMPLE.type())
            .name("sort-" + uid)
            .uid("sort-" + uid)
            .setParallelism(input.parallelism());
    bad.add(examples.getSideOutput(SortRecords.BAD));
    return examples;
  }

  /** The uid of the operator that learns, by which a savepoint names its learners. */
  private String learners() {
    if (config.keyed()) {
      return LEARN_KEYS;
    }
    String what =
        config.detect() != null ? "detect" : config.cells() != null ? "learn-cells" : "learn";
    return config.name() + "-" + what;
  }

  /** Records that the plan's rows were joined of. */
  private Map<String, long[]> joined() {
    CellStart start = launch.cells();
    try {
      return start == null ? Map.of() : start.joined();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Event time, if labels or keys wait by it; without it otherwise. A source has a watermark per
   * partition or file: a reader of several may take many records of one before the first of
   * another, which would be late by a watermark for all.
   */
  private WatermarkStrategy<Parsed> times(InputConfig input) {
    boolean joins = config.labels() != null && config.detect() == null;
    if (!joins && config.timeToLive().isZero()) {
      return WatermarkStrategy.noWatermarks();
    }
    WatermarkStrategy<Parsed> times =
        WatermarkStrategy.<Parsed>forBoundedOutOfOrderness(input.disorder())
            .withTimestampAssigner((parsed, before) -> parsed.time())
            .withIdleness(input.idle());
    // Of two topics the one that is read faster waits, or its records would pile up in the join.
    return joins ? times.withWatermarkAlignment("join-labels", config.labelsWithin()) : times;
  }

  private DataStream<Example> join(
      DataStream<Example> examples, DataStream<Example> labels, int readers) {
    SingleOutputStreamOperator<Example> joined =
        examples
            .keyBy(Example::id, Types.STRING)
            .connect(labels.keyBy(Example::id, Types.STRING))
            .process(
                new JoinLabels(config.labelsWithin(), config.labelShare() > 0),
                Formats.EXAMPLE.type())
            .name("join-labels")
            .uid("join-labels")
            // One reader of the input keeps the order of rows within a cell.
            .setParallelism(config.cells() == null ? config.parallelism() : readers);
    bad.add(refuse(joined.getSideOutput(JoinLabels.UNLABELLED), "late", "no label came in time"));
    bad.add(
        refuse(
            joined.getSideOutput(JoinLabels.LATE), "unmatched", "a label without an open example"));
    return joined;
  }

  private DataStream<BadRecord> refuse(DataStream<Example> examples, String uid, String reason) {
    return examples
        .map(example -> BadRecord.of(example, reason))
        .returns(Formats.BAD_RECORD.type())
        .name("refuse")
        .uid("refuse-" + uid)
        .setParallelism(config.parallelism());
  }

  private void global(DataStream<Example> examples) {
    StreamLearning.Settings settings =
        StreamLearning.settings(config.name(), config.start())
            .publishing(config.schedule())
            .window(config.window())
            .asking(config.labelShare())
            .after(launch.lineage(), launch.version());
    if (config.output().containsKey("predictions")) {
      settings.predicting(config.level());
    }
    if (config.output().containsKey("learners")) {
      settings.withLearners();
    }
    StreamLearning learning = StreamLearning.on(examples, settings);
    bad.add(learning.refused());
    predictions(learning.predictions());
    to(learning.scores(), "scores", "scores-topic", kafka::scores);
    to(learning.learners(), "learners", "learners-topic", kafka::learners);
    models(learning.models());
  }

  private void cells(DataStream<Example> examples) {
    CellStart start = launch.cells();
    CellLearning learning =
        CellLearning.on(
            examples,
            new CellLearning.Settings(
                config.name(),
                start == null ? CellStart.NONE : start,
                config.parallelism(),
                config.schedule(),
                config.window(),
                config.level(),
                launch.lineage(),
                launch.version(),
                launch.everywhere(),
                parts(),
                launch.listed()));
    bad.add(learning.refused());
    predictions(learning.predictions());
    to(learning.scores(), "scores", "scores-topic", kafka::scores);
    models(learning.models());
  }

  private void predictions(DataStream<Prediction> predictions) {
    byte[] names = config.start().file();
    rows(predictions, "predictions", "predictions", topic -> kafka.predictions(topic, names));
  }

  /** The outputs of models where they get parts; empty where they get wholes. */
  private String parts() {
    CellsConfig cells = config.cells();
    return cells != null && cells.parts()
        ? "models %s, folder %s"
            .formatted(config.output().get("models"), config.output().get("folder"))
        : "";
  }

  private void models(DataStream<ModelVersion> models) {
    to(models, "models", "models-topic", kafka::models);
    to(
        models,
        "folder",
        "models-folder",
        folder -> new ModelFolder(new Path(folder).toUri(), config.keep()));
  }

  private void keyed(DataStream<Example> examples) {
    String topic = config.startTopic();
    DataStream<ModelVersion> global =
        topic == null
            ? examples
                .<ModelVersion>flatMap((example, out) -> {})
                .returns(Formats.MODEL_VERSION.type())
                .name("no-global")
                .uid("no-global")
                .setParallelism(config.parallelism())
            : env.fromSource(
                    kafka.modelSource(topic),
                    // Models have no say in how late it is.
                    WatermarkStrategy.<ModelVersion>noWatermarks()
                        .withIdleness(config.input().idle()),
                    "global",
                    Formats.MODEL_VERSION.type())
                .uid("global")
                .setParallelism(1);
    SingleOutputStreamOperator<Prediction> learn =
        examples
            .keyBy(Example::key, Types.STRING)
            .connect(global.broadcast(ScoreExamples.MODELS))
            .process(
                new LearnKeys(
                    config.start().file(),
                    config.startName(),
                    config.timeToLive(),
                    config.level(),
                    config.labelShare()),
                Formats.PREDICTION.type())
            .name(LEARN_KEYS)
            .uid(LEARN_KEYS)
            .setParallelism(config.parallelism());
    bad.add(learn.getSideOutput(LearnKeys.REFUSED));
    predictions(learn);
  }

  private void detect(DataStream<Example> examples, DetectConfig how) {
    AnomalyDetection detection =
        how.perKey()
            ? AnomalyDetection.perKey(
                examples, config.name(), config.start(), config.timeToLive(), config.parallelism())
            : AnomalyDetection.perStream(
                examples,
                config.start(),
                new DetectAnomalies.Publishing(
                    config.name(), config.schedule(), launch.lineage(), launch.version()));
    bad.add(detection.refused());
    DataStream<Detection> alarms =
        detection
            .detections()
            .filter(Detection::alarm)
            .name("alarms-only")
            .uid("alarms-only")
            .setParallelism(config.parallelism());
    detections(alarms, "alarms");
    detections(detection.detections(), "detections");
    if (!how.perKey()) {
      models(detection.models());
    }
  }

  private void detections(DataStream<Detection> detections, String kind) {
    byte[] names = config.start().file();
    rows(
        detections,
        kind,
        kind,
        where ->
            StreamConfig.isTopic(kind, where)
                ? kafka.detections(kind, where, names)
                : DetectionFolder.at(new Path(where).toUri(), config.name() + "-" + kind, names));
  }

  private void badRecords() {
    DataStream<BadRecord> all = bad.get(0);
    for (DataStream<BadRecord> more : bad.subList(1, bad.size())) {
      all = all.union(more);
    }
    DataStream<BadRecord> counted =
        all.map(new RunCounts.Bad())
            .returns(Formats.BAD_RECORD.type())
            .name("count-bad-records")
            .uid("count-bad-records")
            .setParallelism(config.parallelism());
    if (!config.output().containsKey("bad-records")) {
      counted
          .sinkTo(new DiscardingSink<>())
          .name("no-bad-records")
          .uid("no-bad-records")
          .setParallelism(config.parallelism());
    }
    byte[] names = config.start().file();
    rows(counted, "bad-records", "bad-records", topic -> kafka.badRecords(topic, names));
  }

  /** Makes the sink of a topic or folder. */
  private interface SinkMaker<T> {
    Sink<T> at(String where);
  }

  /** Of rows as many at once as learn. */
  private <T> void rows(DataStream<T> stream, String kind, String uid, SinkMaker<T> maker) {
    to(stream, kind, uid, config.parallelism(), maker);
  }

  /** Of versions and scores, whose order matters, one. */
  private <T> void to(DataStream<T> stream, String kind, String uid, SinkMaker<T> maker) {
    to(stream, kind, uid, 1, maker);
  }

  private <T> void to(
      DataStream<T> stream, String kind, String uid, int parallelism, SinkMaker<T> maker) {
    String where = config.output().get(kind);
    if (where != null) {
      DataStream<T> last =
          config.isTransactional(kind)
              ? CommitDeadline.on(stream, config.deadline(), "deadline-" + uid, parallelism)
              : stream;
      last.sinkTo(maker.at(where)).name(uid).uid(uid).setParallelism(parallelism);
    }
  }
}
