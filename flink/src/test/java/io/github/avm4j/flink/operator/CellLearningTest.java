// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import static io.github.avm4j.flink.operator.CellJob.EVERY;
import static io.github.avm4j.flink.operator.CellJob.LEVEL;
import static io.github.avm4j.flink.operator.CellJob.PLAN;
import static io.github.avm4j.flink.operator.CellJob.RECORDS;
import static io.github.avm4j.flink.operator.CellJob.job;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.fixtures.Waiting;
import io.github.avm4j.flink.LocalCluster;
import io.github.avm4j.flink.record.ModelVersion;
import io.github.avm4j.flink.record.Prediction;
import io.github.avm4j.flink.record.WindowScore;
import io.github.avm4j.pipeline.CellManifest;
import io.github.avm4j.pipeline.RowModel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource.NumberSequenceSplit;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiter;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Learners by cell in a job are those of a plain loop, bit for bit. */
class CellLearningTest {
  private static final Schedule OFTEN = Schedule.everyInstances(200);

  private static LocalCluster cluster;
  private static CellStart start;
  private static CellJob.Expected expected;

  /** Some rows at once, then twenty a second: a job is stopped on the way, however slow that is. */
  private static final class Some implements RateLimiterStrategy<NumberSequenceSplit> {
    private static final long serialVersionUID = 1;

    @Override
    public RateLimiter<NumberSequenceSplit> createRateLimiter(int parallelism) {
      AtomicInteger left = new AtomicInteger(RECORDS / 5);
      return rows ->
          left.addAndGet(-rows) >= 0
              ? CompletableFuture.completedFuture(null)
              : CompletableFuture.runAsync(
                  () -> {}, CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS));
    }
  }

  @BeforeAll
  static void begin() throws Exception {
    cluster = new LocalCluster(4);
    start = CellJob.start(PLAN);
    expected = CellJob.expected(start);
  }

  @AfterAll
  static void end() {
    cluster.close();
  }

  private static void check(CellJob.Outputs outputs) {
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
    CellJob.Outputs outputs = new CellJob.Outputs();
    cluster.run(job(start, outputs, parallelism, 0, "state.backend.type", backend));
    check(outputs);
    assertArrayEquals(expected.file, outputs.last().file());
    List<WindowScore> scores = outputs.scores.values();
    long counted = scores.stream().mapToLong(WindowScore::windowInstances).sum();
    assertTrue(counted > 0 && counted <= RECORDS, counted + " in windows");
  }

  /**
   * From 1 worker to 4, 2 and 1. The model goes out in parts, to outputs that all hold its newest
   * version or do not.
   */
  @Test
  void goesOnAfterSavepointsAtAnotherParallelism(@TempDir Path savepoints) throws Exception {
    CellJob.Outputs outputs = new CellJob.Outputs();
    String[] from = someRows(parts(1, outputs, true), outputs, savepoints);
    long byFour = outputs.last().version() + 1;
    from = someRows(parts(4, outputs, true), outputs, savepoints, from);
    long byTwo = outputs.last().version() + 1;
    from = someRows(parts(2, outputs, false), outputs, savepoints, from);
    long byOne = outputs.last().version() + 1;
    cluster.run(job(parts(1, outputs, true), outputs, 0, from));
    check(outputs);
    String plan = "m/" + Long.toHexString(start.fingerprint()) + "/plan-0";
    assertTrue(outputs.parts(1).contains(plan));
    assertEquals(start.plan().size() + 1, outputs.parts(1).size(), "all of the first version");
    assertFalse(outputs.parts(byFour).contains(plan), "the outputs have the plan");
    assertEquals(start.plan().size() + 1, outputs.parts(byTwo).size(), "all once more");
    assertFalse(outputs.parts(byOne).contains(plan), "the outputs have the plan again");
    List<byte[]> files = PublishedParts.assembled(outputs.models.values());
    assertArrayEquals(expected.file, files.get(files.size() - 1));
  }

  /**
   * Learns from more rows, not all; the option that goes on from the savepoint at which it stops.
   */
  private static String[] someRows(
      CellLearning.Settings how, CellJob.Outputs outputs, Path savepoints, String... from)
      throws Exception {
    long before = outputs.versions().isEmpty() ? PLAN : outputs.last().instances();
    JobID job = cluster.submit(job(how, outputs, new Some(), from));
    awaitModelOf(before + 200, outputs);
    String savepoint = cluster.stop(job, savepoints);
    assertTrue(outputs.predictions.values().size() < RECORDS, "stopped on the way");
    return new String[] {"execution.state-recovery.path", savepoint};
  }

  /** To go on after the newest version, which all outputs hold or not. */
  private static CellLearning.Settings parts(
      int parallelism, CellJob.Outputs outputs, boolean everywhere) {
    boolean first = outputs.versions().isEmpty();
    return new CellLearning.Settings(
        "m",
        start,
        parallelism,
        OFTEN,
        300,
        LEVEL,
        first ? "" : outputs.last().lineage(),
        first ? 0 : outputs.last().version(),
        everywhere,
        "here",
        List.of());
  }

  /** As a compacted topic: the newest part under each key. */
  @Test
  void aNewPlanEndsThePartsOfTheOldOneAfterItsFirstVersion() throws Exception {
    CellStart old = CellJob.start(PLAN - 1);
    String plan = Long.toHexString(start.fingerprint()) + "/";
    List<String> listed =
        List.of(
            CellManifest.cellKey(Long.toHexString(old.fingerprint()), 4),
            CellManifest.pieceKey(Long.toHexString(old.fingerprint()), 0),
            CellManifest.cellKey(Long.toHexString(start.fingerprint()), 1));
    CellJob.Outputs outputs = new CellJob.Outputs();
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

  private static void awaitModelOf(long instances, CellJob.Outputs outputs) throws Exception {
    Waiting.until(
        "a model of " + instances,
        () -> !outputs.versions().isEmpty() && outputs.last().instances() >= instances);
  }

  @Test
  void aSavepointOfAnotherPlanIsRefused(@TempDir Path savepoints) throws Exception {
    CellJob.Outputs outputs = new CellJob.Outputs();
    JobID job = cluster.submit(job(start, outputs, 1, 400));
    Waiting.until("predictions", () -> outputs.predictions.values().size() > 10);
    String savepoint = cluster.stop(job, savepoints);
    CellStart other = CellJob.start(PLAN - 1);
    Exception refused =
        assertThrows(
            Exception.class,
            () ->
                cluster.run(
                    job(
                        other,
                        new CellJob.Outputs(),
                        1,
                        0,
                        "execution.state-recovery.path",
                        savepoint)));
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
    assertArrayEquals(file, CellJob.start(PLAN).toBytes());
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
