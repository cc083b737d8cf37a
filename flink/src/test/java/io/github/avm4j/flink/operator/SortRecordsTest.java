// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.data.Format;
import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.fixtures.TestStream;
import io.github.avm4j.flink.CollectSink;
import io.github.avm4j.flink.LocalCluster;
import io.github.avm4j.flink.TestRecords;
import io.github.avm4j.flink.record.BadRecord;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.Formats;
import io.github.avm4j.flink.record.RawRecord;
import io.github.avm4j.flink.record.RecordFormat;
import io.github.avm4j.flink.record.TextFormat;
import io.github.avm4j.pipeline.RowDetector;
import io.github.avm4j.pipeline.RowLearner;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;

class SortRecordsTest {
  private static final Schema SCHEMA =
      new Schema(
          List.of(
              new Column("a", Column.Kind.NUMBER, 0, List.of(), 0),
              new Column("b", Column.Kind.CATEGORY, 0, List.of("x", "y"), 0)));
  private static final String[] ROWS = {
    "1,x,1,%d", "nonsense,x,1,%d", "2,y,-1,%d", "3,x,1,4102444800000", "3,x,1,1e300", "4,y,-1,nan"
  };

  private static RawRecord row(long i) {
    long now = System.currentTimeMillis();
    String text = ROWS[(int) i].formatted(now + 60_000);
    byte[] key = {(byte) i};
    return new RawRecord("topic-3", 70 + i, key, text.getBytes(StandardCharsets.UTF_8), now);
  }

  private static byte[] start() {
    RowLearner rows = new RowLearner(SCHEMA, "y", TestStream.blank());
    TestStream.CLASSES.forEach(rows.names()::add);
    return rows.toBytes();
  }

  @Test
  void aDetectorHasNoUseForLabels() throws Exception {
    byte[] start = new RowDetector(Schema.numbered(), Avm.detector().features(3).build()).toBytes();
    RecordFormat format = new RecordFormat(TextFormat.libsvm(), start, false, Duration.ofHours(1));
    Example example = Objects.requireNonNull(format.parse(TestRecords.record(5)).example());
    assertFalse(example.isLabelled());
    assertEquals(TestStream.features(5).toString(), example.x().toString());
  }

  @Test
  void anExceptionThatNobodyForesawMakesABadRecord() {
    RecordFormat format = TestRecords.format();
    BadRecord bad = format.parse(new RawRecord("t-0", 7, new byte[0], null, 5)).bad();
    assertTrue(Objects.requireNonNull(bad).reason().contains("NullPointerException"), bad.reason());
    assertNotNull(format.parse(TestRecords.record(1)).example(), "it goes on");
  }

  @Test
  void timesFarAheadOfTheClockAreBadRecordsAndTheRestHasItsOrigin() throws Exception {
    TextFormat text =
        new TextFormat(
            Format.CSV, List.of("a", "b", "y", "at"), "y", null, null, null, "at", ',', 1000);
    RecordFormat format = new RecordFormat(text, start(), true, Duration.ofHours(1));
    CollectSink<Example> good = new CollectSink<>();
    CollectSink<BadRecord> bad = new CollectSink<>();
    StreamExecutionEnvironment env = LocalCluster.environment();
    var parsed =
        env.fromSource(
                new DataGeneratorSource<>(
                    i -> format.parse(row(i)), ROWS.length, Formats.PARSED.type()),
                WatermarkStrategy.noWatermarks(),
                "rows")
            .setParallelism(1)
            .process(new SortRecords(start()), Formats.EXAMPLE.type())
            .setParallelism(1);
    parsed.sinkTo(good).setParallelism(1);
    parsed.getSideOutput(SortRecords.BAD).sinkTo(bad).setParallelism(1);
    try (LocalCluster cluster = new LocalCluster(1)) {
      cluster.run(env);
    }
    assertEquals(3, good.values().size());
    assertEquals(71, good.values().get(1).origin().offset());
    assertEquals(3, bad.values().size());
    for (BadRecord one : bad.values().subList(0, 2)) {
      assertTrue(one.reason().contains("ahead of the clock, more than PT1H"), one.reason());
    }
    assertTrue(bad.values().get(2).reason().contains("milliseconds since 1970"));
    assertEquals("topic-3", bad.values().get(0).record().source());
    assertEquals(73, bad.values().get(0).record().offset());
  }

  /** Remembers the counters by their names. */
  private static final class Counters extends UnregisteredMetricsGroup {
    private final Map<String, Counter> all;
    private final String prefix;

    Counters(Map<String, Counter> all, String prefix) {
      this.all = all;
      this.prefix = prefix;
    }

    @Override
    public Counter counter(String name) {
      return all.computeIfAbsent(prefix + name, key -> new SimpleCounter());
    }

    @Override
    public MetricGroup addGroup(String key, String value) {
      return new Counters(all, prefix + key + "." + value + ".");
    }
  }

  @Test
  void cellsThatCannotBeUsedAreCounted() throws Exception {
    Map<String, Counter> all = new TreeMap<>();
    SortRecords.Counts counts = new SortRecords.Counts(SCHEMA.columns(), new Counters(all, ""));
    TextFormat text =
        new TextFormat(Format.CSV, List.of("a", "b"), null, null, null, null, null, ',', 1000);
    RecordFormat format = new RecordFormat(text, start(), false, Duration.ofHours(1));
    byte[] none = {};
    for (String line : List.of("1,x", "one,x", "two,z", ",", "1,x,3")) {
      byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
      counts.add(format.parse(new RawRecord("t-0", 0, none, bytes, 0)));
    }
    Map<String, Long> found = new TreeMap<>();
    all.forEach((name, counter) -> found.put(name, counter.getCount()));
    assertEquals(
        Map.of(
            "badRecords",
            1L,
            "unusableCells",
            3L,
            "column.a.unusableCells",
            2L,
            "column.b.unusableCells",
            1L),
        found);
  }

  @Test
  void namedColumnsMustExist() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> new TextFormat(Format.CSV, List.of("a"), "y", null, null, null, null, ',', 100));
    assertTrue(e.getMessage().contains("no column is named y"), e.getMessage());
  }

  @Test
  void aRecordTooLongIsBad() {
    TextFormat text =
        new TextFormat(Format.CSV, List.of("a", "b"), null, null, null, null, null, ',', 20);
    RecordFormat format = new RecordFormat(text, start(), false, Duration.ofHours(1));
    byte[] none = {};
    byte[] bytes = "1".repeat(30).getBytes(StandardCharsets.UTF_8);
    BadRecord bad = format.parse(new RawRecord("t-0", 0, none, bytes, 0)).bad();
    assertTrue(bad != null && bad.reason().contains("raise longest"), String.valueOf(bad));
  }
}
