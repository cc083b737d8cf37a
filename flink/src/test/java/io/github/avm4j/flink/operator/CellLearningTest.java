// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.flink.CollectSink;
import io.github.avm4j.flink.LocalCluster;
import io.github.avm4j.flink.TestStream;
import io.github.avm4j.flink.cluster.Waiting;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.ExampleSerializer;
import io.github.avm4j.flink.record.ModelVersion;
import io.github.avm4j.flink.record.Prediction;
import io.github.avm4j.flink.record.RawRecord;
import io.github.avm4j.flink.record.RawRecordSerializer;
import io.github.avm4j.flink.record.WindowScore;
import io.github.avm4j.learner.CellPlan;
import io.github.avm4j.pipeline.CellManifest;
import io.github.avm4j.pipeline.RowModel;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Learners by cell in a job are those of a plain loop, bit for bit. */
class CellLearningTest {
  private static final int PLAN = 400;
  private static final int RECORDS = 3000;
  private static final int CELLS = 6;
  private static final double LEVEL = 0.9;
  private static final Schedule EVERY = Schedule.everyInstances(500);

  private static LocalCluster cluster;
  private static CellStart start;
  private static Expected expected;

  /** What a plain loop gives. */
  private static final class Expected {
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

  @BeforeAll
  static void begin() throws Exception {
    cluster = new LocalCluster(4);
    start = start(PLAN);
    expected = expected();
  }

  @AfterAll
  static void end() {
    cluster.close();
  }

  private static ParseRecords parser() {
    return new ParseRecords(
        TextFormat.libsvm(), TestStream.start().file(), true, Duration.ofHours(1));
  }

  private static CellStart start(int rows) throws IOException {
    ParseRecords parser = parser();
    List<Example> first = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      first.add(parser.parse(TestStream.record(i)));
    }
    return CellStart.make(TestStream.start(), first, CELLS, Map.of("test-0", (long) rows));
  }

