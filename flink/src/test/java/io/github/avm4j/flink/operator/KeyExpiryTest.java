// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.flink.CollectCounters;
import io.github.avm4j.flink.CollectSink;
import io.github.avm4j.flink.LocalCluster;
import io.github.avm4j.flink.TestRecords;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.Formats;
import io.github.avm4j.flink.record.ModelVersion;
import io.github.avm4j.flink.record.Prediction;
import io.github.avm4j.pipeline.RowDetector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A key is forgotten when it was silent for its time to live, by the times of examples; and is
 * counted.
 */
class KeyExpiryTest {
  private static final int TIME_TO_LIVE = 80;

  /** After every example it is as late as that says. */
  private static final class ByExample implements WatermarkGenerator<Example> {
    @Override
    public void onEvent(Example example, long time, WatermarkOutput output) {
      output.emitWatermark(new Watermark(example.time() - 1));
    }

    @Override
    public void onPeriodicEmit(WatermarkOutput output) {}
  }

  /** "a" comes at 0, 70 and after a pause; "b" all the time. */
  private static List<Example> rows() {
    List<Example> rows = new ArrayList<>();
    for (int time = 0; time <= 500; time += 10) {
      rows.add(row("b", time));
      if (time == 0 || time == 70 || time == 260 || time == 270) {
        rows.add(row("a", time));
      }
    }
    return rows;
  }

  private static Example row(String key, long time) {
    return new Example(
        key + time, key, FeatureVector.dense(0.1, 0.2), time % 20 == 0 ? 0 : 1, 1, time);
  }

  private static DataStream<Example> timed(StreamExecutionEnvironment env, List<Example> rows) {
    return env.fromData(rows, Formats.EXAMPLE.type())
        .assignTimestampsAndWatermarks(
            WatermarkStrategy.<Example>forGenerator(context -> new ByExample())
                .withTimestampAssigner((example, before) -> example.time()));
  }

  private static Map<String, Long> learnedBefore(
      Duration timeToLive, String backend, CollectCounters counters) throws Exception {
    CollectSink<Prediction> predictions = new CollectSink<>();
    try (LocalCluster cluster = new LocalCluster(1, counters.options())) {
      StreamExecutionEnvironment env =
          LocalCluster.environment("state.backend.type", backend, "parallelism.default", "1");
      DataStream<Example> examples = timed(env, rows());
      DataStream<ModelVersion> none =
          examples.<ModelVersion>flatMap((e, out) -> {}).returns(Formats.MODEL_VERSION.type());
      examples
          .keyBy(Example::key, Types.STRING)
          .connect(none.broadcast(ScoreExamples.MODELS))
          .process(
              new LearnKeys(TestRecords.start().file(), "none", timeToLive),
              Formats.PREDICTION.type())
          .sinkTo(predictions);
      cluster.run(env);
    }
    Map<String, Long> versions = new TreeMap<>();
    predictions.values().forEach(one -> versions.put(one.id(), one.version()));
    return versions;
  }

  @ParameterizedTest
  @ValueSource(strings = {"hashmap", "rocksdb"})
  void byEventTime(String backend) throws Exception {
    CollectCounters counters = new CollectCounters();
    Map<String, Long> expires = learnedBefore(Duration.ofMillis(TIME_TO_LIVE), backend, counters);
    assertEquals(1, expires.get("a70"), "not silent for long enough");
    assertEquals(0, expires.get("a260"), "silent for 190");
    assertEquals(1, expires.get("a270"));
    assertEquals(50, expires.get("b500"), "never silent");
    assertEquals(2, counters.sum("expiredKeys"), "a after 70 and after 270; the end ends none");
    assertEquals(3, counters.sum("newKeys"), "a, b, and a again");
    CollectCounters others = new CollectCounters();
    Map<String, Long> stays = learnedBefore(Duration.ZERO, backend, others);
    assertEquals(2, stays.get("a260"));
    assertEquals(3, stays.get("a270"));
    assertEquals(0, others.sum("expiredKeys"));
    assertEquals(2, others.sum("newKeys"));
  }

  @Test
  void detectorsOfKeysToo() throws Exception {
    List<Example> rows =
        rows().stream()
            .map(row -> new Example(row.id(), row.key(), row.x(), Double.NaN, 1, row.time()))
            .toList();
    CollectCounters counters = new CollectCounters();
    try (LocalCluster cluster = new LocalCluster(1, counters.options())) {
      StreamExecutionEnvironment env = LocalCluster.environment("parallelism.default", "1");
      AnomalyDetection.perKey(timed(env, rows), "m", detector(), Duration.ofMillis(TIME_TO_LIVE), 1)
          .detections()
          .sinkTo(new CollectSink<>());
      cluster.run(env);
    }
    assertEquals(rows.size(), counters.sum("judged"));
    assertEquals(2, counters.sum("expiredKeys"), "a after 70 and after 270; the end ends none");
    assertEquals(3, counters.sum("newDetectors"), "of a, b, and a again");
  }

  private static StartFiles detector() {
    List<Column> columns =
        Stream.of("load", "heat")
            .map(name -> new Column(name, Column.Kind.NUMBER, 0, List.of(), 0))
            .toList();
    return new StartFiles(
        new RowDetector(new Schema(columns), Avm.detector().budget(40).features(2).build()));
  }
}
