// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.flink.CollectSink;
import io.github.avm4j.flink.LocalCluster;
import io.github.avm4j.flink.TestStream;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.ExampleSerializer;
import io.github.avm4j.flink.record.ModelVersion;
import io.github.avm4j.flink.record.ModelVersionSerializer;
import io.github.avm4j.flink.record.Prediction;
import io.github.avm4j.flink.record.PredictionSerializer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A key is forgotten when it was silent for its time to live, by the times of examples. */
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

  private static Map<String, Long> learnedBefore(Duration timeToLive, String backend)
      throws Exception {
    CollectSink<Prediction> predictions = new CollectSink<>();
    try (LocalCluster cluster = new LocalCluster(1)) {
      StreamExecutionEnvironment env =
          LocalCluster.environment("state.backend.type", backend, "parallelism.default", "1");
      DataStream<Example> examples =
          env.fromData(rows(), ExampleSerializer.TYPE)
              .assignTimestampsAndWatermarks(
                  WatermarkStrategy.<Example>forGenerator(context -> new ByExample())
                      .withTimestampAssigner((example, before) -> example.time()));
      DataStream<ModelVersion> none =
          examples.<ModelVersion>flatMap((e, out) -> {}).returns(ModelVersionSerializer.TYPE);
      examples
          .keyBy(Example::key, Types.STRING)
          .connect(none.broadcast(ScoreExamples.MODELS))
          .process(
              new LearnKeys(TestStream.start().file(), "none", timeToLive),
              PredictionSerializer.TYPE)
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
    Map<String, Long> expires = learnedBefore(Duration.ofMillis(TIME_TO_LIVE), backend);
    assertEquals(1, expires.get("a70"), "not silent for long enough");
    assertEquals(0, expires.get("a260"), "silent for 190");
    assertEquals(1, expires.get("a270"));
    assertEquals(50, expires.get("b500"), "never silent");
    Map<String, Long> stays = learnedBefore(Duration.ZERO, backend);
    assertEquals(2, stays.get("a260"));
    assertEquals(3, stays.get("a270"));
  }
}
