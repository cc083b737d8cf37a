// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.fixtures.TestStream;
import io.github.avm4j.fixtures.Waiting;
import io.github.avm4j.flink.CollectSink;
import io.github.avm4j.flink.LocalCluster;
import io.github.avm4j.flink.TestRecords;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.Formats;
import io.github.avm4j.flink.record.ModelVersion;
import io.github.avm4j.flink.record.Parsed;
import io.github.avm4j.flink.record.Prediction;
import io.github.avm4j.flink.record.RawRecord;
import io.github.avm4j.flink.record.RecordFormat;
import io.github.avm4j.learner.CellPlan;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A plan that is renewed at a savepoint, on a stream whose inputs move to another region. */
class PlanRenewalTest {
  private static final int PLAN = 500;
  private static final int MOVED = 1500;
  private static final int STOPPED = 2500;
  private static final int RECORDS = 6000;
  private static final int CELLS = 8;
  private static final long SEED = 1;

  /**
   * A board of squares in two classes: its lower left quarter, and from row {@link #MOVED} on the
   * upper right one. One row in 20 is from anywhere.
   */
  private static RawRecord record(long seed, long i) {
    SplittableRandom random = new SplittableRandom(1000003 * seed + i);
    boolean anywhere = i % 20 == 0;
    double from = anywhere || i < MOVED ? -1 : 0;
    double a = from + (anywhere ? 2 : 1) * random.nextDouble();
    double b = from + (anywhere ? 2 : 1) * random.nextDouble();
    int label = Math.floorMod((int) Math.floor(4 * a) + (int) Math.floor(4 * b), 2);
    String line = TestStream.CLASSES.get(label) + " 1:" + a + " 2:" + b;
    byte[] key = Long.toString(i).getBytes(StandardCharsets.UTF_8);
    return new RawRecord("test-0", i, key, line.getBytes(StandardCharsets.UTF_8), i);
  }

  private static List<Example> rows(long seed, int from, int to) throws IOException {
    RecordFormat format = TestRecords.format();
    List<Example> rows = new ArrayList<>();
    for (int i = from; i < to; i++) {
      rows.add(format.parse(record(seed, i)).example());
    }
    return rows;
  }

  private static CellStart start(long seed, int cells) throws IOException {
    return CellStart.make(
        TestRecords.start(), rows(seed, 0, PLAN), cells, Map.of("test-0", (long) PLAN));
  }

  /** What a job does, as a plain loop. */
  private static final class Loop {
    private final long seed;
    private final CellLoop cells;
    private final Map<String, Double> predictions = new TreeMap<>();

    Loop(long seed, CellStart start) throws IOException {
      this.seed = seed;
      this.cells = new CellLoop(start);
    }

    /** The number of wrong predictions. */
    int learn(int from, int to) throws IOException {
      int wrong = 0;
      for (Example row : rows(seed, from, to)) {
        double prediction = cells.learn(row);
        predictions.put(row.id(), prediction);
        wrong += prediction == row.y() ? 0 : 1;
      }
      return wrong;
    }
  }

  private final CollectSink<ModelVersion> models = new CollectSink<>();
  private final CollectSink<Prediction> predictions = new CollectSink<>();

  private StreamExecutionEnvironment job(CellStart start, int parallelism, String... options) {
    StreamExecutionEnvironment env = LocalCluster.environment(options);
    boolean first = options.length == 0;
    RecordFormat format = TestRecords.format();
    DataGeneratorSource<Parsed> source =
        new DataGeneratorSource<>(
            i -> format.parse(record(SEED, PLAN + i)),
            RECORDS - PLAN,
            first ? RateLimiterStrategy.perSecond(800) : RateLimiterStrategy.noOp(),
            Formats.PARSED.type());
    DataStream<Example> examples =
        env.fromSource(source, WatermarkStrategy.noWatermarks(), "records")
            .uid("records")
            .setParallelism(1)
            .process(new SortRecords(TestRecords.start().file()), Formats.EXAMPLE.type())
            .uid("sort")
            .setParallelism(1);
    CellLearning learning =
        CellLearning.on(
            examples,
            new CellLearning.Settings(
                "m",
                start,
                parallelism,
                Schedule.everyInstances(400),
                300,
                0,
                first ? "" : last().lineage(),
                first ? 0 : last().version(),
                true,
                "here",
                List.of()));
    learning.models().sinkTo(models).uid("models").setParallelism(1);
    learning.predictions().sinkTo(predictions).uid("predictions").setParallelism(1);
    return env;
  }

  private ModelVersion last() {
    List<ModelVersion> all = models.values().stream().filter(one -> !one.isPart()).toList();
    return all.get(all.size() - 1);
  }

