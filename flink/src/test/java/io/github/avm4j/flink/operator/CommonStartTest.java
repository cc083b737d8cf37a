// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.flink.CollectSink;
import io.github.avm4j.flink.LocalCluster;
import io.github.avm4j.flink.RealRows;
import io.github.avm4j.flink.cluster.Waiting;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.ExampleSerializer;
import io.github.avm4j.flink.record.ModelVersion;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.Model;
import io.github.avm4j.pipeline.RowLearner;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The default learner on ijcnn1: one shard, then five from its savepoint, then one again. Its space
 * stays whole: shards have no cells.
 */
class CommonStartTest {
  private static final int TRAIN = 40_000;
  private static final int BUDGET = 100;
  private static List<Example> rows = List.of();

  private static StreamExecutionEnvironment job(
      CollectSink<ModelVersion> models, double perSecond, int shards, String... options) {
    StreamExecutionEnvironment env = LocalCluster.environment(options);
    env.enableCheckpointing(2000);
    DataGeneratorSource<Example> source =
        new DataGeneratorSource<>(
            i -> rows.get((int) (long) i),
            TRAIN,
            RateLimiterStrategy.perSecond(perSecond),
            ExampleSerializer.TYPE);
    RowLearner start =
        new RowLearner(
            Schema.numbered(), "label", Avm.classifier().budget(BUDGET).cells(0).build());
    start.names().add("-1");
    start.names().add("1");
    ShardedLearning.of("m", new StartFiles(start))
        .shards(shards)
        .fanIn(4)
        .every(Schedule.everyInstances(4000))
        .on(
            env.fromSource(source, WatermarkStrategy.noWatermarks(), "rows")
                .uid("rows")
                .setParallelism(1))
        .models()
        .sinkTo(models)
        .uid("models")
        .setParallelism(1);
    return env;
  }

  private static double error(Model model) {
    long wrong = 0;
    for (Example row : rows.subList(TRAIN, rows.size())) {
      wrong += model.predict(row.x()) == row.y() ? 0 : 1;
    }
    return (double) wrong / (rows.size() - TRAIN);
  }

  private static ModelVersion last(CollectSink<ModelVersion> models) {
    return models.values().get(models.values().size() - 1);
  }

  @Test
  void shardsThatGoOnFromOneAreAsGoodAsOne(@TempDir Path savepoints) throws Exception {
    rows = RealRows.libsvm("ijcnn1/ijcnn1");
    Collections.shuffle(rows, new Random(1));
    Learner plain = Avm.classifier().budget(BUDGET).cells(0).build();
    rows.subList(0, TRAIN).forEach(row -> plain.predictThenLearn(row.x(), row.y(), 1));
    double one = error(plain.snapshot());
    CollectSink<ModelVersion> models = new CollectSink<>();
    try (LocalCluster cluster = new LocalCluster(12)) {
      JobID first = cluster.submit(job(models, 10_000, 1));
      Waiting.until("two versions", () -> models.values().size() >= 2);
      String settled = cluster.stop(first, savepoints);
      JobID five = cluster.submit(job(models, 4_000, 5, "execution.state-recovery.path", settled));
      Waiting.until("models of five", () -> last(models).instances() >= 20_000);
      String shared = cluster.stop(five, savepoints);
      assertTrue(last(models).instances() < TRAIN, "stopped on the way");
      cluster.run(job(models, 1e6, 1, "execution.state-recovery.path", shared));
    }
    assertEquals(TRAIN, last(models).instances());
    Model merged = Avm.modelFromBytes(last(models).file());
    assertEquals(TRAIN, merged.provenance().instances());
    double many = error(merged);
    assertTrue(many < 1.15 * one, many + " by shards, " + one + " by one");
  }
}
