// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.fixtures.TestStream;
import io.github.avm4j.fixtures.Waiting;
import io.github.avm4j.flink.CollectSink;
import io.github.avm4j.flink.LocalCluster;
import io.github.avm4j.flink.TestRecords;
import io.github.avm4j.flink.record.BadRecord;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.Formats;
import io.github.avm4j.flink.record.ModelVersion;
import io.github.avm4j.flink.record.Parsed;
import io.github.avm4j.flink.record.Prediction;
import io.github.avm4j.flink.record.RecordFormat;
import io.github.avm4j.flink.record.WindowScore;
import io.github.avm4j.flink.sink.ModelFolder;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.pipeline.RowLearner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StreamLearningTest {
  private static final double LEVEL = 0.9;
  private static LocalCluster cluster;

  @TempDir Path folder;
  private final CollectSink<Prediction> predictions = new CollectSink<>();
  private final CollectSink<WindowScore> scores = new CollectSink<>();
  private final CollectSink<ModelVersion> learners = new CollectSink<>();

  @BeforeAll
  static void start() throws Exception {
    cluster = new LocalCluster(4);
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  static DataStream<Example> examples(
      StreamExecutionEnvironment env, long count, double perSecond, int parallelism) {
    RecordFormat format = TestRecords.format();
    DataGeneratorSource<Parsed> source =
        new DataGeneratorSource<>(
            i -> format.parse(TestRecords.record(i)),
            count,
            perSecond > 0 ? RateLimiterStrategy.perSecond(perSecond) : RateLimiterStrategy.noOp(),
            Formats.PARSED.type());
    return env.fromSource(source, WatermarkStrategy.noWatermarks(), "records")
        .uid("records")
        .setParallelism(parallelism)
        .process(new SortRecords(TestRecords.start().file()), Formats.EXAMPLE.type())
        .uid("sort")
        .setParallelism(parallelism);
  }

  private StreamExecutionEnvironment job(long count, double perSecond, String... options) {
    StreamExecutionEnvironment env = LocalCluster.environment(options);
    StreamLearning learning =
        StreamLearning.on(
            examples(env, count, perSecond, 1),
            StreamLearning.settings("m", TestRecords.start())
                .publishing(Schedule.everyInstances(500))
                .window(300)
                .predicting(LEVEL)
                .withLearners());
    learning.scores().sinkTo(scores).uid("scores").setParallelism(1);
    learning.learners().sinkTo(learners).uid("learners").setParallelism(1);
    learning.predictions().sinkTo(predictions).uid("predictions").setParallelism(1);
    learning.models().sinkTo(new ModelFolder(folder.toUri())).uid("folder").setParallelism(1);
    return env;
  }

  private Path latest() throws Exception {
    return folder.resolve(Files.readString(folder.resolve("m.latest")).strip());
  }

  /** The file of a version, of whatever lineage; null if there is none. */
  private Path version(int number) throws Exception {
    String end = "-%06d.avm".formatted(number);
    try (var files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(end)).findAny().orElse(null);
    }
  }

  @Test
  void itGivesTheModelOfAPlainLoop() throws Exception {
    cluster.run(job(3210, 0));
    assertEquals(version(7), latest());
    assertArrayEquals(TestStream.expected(3210), Files.readAllBytes(latest()));
    for (int version = 1; version <= 6; version++) {
      assertArrayEquals(TestStream.expected(500L * version), Files.readAllBytes(version(version)));
    }
    try (var files = Files.list(folder)) {
      assertEquals(8, files.count(), "no hidden file stays");
    }
    Learner plain = TestStream.blank();
    for (Prediction one : predictions.values()) {
      FeatureVector x = TestStream.features(one.version());
      double[] set = plain.predictionSet(x, LEVEL);
      assertEquals(Arrays.stream(set).boxed().toList(), one.range(), "set of " + one);
      assertEquals(plain.predictThenLearn(x, one.label(), 1), one.value());
    }
    assertEquals(3210, predictions.values().size());
    assertEquals(
        3210, scores.values().stream().mapToLong(WindowScore::windowInstances).sum(), "windows");
    Learner last = RowLearner.read(learners.values().get(6).file()).learner();
    assertArrayEquals(plain.toBytes(), last.toBytes(), "the learner goes on bit for bit");
  }

  @Test
  void stoppedAndResumedIsAsIfNeverStopped(@TempDir Path savepoints) throws Exception {
    JobID first = cluster.submit(job(20_000, 2000));
    Waiting.until("version 3", () -> version(3) != null);
    String savepoint = cluster.stop(first, savepoints);
    assertTrue(Avm.loadModel(latest()).provenance().instances() < 20_000);
    cluster.run(job(20_000, 0, "execution.state-recovery.path", savepoint));
    assertArrayEquals(TestStream.expected(20_000), Files.readAllBytes(latest()));
    String name = latest().getFileName().toString();
    String line = name.substring(0, name.lastIndexOf('-'));
    try (var files = Files.list(folder)) {
      assertTrue(
          files
              .map(file -> file.getFileName().toString())
              .allMatch(file -> file.startsWith(line) || file.equals("m.latest")),
          "the lineage goes on");
    }
  }

  /** A job that restarted for it would meet the record again. */
  @Test
  void anExceptionThatNobodyForesawMakesABadRecord() throws Exception {
    StreamExecutionEnvironment env = LocalCluster.environment();
    DataStream<Example> broken =
        examples(env, 300, 0, 1)
            .map(e -> e.origin().offset() == 77 ? withoutFeatures(e) : e)
            .returns(Formats.EXAMPLE.type())
            .setParallelism(1);
    StreamLearning learning =
        StreamLearning.on(
            broken,
            StreamLearning.settings("m", TestRecords.start()).window(300).predicting(LEVEL));
    CollectSink<BadRecord> bad = new CollectSink<>();
    learning.refused().sinkTo(bad).setParallelism(1);
    learning.predictions().sinkTo(predictions).setParallelism(1);
    cluster.await(cluster.submit(env));
    assertEquals(299, predictions.values().size());
    assertEquals(1, bad.values().size());
    assertTrue(bad.values().get(0).reason().contains("NullPointerException"));
    assertEquals(77, bad.values().get(0).record().offset());
  }

  private static Example withoutFeatures(Example e) {
    return new Example(e.id(), e.key(), null, e.y(), e.weight(), e.time(), e.origin());
  }
}
