// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.flink.CollectSink;
import io.github.avm4j.flink.LocalCluster;
import io.github.avm4j.flink.TestStream;
import io.github.avm4j.flink.cluster.Waiting;
import io.github.avm4j.flink.record.ModelVersion;
import io.github.avm4j.flink.record.WindowScore;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.learner.LearnerFormat;
import io.github.avm4j.model.Model;
import io.github.avm4j.model.ModelFormat;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.api.common.JobID;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
      CollectSink<ModelVersion> models,
      CollectSink<WindowScore> scores,
      double perSecond,
      int shards,
      String... options) {
    StreamExecutionEnvironment env = LocalCluster.environment(options);
    ShardedLearning learning =
        ShardedLearning.of("m", TestStream.paperStart())
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

  private static void check(ModelVersion version, double plainError) throws Exception {
    assertEquals(RECORDS, version.instances());
    Model model = ModelFormat.read(version.file());
    assertEquals(RECORDS, model.provenance().instances());
    double error = TestStream.error(model, RECORDS, RECORDS + 4000);
    assertTrue(error < plainError + 0.03, error + " beside " + plainError);
  }

  private static double plainError() throws Exception {
    Learner learner = LearnerFormat.read(TestStream.paperStart().file());
    TestStream.teach(learner, 0, RECORDS);
    return TestStream.error(learner.snapshot(), RECORDS, RECORDS + 4000);
  }

  @Test
  void fourShardsAndATreeLoseNoInstance() throws Exception {
    CollectSink<ModelVersion> models = new CollectSink<>();
    CollectSink<WindowScore> scores = new CollectSink<>();
    cluster.run(job(models, scores, 0, 4));
    check(last(models), plainError());
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

  @Test
  void fromOneShardToFourAndBackKeepsEveryContribution() throws Exception {
    CollectSink<ModelVersion> models = new CollectSink<>();
    CollectSink<WindowScore> scores = new CollectSink<>();
    JobID one = cluster.submit(job(models, scores, 4000, 1));
    Waiting.until("3 versions", () -> models.values().size() >= 3);
    String first = cluster.stop(one, savepoints);
    long atFirst = last(models).instances();
    JobID four =
        cluster.submit(job(models, scores, 4000, 4, "execution.state-recovery.path", first));
    Waiting.until("more", () -> last(models).instances() >= atFirst + 3000);
    String second = cluster.stop(four, savepoints);
    long atSecond = last(models).instances();
    assertTrue(atSecond < RECORDS, "stopped on the way");
    cluster.run(job(models, scores, 0, 1, "execution.state-recovery.path", second));
    check(last(models), plainError());
    long before = 0;
    for (ModelVersion version : models.values()) {
      assertTrue(version.instances() >= before, "no instance is forgotten on the way");
      before = version.instances();
    }
  }
}
