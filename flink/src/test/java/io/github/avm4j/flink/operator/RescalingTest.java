// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.flink.CollectSink;
import io.github.avm4j.flink.LocalCluster;
import io.github.avm4j.flink.TestStream;
import io.github.avm4j.flink.cluster.Waiting;
import io.github.avm4j.flink.record.ModelVersion;
import io.github.avm4j.flink.record.WindowScore;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.Model;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.api.common.JobID;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RescalingTest {
  private static final long RECORDS = 30_000;
  private static LocalCluster cluster;

  @TempDir Path savepoints;

  @BeforeAll
  static void start() throws Exception {
    cluster = new LocalCluster(8);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static StreamExecutionEnvironment job(
      StartFiles start,
      CollectSink<ModelVersion> models,
      CollectSink<WindowScore> scores,
      double perSecond,
      int shards,
      String... options) {
    StreamExecutionEnvironment env = LocalCluster.environment(options);
    ShardedLearning learning =
        ShardedLearning.of("m", start)
            .shards(shards)
            .fanIn(2)
            .every(Schedule.everyInstances(500))
            .window(100)
            .on(ShardedLearningTest.examples(env, RECORDS, perSecond, 1));
    learning.models().sinkTo(models).uid("models").setParallelism(1);
    learning.scores().sinkTo(scores).uid("scores").setParallelism(1);
    return env;
  }

  private static ModelVersion last(CollectSink<ModelVersion> models) {
    List<ModelVersion> all = models.values();
    return all.get(all.size() - 1);
  }

  private static void check(ModelVersion version, double limit) throws Exception {
    assertEquals(RECORDS, version.instances());
    Model model = Avm.modelFromBytes(version.file());
    assertEquals(RECORDS, model.provenance().instances());
    double error = TestStream.error(model, RECORDS, RECORDS + 4000);
    assertTrue(error < limit, error + " is not below " + limit);
  }

  private static double plainError(StartFiles start) throws Exception {
    Learner learner = Learner.fromBytes(start.file());
    TestStream.teach(learner, 0, RECORDS);
    return TestStream.error(learner.snapshot(), RECORDS, RECORDS + 4000);
  }

  /**
   * The paper's learners and the default's, and an error that says they were merged at all: shards
   * that begin as nothing see a fourth of few records, and lose by it.
   */
  static List<Arguments> starts() throws Exception {
    StartFiles paper = TestStream.paperStart();
    StartFiles usual = TestStream.start();
    return List.of(
        Arguments.of(Named.of("paper", paper), plainError(paper) + 0.03),
        Arguments.of(Named.of("default", usual), plainError(usual) + 0.03));
  }

  @ParameterizedTest
  @MethodSource("starts")
  void fourShardsAndATreeLoseNoInstance(StartFiles start, double limit) throws Exception {
    CollectSink<ModelVersion> models = new CollectSink<>();
    CollectSink<WindowScore> scores = new CollectSink<>();
    cluster.run(job(start, models, scores, 0, 4));
    check(last(models), limit);
    long before = 0;
    for (ModelVersion version : models.values()) {
      assertTrue(version.instances() > before, "each version knows more than the one before");
      before = version.instances();
    }
    long sum =
        scores.values().stream()
            .filter(score -> score.shard() != WindowScore.ALL)
            .mapToLong(WindowScore::windowInstances)
            .sum();
    assertEquals(RECORDS, sum, "the windows of all shards hold each instance once");
  }

  /** Runs until a model of so many instances is there, and stops; the savepoint. */
  private String advance(
      StreamExecutionEnvironment env, CollectSink<ModelVersion> models, long instances)
      throws Exception {
    JobID job = cluster.submit(env);
    Waiting.until(
        "a model of " + instances,
        () -> !models.values().isEmpty() && last(models).instances() >= instances);
    return cluster.stop(job, savepoints);
  }

  @ParameterizedTest
  @MethodSource("starts")
  void fromOneShardToFourToThreeAndBackKeepsEveryContribution(StartFiles start, double limit)
      throws Exception {
    CollectSink<ModelVersion> models = new CollectSink<>();
    CollectSink<WindowScore> scores = new CollectSink<>();
    String savepoint = advance(job(start, models, scores, 2500, 1), models, 1500);
    for (int shards : new int[] {4, 3}) {
      savepoint =
          advance(
              job(start, models, scores, 2500, shards, "execution.state-recovery.path", savepoint),
              models,
              last(models).instances() + 2500);
    }
    assertTrue(last(models).instances() < RECORDS, "stopped on the way");
    cluster.run(job(start, models, scores, 0, 1, "execution.state-recovery.path", savepoint));
    check(last(models), limit);
    long before = 0;
    for (ModelVersion version : models.values()) {
      assertTrue(version.instances() >= before, "no instance is forgotten on the way");
      before = version.instances();
    }
  }

  @Test
  void aSettledStartIsCopiedAndCountsOnce() throws Exception {
    Learner taught = TestStream.blank();
    TestStream.teach(taught, RECORDS, RECORDS + 2000);
    CollectSink<ModelVersion> models = new CollectSink<>();
    cluster.run(job(TestStream.start(taught), models, new CollectSink<>(), 0, 4));
    assertEquals(RECORDS + 2000, last(models).instances());
    Model model = Avm.modelFromBytes(last(models).file());
    assertEquals(RECORDS + 2000, model.provenance().instances());
    double limit = plainError(TestStream.start()) + 0.01;
    double error = TestStream.error(model, RECORDS + 2000, RECORDS + 6000);
    assertTrue(error < limit, error + " is not below " + limit);
  }
}