  /** Figures of lab/results/scale.md. */
  @ParameterizedTest
  @CsvSource({"8, 1", "8, 2", "8, 3", "8, 4", "8, 5", "16, 1", "16, 2", "16, 3", "16, 4", "16, 5"})
  void newCellsLearnTheNewRegion(int cells, long seed) throws Exception {
    int middle = (STOPPED + RECORDS) / 2;
    CellStart start = start(seed, cells);
    CellStart renewed = start.renewed(rows(seed, STOPPED - PLAN, STOPPED), cells);
    Loop without = new Loop(seed, start);
    without.learn(PLAN, STOPPED);
    Loop with = new Loop(seed, start);
    with.learn(PLAN, STOPPED);
    with.cells.renew(renewed);
    int[] wrong = {
      without.learn(STOPPED, middle),
      without.learn(middle, RECORDS),
      with.learn(STOPPED, middle),
      with.learn(middle, RECORDS)
    };
    String figures =
        "%d cells, seed %d: %d renewed; wrong of twice %d rows without %d, %d and with %d, %d"
            .formatted(
                cells,
                seed,
                renewed.renewedCells(),
                RECORDS - middle,
                wrong[0],
                wrong[1],
                wrong[2],
                wrong[3]);
    System.out.println(figures);
    assertTrue(renewed.renewedCells() > 0 && renewed.renewedCells() < cells, figures);
    assertTrue(wrong[3] < wrong[1], figures);
  }

  @Test
  void aJobIsThePlainLoopBitForBit(@TempDir Path savepoints) throws Exception {
    CellStart start = start(SEED, CELLS);
    try (LocalCluster cluster = new LocalCluster(2)) {
      JobID job = cluster.submit(job(start, 1));
      Waiting.until("rows", () -> predictions.values().size() >= STOPPED - PLAN);
      String savepoint = cluster.stop(job, savepoints);
      int stopped = PLAN + predictions.values().size();
      CellStart renewed = start.renewed(rows(SEED, stopped - PLAN, stopped), CELLS);
      assertTrue(renewed.renewedCells() > 0 && renewed.renewedCells() < CELLS);
      Loop expected = new Loop(SEED, start);
      expected.learn(PLAN, stopped);
      expected.cells.renew(renewed);
      expected.learn(stopped, RECORDS);

      String[] from = {"execution.state-recovery.path", savepoint};
      cluster.run(job(renewed, 2, from));
      Map<String, Double> made = new TreeMap<>();
      predictions.values().forEach(one -> made.put(one.id(), one.value()));
      assertEquals(RECORDS - PLAN, predictions.values().size(), "each row is predicted once");
      assertEquals(expected.predictions, made);
      assertEquals(RECORDS, last().instances());
      List<byte[]> files = PublishedParts.assembled(models.values());
      assertArrayEquals(expected.cells.file(RECORDS), files.get(files.size() - 1));
      assertOnlyPartsOf(renewed);
    }
  }

  /** Compaction leaves no part of the former plan. */
  private void assertOnlyPartsOf(CellStart plan) {
    Map<String, Integer> left = new HashMap<>();
    models.values().forEach(one -> left.put(one.name(), one.file().length));
    left.values().removeIf(length -> length == 0);
    String prefix = "m/" + Long.toHexString(plan.fingerprint()) + "/";
    assertTrue(left.containsKey(prefix + "plan-0"));
    left.keySet().forEach(key -> assertTrue(key.equals("m") || key.startsWith(prefix), key));
  }

  @Test
  void aRenewedPlanKnowsWhereItsCellsComeFrom() throws Exception {
    CellStart start = start(SEED, CELLS);
    assertSame(start, start.renewed(rows(SEED, PLAN, 2 * PLAN), CELLS), "rows are where they were");
    List<Example> recent = rows(SEED, STOPPED - PLAN, STOPPED);
    CellStart renewed = CellStart.read(start.renewed(recent, CELLS).toBytes());
    assertArrayEquals(start.renewed(recent, CELLS).toBytes(), renewed.toBytes());
    assertEquals(List.of(start.fingerprint()), renewed.former());
    assertEquals(start.ends(), renewed.ends());
    assertEquals(PLAN, renewed.begun());
    assertNotEquals(start.fingerprint(), renewed.fingerprint());
    CellPlan plan = renewed.plan();
    int[] since = renewed.since();
    for (int cell = 0; cell < since.length; cell++) {
      assertEquals(plan.sharesCell(start.plan(), cell) ? 0 : 1, since[cell]);
      if (since[cell] == 0) {
        byte[] first = start.beginnings(start.plan()).of(cell).toBytes();
        assertArrayEquals(first, renewed.beginnings(plan).of(cell).toBytes(), "begins as before");
      }
    }
    CellStart more = renewed.renewed(recent, CELLS + 6);
    assertEquals(List.of(start.fingerprint(), renewed.fingerprint()), more.former());
    assertTrue(Arrays.stream(more.since()).anyMatch(one -> one == 2), "a second renewal");
    assertFalse(more.plan().size() > CELLS + 6);
    byte[] damaged = renewed.toBytes();
    damaged[damaged.length / 2] ^= 1;
    assertThrows(IOException.class, () -> CellStart.read(damaged));
  }
}
