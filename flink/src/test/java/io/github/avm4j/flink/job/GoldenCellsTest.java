// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.flink.CollectSink;
import io.github.avm4j.flink.LocalCluster;
import io.github.avm4j.flink.TestStream;
import io.github.avm4j.flink.cluster.Waiting;
import io.github.avm4j.flink.operator.CellLearning;
import io.github.avm4j.flink.operator.CellStart;
import io.github.avm4j.flink.operator.ParseRecords;
import io.github.avm4j.flink.operator.Schedule;
import io.github.avm4j.flink.operator.TextFormat;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.ExampleSerializer;
import io.github.avm4j.flink.record.ModelVersion;
import io.github.avm4j.flink.record.Prediction;
import io.github.avm4j.flink.record.RawRecordSerializer;
import io.github.avm4j.pipeline.RowModel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** A savepoint of cells that an earlier version took goes on with this one. */
class GoldenCellsTest {
  private static final int PLAN = 400;
  private static final int RECORDS = 2000;
  private static final int CELLS = 6;

  private static LocalCluster cluster;

  private final CollectSink<ModelVersion> models = new CollectSink<>();
  private final CollectSink<Prediction> predictions = new CollectSink<>();

  @BeforeAll
  static void begin() throws Exception {
    cluster = new LocalCluster(2);
  }

  @AfterAll
  static void end() {
    cluster.close();
  }

  private static ParseRecords parser() {
    byte[] start = TestStream.start().file();
    return new ParseRecords(TextFormat.libsvm(), start, true, Duration.ofHours(1));
  }

  private StreamExecutionEnvironment job(CellStart plan, double perSecond, String... more) {
    StreamExecutionEnvironment env = LocalCluster.environment(more);
    DataStream<Example> examples =
        env.fromSource(
                new DataGeneratorSource<>(
                    i -> TestStream.record(PLAN + i),
                    RECORDS,
                    RateLimiterStrategy.perSecond(perSecond),
                    RawRecordSerializer.TYPE),
                WatermarkStrategy.noWatermarks(),
                "records")
            .uid("records")
            .setParallelism(1)
            .process(parser(), ExampleSerializer.TYPE)
            .uid("parse")
            .setParallelism(1);
    CellLearning learning =
        CellLearning.on(
            examples,
            new CellLearning.Settings(
                "golden",
                plan,
                2,
                Schedule.everyInstances(500),
                300,
                0,
                "",
                0,
                true,
                "",
                List.of()));
    learning.models().sinkTo(models).uid("models").setParallelism(1);
    learning.predictions().sinkTo(predictions).uid("predictions").setParallelism(1);
    return env;
  }

  @Test
  void goesOn(@TempDir Path folder) throws Exception {
    GoldenSavepoint golden = GoldenSavepoint.OF_CELLS;
    CellStart plan = CellStart.read(golden.holds());
    String savepoint = golden.unpack(folder);
    String[] from = {"execution.state-recovery.path", savepoint};
    cluster.run(job(plan, 1e6, from));
    List<Prediction> after = predictions.values();
    TreeSet<Integer> ids = new TreeSet<>();
    after.forEach(one -> ids.add(Integer.parseInt(one.id())));
    assertEquals(after.size(), ids.size(), "each example once");
    assertEquals(PLAN + RECORDS - 1, ids.last());
    assertEquals(PLAN + RECORDS - ids.first(), ids.size(), "none is left out");
    assertTrue(ids.size() < RECORDS - 500, "it did not begin anew: " + ids.size());
    ModelVersion last = models.values().get(models.values().size() - 1);
    assertEquals(PLAN + RECORDS, last.instances(), "what was learned before counts");
    assertTrue(last.version() > models.values().size(), "versions go on");
    RowModel model = RowModel.read(last.file());
    double frozen = TestStream.error(plan.plan().outer(), 5000, 7000);
    double error = TestStream.error(model.model(), 5000, 7000);
    assertTrue(error < 0.8 * frozen, error + " against " + frozen + " of the plan");
  }

  @Test
  @EnabledIfSystemProperty(named = "golden.write", matches = ".+")
  void writes(@TempDir Path folder) throws Exception {
    ParseRecords parser = parser();
    List<Example> first = new ArrayList<>();
    for (int i = 0; i < PLAN; i++) {
      first.add(parser.parse(TestStream.record(i)));
    }
    CellStart plan =
        CellStart.make(TestStream.start(), first, CELLS, Map.of("test-0", (long) PLAN));
    JobID job = cluster.submit(job(plan, 200));
    Waiting.until("a second model", () -> models.values().size() >= 2);
    GoldenSavepoint.OF_CELLS.keep(
        cluster.stop(job, folder), Path.of(System.getProperty("golden.write")), plan.toBytes());
  }
}