  private static Expected expected() throws IOException {
    ParseRecords parser = parser();
    CellPlan plan = start.plan();
    CellLoop loop = new CellLoop(start);
    Map<String, Prediction> predictions = new TreeMap<>();
    Map<Integer, Long> versions = new TreeMap<>();
    long wrong = 0;
    long frozen = 0;
    for (int i = PLAN; i < PLAN + RECORDS; i++) {
      Example row = parser.parse(TestStream.record(i));
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

  private static DataStream<Example> examples(StreamExecutionEnvironment env, double perSecond) {
    DataGeneratorSource<RawRecord> source =
        new DataGeneratorSource<>(
            i -> TestStream.record(PLAN + i),
            RECORDS,
            perSecond > 0 ? RateLimiterStrategy.perSecond(perSecond) : RateLimiterStrategy.noOp(),
            RawRecordSerializer.TYPE);
    return env.fromSource(source, WatermarkStrategy.noWatermarks(), "records")
        .uid("records")
        .setParallelism(1)
        .process(parser(), ExampleSerializer.TYPE)
        .uid("parse")
        .setParallelism(1);
  }

  /** Sinks of jobs that go on from each other. */
  private static final class Outputs {
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

  private static StreamExecutionEnvironment job(
      CellStart plan, Outputs outputs, int parallelism, double perSecond, String... options) {
    return job(
        new CellLearning.Settings(
            "m", plan, parallelism, EVERY, 300, LEVEL, "", 0, true, "", List.of()),
        outputs,
        perSecond,
        options);
  }

  private static StreamExecutionEnvironment job(
      CellLearning.Settings settings, Outputs outputs, double perSecond, String... options) {
    StreamExecutionEnvironment env = LocalCluster.environment(options);
    CellLearning learning = CellLearning.on(examples(env, perSecond), settings);
    learning.models().sinkTo(outputs.models).uid("models").setParallelism(1);
    learning.predictions().sinkTo(outputs.predictions).uid("predictions").setParallelism(1);
    learning.scores().sinkTo(outputs.scores).uid("scores-sink").setParallelism(1);
    return env;
  }

  private static void check(Outputs outputs) {
    Map<String, Prediction> predictions = new TreeMap<>();
    outputs.predictions.values().forEach(one -> predictions.put(one.id(), one));
    assertEquals(RECORDS, outputs.predictions.values().size(), "each example is predicted once");
    assertEquals(expected.predictions, predictions);
    assertEquals(PLAN + RECORDS, outputs.last().instances());
    long before = 0;
    for (ModelVersion version : outputs.versions()) {
      assertEquals(++before, version.version(), "versions are numbered without a gap");
    }
  }

  @Test
  void cellsBeatTheFrozenModel() throws Exception {
    assertTrue(
        expected.wrong < 0.8 * expected.frozen, expected.wrong + " against " + expected.frozen);
    assertTrue(RowModel.read(expected.file).model().parts().size() > 1, "cells lead");
  }

  @ParameterizedTest
  @CsvSource({"1, hashmap", "2, hashmap", "4, hashmap", "2, rocksdb"})
  void isAPlainLoopBitForBit(int parallelism, String backend) throws Exception {
    Outputs outputs = new Outputs();
    cluster.run(job(start, outputs, parallelism, 0, "state.backend.type", backend));
    check(outputs);
    assertArrayEquals(expected.file, outputs.last().file());
    List<WindowScore> scores = outputs.scores.values();
    long counted = scores.stream().mapToLong(WindowScore::windowInstances).sum();
    assertTrue(counted > 0 && counted <= RECORDS, counted + " in windows");
  }

  /** The model goes out in parts, to outputs that all hold its newest version or do not. */
  @Test
  void goesOnAfterSavepointsAtAnotherParallelism(@TempDir Path savepoints) throws Exception {
    Outputs outputs = new Outputs();
    JobID first = cluster.submit(job(parts(1, "", 0), outputs, 400));
    awaitModelOf(PLAN + 500, outputs);
    String savepoint = cluster.stop(first, savepoints);
    ModelVersion last = outputs.last();
    long after = last.version() + 1;
    String[] from = {"execution.state-recovery.path", savepoint};
    JobID second =
        cluster.submit(job(parts(4, last.lineage(), last.version()), outputs, 400, from));
    awaitModelOf(last.instances() + 500, outputs);
    savepoint = cluster.stop(second, savepoints);
    assertTrue(outputs.last().instances() < PLAN + RECORDS, "stopped on the way");
    String plan = "m/" + Long.toHexString(start.fingerprint()) + "/";
    assertTrue(outputs.parts(1).contains(plan + "plan-0"));
    assertEquals(start.plan().size() + 1, outputs.parts(1).size(), "all of the first version");
    assertFalse(outputs.parts(after).contains(plan + "plan-0"), "the outputs have the plan");
    after = outputs.last().version() + 1;
    from[1] = savepoint;
    last = outputs.last();
    CellLearning.Settings unequal = parts(2, last.lineage(), last.version(), false);
    cluster.run(job(unequal, outputs, 0, from));
    check(outputs);
    assertEquals(start.plan().size() + 1, outputs.parts(after).size(), "all once more");
    List<byte[]> files = PublishedParts.assembled(outputs.models.values());
    assertArrayEquals(expected.file, files.get(files.size() - 1));
  }

  private static CellLearning.Settings parts(int parallelism, String lineage, long version) {
    return parts(parallelism, lineage, version, true);
  }

  private static CellLearning.Settings parts(
      int parallelism, String lineage, long version, boolean everywhere) {
    return new CellLearning.Settings(
        "m",
        start,
        parallelism,
        EVERY,
        300,
        LEVEL,
        lineage,
        version,
        everywhere,
        "here",
        List.of());
  }

  /** As a compacted topic: the newest part under each key. */
  @Test
  void aNewPlanEndsThePartsOfTheOldOneAfterItsFirstVersion() throws Exception {
    CellStart old = start(PLAN - 1);
    String plan = Long.toHexString(start.fingerprint()) + "/";
    List<String> listed =
        List.of(
            CellManifest.cellKey(Long.toHexString(old.fingerprint()), 4),
            CellManifest.pieceKey(Long.toHexString(old.fingerprint()), 0),
            CellManifest.cellKey(Long.toHexString(start.fingerprint()), 1));
    Outputs outputs = new Outputs();
    cluster.run(
        job(
            new CellLearning.Settings(
                "m", start, 1, EVERY, 300, LEVEL, "", 0, true, "here", listed),
            outputs,
            0));
    List<String> ended = new ArrayList<>();
    boolean published = false;
    for (ModelVersion one : outputs.models.values()) {
      published |= !one.isPart();
      if (one.isPart() && !one.name().startsWith("m/" + plan)) {
        assertTrue(published, one.name() + " ends before there is a version of the new plan");
        assertEquals(0, one.file().length);
        ended.add(one.name());
      }
    }
    assertEquals(List.of("m/" + listed.get(0), "m/" + listed.get(1)), ended, "each once");
    List<byte[]> files = PublishedParts.assembled(outputs.models.values());
    assertArrayEquals(expected.file, files.get(files.size() - 1));
  }

  private static void awaitModelOf(long instances, Outputs outputs) throws Exception {
    Waiting.until(
        "a model of " + instances,
        () -> !outputs.versions().isEmpty() && outputs.last().instances() >= instances);
  }

  @Test
  void aSavepointOfAnotherPlanIsRefused(@TempDir Path savepoints) throws Exception {
    Outputs outputs = new Outputs();
    JobID job = cluster.submit(job(start, outputs, 1, 400));
    Waiting.until("predictions", () -> outputs.predictions.values().size() > 10);
    String savepoint = cluster.stop(job, savepoints);
    CellStart other = start(PLAN - 1);
    Exception refused =
        assertThrows(
            Exception.class,
            () ->
                cluster.run(
                    job(other, new Outputs(), 1, 0, "execution.state-recovery.path", savepoint)));
    assertTrue(stack(refused).contains("plan "), stack(refused));
  }

  private static String stack(@Nullable Throwable problem) {
    StringBuilder all = new StringBuilder();
    for (Throwable one = problem; one != null; one = one.getCause()) {
      all.append(one.getMessage()).append('\n');
    }
    return all.toString();
  }

  @Test
  void thePlanIsAFunctionOfItsRowsAndDamageIsFound() throws Exception {
    byte[] file = start.toBytes();
    assertArrayEquals(file, start(PLAN).toBytes());
    assertEquals(PLAN, CellStart.read(file).rows());
    assertEquals(Map.of("test-0", (long) PLAN), CellStart.read(file).ends());
    for (int at : new int[] {0, 9, file.length / 2, file.length - 1}) {
      byte[] damaged = file.clone();
      damaged[at] ^= 1;
      assertThrows(IOException.class, () -> CellStart.read(damaged));
    }
    assertThrows(IOException.class, () -> CellStart.read(new byte[5]));
  }
}
