// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.data.Format;
import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.Row;
import io.github.avm4j.feature.RowEncoder;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.flink.CollectSink;
import io.github.avm4j.flink.LocalCluster;
import io.github.avm4j.flink.TestStream;
import io.github.avm4j.flink.record.BadRecord;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.Formats;
import io.github.avm4j.flink.record.RawRecord;
import io.github.avm4j.pipeline.RowDetector;
import io.github.avm4j.pipeline.RowLearner;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;

class ParseRecordsTest {
  private static final Schema SCHEMA =
      new Schema(
          List.of(
              new Column("a", Column.Kind.NUMERIC, 0, List.of(), 0),
              new Column("b", Column.Kind.CATEGORICAL, 0, List.of("x", "y"), 0)));
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
    ParseRecords parser = new ParseRecords(TextFormat.libsvm(), start, false, Duration.ofHours(1));
    Example example = parser.parse(TestStream.record(5));
    assertFalse(example.isLabelled());
    assertEquals(TestStream.features(5).toString(), example.x().toString());
  }

  @Test
  void timesFarAheadOfTheClockAreBadRecordsAndTheRestHasItsOrigin() throws Exception {
    TextFormat format =
        new TextFormat(
            Format.CSV, List.of("a", "b", "y", "at"), "y", null, null, null, "at", ',', 1000);
    CollectSink<Example> good = new CollectSink<>();
    CollectSink<BadRecord> bad = new CollectSink<>();
    StreamExecutionEnvironment env = LocalCluster.environment();
    var parsed =
        env.fromSource(
                new DataGeneratorSource<>(
                    ParseRecordsTest::row, ROWS.length, Formats.RAW_RECORD.type()),
                WatermarkStrategy.noWatermarks(),
                "rows")
            .setParallelism(1)
            .process(
                new ParseRecords(format, start(), true, Duration.ofHours(1)),
                Formats.EXAMPLE.type())
            .setParallelism(1);
    parsed.sinkTo(good).setParallelism(1);
    parsed.getSideOutput(ParseRecords.BAD).sinkTo(bad).setParallelism(1);
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
    UnusableCells cells = new UnusableCells(SCHEMA, new Counters(all, ""));
    RecordReader reader =
        new RecordReader(
            new TextFormat(Format.CSV, List.of("a", "b"), null, null, null, null, null, ',', 1000));
    RowEncoder encoder = SCHEMA.encoder(reader.columns());
    Row row = new Row();
    for (String text : Arrays.asList("1,x", "one,x", "two,z", ",")) {
      reader.read(text.getBytes(StandardCharsets.UTF_8), row);
      encoder.encode(row);
      cells.count(encoder);
    }
    Map<String, Long> counts = new TreeMap<>();
    all.forEach((name, counter) -> counts.put(name, counter.getCount()));
    assertEquals(
        Map.of("unusableCells", 3L, "column.a.unusableCells", 2L, "column.b.unusableCells", 1L),
        counts);
  }
}
