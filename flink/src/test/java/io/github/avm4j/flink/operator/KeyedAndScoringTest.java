// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.fixtures.TestStream;
import io.github.avm4j.fixtures.Waiting;
import io.github.avm4j.flink.CollectSink;
import io.github.avm4j.flink.LocalCluster;
import io.github.avm4j.flink.OpenModels;
import io.github.avm4j.flink.TestRecords;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.Formats;
import io.github.avm4j.flink.record.ModelVersion;
import io.github.avm4j.flink.record.Prediction;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.Predictor;
import io.github.avm4j.pipeline.RowModel;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyedAndScoringTest {
  private static final double LEVEL = 0.9;
  private static LocalCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = new LocalCluster(2);
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  /** Example i of key i mod 5, each key with a rule of its own. */
  private static Example example(long i) {
    SplittableRandom random = new SplittableRandom(i);
    double a = random.nextDouble();
    double b = random.nextDouble();
    long key = i % 5;
    double y = key % 2 == 0 ? (a > b ? 1 : 0) : (a + b > 1 ? 1 : 0);
    return new Example(Long.toString(i), "k" + key, FeatureVector.dense(a, b), y, 1, i);
  }

  private static DataStream<Example> examples(
      StreamExecutionEnvironment env, long n, double perSecond) {
    return env.fromSource(
            new DataGeneratorSource<>(
                KeyedAndScoringTest::example,
                n,
                RateLimiterStrategy.perSecond(perSecond),
                Formats.EXAMPLE.type()),
            WatermarkStrategy.noWatermarks(),
            "examples")
        .uid("examples")
        .setParallelism(1);
  }

  private static CollectSink<Prediction> keyed(
      StreamExecutionEnvironment env, long n, double rate, List<ModelVersion> global)
      throws IOException {
    CollectSink<Prediction> predictions = new CollectSink<>();
    examples(env, n, rate)
        .keyBy(Example::key, Types.STRING)
        .connect(OpenModels.of(env, global).broadcast(ScoreExamples.MODELS))
        .process(
            new LearnKeys(TestRecords.start().file(), "global", Duration.ofDays(1), LEVEL, 0),
            Formats.PREDICTION.type())
        .uid("keys")
        .setParallelism(2)
        .sinkTo(predictions)
        .uid("predictions");
    return predictions;
  }

  private static ModelVersion other() {
    return new ModelVersion("another", "", 1, 0, TestRecords.start().file());
  }

  private static void checkEachKey(
      List<Prediction> predictions, long from, Map<String, Learner> learners) {
    Map<String, Prediction> byId = new HashMap<>();
    predictions.forEach(prediction -> byId.put(prediction.id(), prediction));
    assertEquals(predictions.size(), byId.size(), "each once");
    for (long i = from; i < from + predictions.size(); i++) {
      Example example = example(i);
      Learner learner = learners.computeIfAbsent(example.key(), k -> TestStream.blank());
      long version = learner.instances();
      List<Double> set = set(learner, example);
      double expected = learner.predictThenLearn(example.x(), example.y(), 1);
      Prediction prediction = byId.get(example.id());
      assertEquals(set, prediction.range(), "set " + i);
      assertEquals(expected, prediction.value(), "prediction " + i);
      assertEquals(version, prediction.version(), "instances learned before " + i);
    }
  }

  private static List<Double> set(Predictor predictor, Example example) {
    return Arrays.stream(predictor.predictionSet(example.x(), LEVEL)).boxed().toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"hashmap", "rocksdb"})
  void eachKeyLearnsAsIfAloneAndGoesOnAfterASavepoint(String backend, @TempDir Path folder)
      throws Exception {
    StreamExecutionEnvironment env = LocalCluster.environment("state.backend.type", backend);
    CollectSink<Prediction> first = keyed(env, 1_000_000, 2000, List.of(other()));
    JobID job = cluster.submit(env);
    Waiting.until("predictions", () -> first.values().size() > 1500);
    String savepoint = cluster.stop(job, folder);
    int before = first.values().size();
    Map<String, Learner> learners = new HashMap<>();
    checkEachKey(first.values(), 0, learners);
    StreamExecutionEnvironment again =
        LocalCluster.environment(
            "state.backend.type", backend, "execution.state-recovery.path", savepoint);
    CollectSink<Prediction> second = keyed(again, 1_000_000, 2000, List.of(other()));
    JobID resumed = cluster.submit(again);
    Waiting.until("predictions", () -> second.values().size() > 500);
    cluster.stop(resumed, folder);
    checkEachKey(second.values(), before, learners);
  }

  @Test
  void scoresWithTheBroadcastModelAlsoAfterARestart(@TempDir Path folder) throws Exception {
    Learner learner = TestStream.blank();
    for (long i = 0; i < 800; i++) {
      learner.learn(example(i).x(), example(i).y());
    }
    byte[] file = TestStream.file(learner);
    RowModel model = RowModel.read(file);
    List<ModelVersion> versions =
        List.of(
            new ModelVersion("m", "", 3, 800, file),
            new ModelVersion("m", "", 4, 9, new byte[] {1}));
    StreamExecutionEnvironment env = LocalCluster.environment();
    CollectSink<Prediction> first = scored(env, versions);
    JobID job = cluster.submit(env);
    Waiting.until("predictions", () -> first.values().size() > 250);
    String savepoint = cluster.stop(job, folder);
    StreamExecutionEnvironment again =
        LocalCluster.environment("execution.state-recovery.path", savepoint);
    CollectSink<Prediction> second = scored(again, versions);
    JobID resumed = cluster.submit(again);
    Waiting.until("predictions", () -> second.values().size() > 250);
    cluster.stop(resumed, folder);
    long next = Long.parseLong(first.values().get(first.values().size() - 1).id()) + 1;
    assertEquals(Long.toString(next), second.values().get(0).id(), "none waits for a new model");
    for (Prediction prediction : second.values()) {
      assertEquals(
          model.model().predict(example(Long.parseLong(prediction.id())).x()), prediction.value());
      assertEquals(800, prediction.version());
      Example row = example(Long.parseLong(prediction.id()));
      assertEquals(set(model.model(), row), prediction.range());
    }
  }

  private static CollectSink<Prediction> scored(
      StreamExecutionEnvironment env, List<ModelVersion> versions) throws IOException {
    CollectSink<Prediction> predictions = new CollectSink<>();
    examples(env, 1_000_000, 500)
        .connect(OpenModels.of(env, versions).broadcast(ScoreExamples.MODELS))
        .process(new ScoreExamples("m", LEVEL), Formats.PREDICTION.type())
        .uid("score")
        .setParallelism(1)
        .sinkTo(predictions)
        .uid("predictions")
        .setParallelism(1);
    return predictions;
  }

  @Test
  void labelsJoinWithinTheBoundAndNothingIsLost() throws Exception {
    StreamExecutionEnvironment env = LocalCluster.environment();
    CollectSink<Example> joined = new CollectSink<>();
    CollectSink<Example> unlabelled = new CollectSink<>();
    CollectSink<Example> late = new CollectSink<>();
    List<Example> xs = List.of(open("a", 0), open("b", 1000), open("c", 2000), open("b", 3000));
    List<Example> ys = List.of(label("a", 500), label("b", 1500), label("z", 10), label("c", 2500));
    var join =
        timed(env, xs, "xs")
            .keyBy(Example::id, Types.STRING)
            .connect(timed(env, ys, "ys").keyBy(Example::id, Types.STRING))
            .process(new JoinLabels(Duration.ofSeconds(5)), Formats.EXAMPLE.type())
            .setParallelism(1);
    join.sinkTo(joined);
    join.getSideOutput(JoinLabels.UNLABELLED).sinkTo(unlabelled);
    join.getSideOutput(JoinLabels.LATE).sinkTo(late);
    cluster.run(env);
    assertEquals(3, joined.values().size(), joined.values().toString());
    for (Example one : joined.values()) {
      assertEquals(1, one.y());
      assertEquals(2, one.x().count(), "features are the example's");
    }
    assertEquals(List.of("b"), unlabelled.values().stream().map(Example::id).toList());
    assertEquals(List.of("z"), late.values().stream().map(Example::id).toList());
  }

  private static Example open(String id, long time) {
    return new Example(id, "", FeatureVector.dense(1, 2), Double.NaN, 1, time);
  }

  private static Example label(String id, long time) {
    return new Example(id, "", FeatureVector.dense(), 1, 1, time);
  }

  private static DataStream<Example> timed(
      StreamExecutionEnvironment env, List<Example> all, String name) {
    return env.fromData(all, Formats.EXAMPLE.type())
        .name(name)
        .setParallelism(1)
        .assignTimestampsAndWatermarks(
            WatermarkStrategy.<Example>forMonotonousTimestamps()
                .withTimestampAssigner((example, before) -> example.time()))
        .setParallelism(1);
  }

  @Test
  void theExamplesAreNotTrivial() {
    long ones = 0;
    for (long i = 0; i < 1000; i++) {
      ones += example(i).y() == 1 ? 1 : 0;
    }
    assertTrue(ones > 300 && ones < 700);
  }
}
