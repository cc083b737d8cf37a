// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import io.github.avm4j.flink.CollectSink;
import io.github.avm4j.flink.LocalCluster;
import io.github.avm4j.flink.TestRecords;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.Formats;
import io.github.avm4j.flink.record.ModelVersion;
import io.github.avm4j.flink.record.Parsed;
import io.github.avm4j.flink.record.Prediction;
import io.github.avm4j.flink.record.RecordFormat;
import io.github.avm4j.flink.record.WindowScore;
import io.github.avm4j.learner.CellPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource.NumberSequenceSplit;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** A job of mode cells over generated rows, and what a plain loop over the same rows gives. */
final class CellJob {
  static final int PLAN = 100;
  static final int RECORDS = 3000;
  static final int CELLS = 6;
  static final double LEVEL = 0.9;
  static final Schedule EVERY = Schedule.everyInstances(500);

  private CellJob() {}

  /** What a plain loop gives. */
  static final class Expected {
    final byte[] file;
    final Map<String, Prediction> predictions;
    final long wrong;
    final long frozen;

    Expected(byte[] file, Map<String, Prediction> predictions, long wrong, long frozen) {
      this.file = file;
      this.predictions = predictions;
      this.wrong = wrong;
      this.frozen = frozen;
    }
  }

  /** A plan of the first rows. */
  static CellStart start(int rows) throws IOException {
    RecordFormat format = TestRecords.format();
    List<Example> first = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      first.add(format.parse(TestRecords.record(i)).example());
    }
    return CellStart.make(TestRecords.start(), first, CELLS, Map.of("test-0", (long) rows));
  }

  /** The plain loop over all rows. */
  static Expected expected(CellStart start) throws IOException {
    RecordFormat format = TestRecords.format();
    CellPlan plan = start.plan();
    CellLoop loop = new CellLoop(start);
    Map<String, Prediction> predictions = new TreeMap<>();
    Map<Integer, Long> versions = new TreeMap<>();
    long wrong = 0;
    long frozen = 0;
    for (int i = PLAN; i < PLAN + RECORDS; i++) {
      Example row = format.parse(TestRecords.record(i)).example();
      double[] set = loop.learner(row).predictionSet(row.x(), LEVEL);
      double prediction = loop.learn(row);
      long version = versions.merge(loop.cellOf(row), 1L, Long::sum) - 1;
      List<Double> range = Arrays.stream(set).boxed().toList();
      predictions.put(row.id(), Prediction.of(row, prediction, version, range));
      wrong += prediction == row.y() ? 0 : 1;
      frozen += plan.outer().predict(row.x()) == row.y() ? 0 : 1;
    }
    return new Expected(loop.file(PLAN + RECORDS), predictions, wrong, frozen);
  }

  @SuppressWarnings("unchecked")
  private static RateLimiterStrategy<NumberSequenceSplit> atMost(double perSecond) {
    return perSecond > 0 ? RateLimiterStrategy.perSecond(perSecond) : RateLimiterStrategy.noOp();
  }

  static DataStream<Example> examples(
      StreamExecutionEnvironment env, RateLimiterStrategy<NumberSequenceSplit> rate) {
    RecordFormat format = TestRecords.format();
    DataGeneratorSource<Parsed> source =
        new DataGeneratorSource<>(
            i -> format.parse(TestRecords.record(PLAN + i)), RECORDS, rate, Formats.PARSED.type());
    return env.fromSource(source, WatermarkStrategy.noWatermarks(), "records")
        .uid("records")
        .setParallelism(1)
        .process(new SortRecords(TestRecords.start().file()), Formats.EXAMPLE.type())
        .uid("sort")
        .setParallelism(1);
  }

  /** Sinks of jobs that go on from each other. */
  static final class Outputs {
    final CollectSink<ModelVersion> models = new CollectSink<>();
    final CollectSink<Prediction> predictions = new CollectSink<>();
    final CollectSink<WindowScore> scores = new CollectSink<>();

    ModelVersion last() {
      List<ModelVersion> all = versions();
      return all.get(all.size() - 1);
    }

    /** Without parts. */
    List<ModelVersion> versions() {
      return models.values().stream().filter(one -> !one.isPart()).toList();
    }

    /** The parts that were sent for a version. */
    List<String> parts(long version) {
      return models.values().stream()
          .filter(one -> one.isPart() && one.version() == version)
          .map(ModelVersion::name)
          .toList();
    }
  }

  static StreamExecutionEnvironment job(
      CellStart plan, Outputs outputs, int parallelism, double perSecond, String... options) {
    return job(
        new CellLearning.Settings(
            "m", plan, parallelism, EVERY, 300, LEVEL, "", 0, true, "", List.of()),
        outputs,
        perSecond,
        options);
  }

  static StreamExecutionEnvironment job(
      CellLearning.Settings settings, Outputs outputs, double perSecond, String... options) {
    return job(settings, outputs, atMost(perSecond), options);
  }

  static StreamExecutionEnvironment job(
      CellLearning.Settings settings,
      Outputs outputs,
      RateLimiterStrategy<NumberSequenceSplit> rate,
      String... options) {
    StreamExecutionEnvironment env = LocalCluster.environment(options);
    CellLearning learning = CellLearning.on(examples(env, rate), settings);
    learning.models().sinkTo(outputs.models).uid("models").setParallelism(1);
    learning.predictions().sinkTo(outputs.predictions).uid("predictions").setParallelism(1);
    learning.scores().sinkTo(outputs.scores).uid("scores-sink").setParallelism(1);
    return env;
  }
}
