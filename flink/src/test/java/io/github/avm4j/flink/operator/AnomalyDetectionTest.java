// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.detector.AnomalyExplanation;
import io.github.avm4j.detector.Detector;
import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.fixtures.Waiting;
import io.github.avm4j.flink.CollectSink;
import io.github.avm4j.flink.LocalCluster;
import io.github.avm4j.flink.record.BadRecord;
import io.github.avm4j.flink.record.Detection;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.Formats;
import io.github.avm4j.flink.record.ModelVersion;
import io.github.avm4j.pipeline.RowDetector;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
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
import org.junit.jupiter.params.provider.ValueSource;

/** Detectors in a job judge as a plain loop does, bit for bit. */
class AnomalyDetectionTest {
  private static final int BAD = 123;
  private static final String PATH = "execution.state-recovery.path";

  private static LocalCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = new LocalCluster(2);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  /** Row i of key i mod 3; every hundredth is far away, one is refused, some are feedback. */
  private static Example example(long i) {
    SplittableRandom random = new SplittableRandom(i);
    double load = random.nextDouble();
    double heat = i % 100 == 77 ? 50 : load + 0.1 * random.nextDouble();
    FeatureVector x = FeatureVector.dense(i == BAD ? Double.POSITIVE_INFINITY : load, heat);
    double said = i % 150 != 80 ? Double.NaN : i % 4 == 0 ? 0 : 1;
    return new Example(Long.toString(i), "k" + i % 3, x, said, 1, i);
  }

  private static StartFiles blank(String... names) {
    List<Column> columns =
        Stream.of(names)
            .map(name -> new Column(name, Column.Kind.NUMBER, 0, List.of(), 0))
            .toList();
    Detector detector =
        Avm.detector().budget(40).calibration(300).alarm(0.02).features(names.length).build();
    return new StartFiles(new RowDetector(new Schema(columns), detector));
  }

  private static DataStream<Example> examples(
      StreamExecutionEnvironment env, long n, double perSecond) {
    return env.fromSource(
            new DataGeneratorSource<>(
                AnomalyDetectionTest::example,
                n,
                perSecond > 0
                    ? RateLimiterStrategy.perSecond(perSecond)
                    : RateLimiterStrategy.noOp(),
                Formats.EXAMPLE.type()),
            WatermarkStrategy.noWatermarks(),
            "examples")
        .uid("examples")
        .setParallelism(1);
  }

  /**
   * What a plain loop says from row {@code first} on; returns the next, and the detectors go on.
   */
  private static long check(
      List<Detection> detections, long first, Map<String, Detector> detectors, boolean keys)
      throws Exception {
    Map<String, Detection> byId = new HashMap<>();
    detections.forEach(one -> byId.put(one.id(), one));
    assertEquals(detections.size(), byId.size(), "each once");
    long last = detections.stream().mapToLong(Detection::time).max().orElse(0);
    for (long i = first; i <= last; i++) {
      Example row = example(i);
      if (i == BAD) {
        continue;
      }
      String key = keys ? row.key() : "";
      if (!detectors.containsKey(key)) {
        detectors.put(key, Detector.fromBytes(blank("load", "heat").file()));
      }
      Detector detector = detectors.get(key);
      if (row.isLabelled()) {
        detector.feedback(row.x(), row.y() > 0);
        continue;
      }
      boolean alarm = detector.isAlarm(detector.pValue(row.x()));
      List<AnomalyExplanation.Feature> why =
          alarm ? detector.explain(row.x(), 3).features() : List.of();
      double p = detector.detectThenLearn(row.x());
      double score = detector.lastScore();
      assertEquals(
          new Detection(row.id(), row.key(), p, score, alarm, why, i), byId.get(row.id()), "" + i);
    }
    return last + 1;
  }

  private static StreamExecutionEnvironment keyed(
      CollectSink<Detection> detections, StartFiles start, String... options) {
    StreamExecutionEnvironment env = LocalCluster.environment(options);
    AnomalyDetection.perKey(examples(env, 1_000_000, 2000), "m", start, Duration.ofDays(1), 2)
        .detections()
        .sinkTo(detections)
        .uid("detections");
    return env;
  }

  @ParameterizedTest
  @ValueSource(strings = {"hashmap", "rocksdb"})
  void eachKeyIsJudgedAsIfAloneAndGoesOnAfterASavepoint(String backend, @TempDir Path folder)
      throws Exception {
    String[] options = {"state.backend.type", backend, PATH, ""};
    StartFiles start = blank("load", "heat");
    CollectSink<Detection> first = new CollectSink<>();
    JobID job = cluster.submit(keyed(first, start, options[0], backend));
    Waiting.until("detections", () -> first.values().size() > 400);
    options[3] = cluster.stop(job, folder);
    Map<String, Detector> detectors = new HashMap<>();
    long next = check(first.values(), 0, detectors, true);
    assertTrue(first.values().stream().anyMatch(Detection::alarm), "there are alarms");
    CollectSink<Detection> second = new CollectSink<>();
    JobID resumed = cluster.submit(keyed(second, start, options));
    Waiting.until("detections", () -> second.values().size() > 100);
    cluster.stop(resumed, folder);
    check(second.values(), next, detectors, true);
    if (backend.equals("hashmap")) {
      Exception other =
          assertThrows(
              Exception.class,
              () -> cluster.run(keyed(second, blank("load", "heat", "site"), options)));
      assertTrue(stack(other).contains("here 'columns [load, heat, site]'"), stack(other));
    }
  }

  private static String stack(@Nullable Throwable problem) {
    StringBuilder all = new StringBuilder();
    for (Throwable one = problem; one != null; one = one.getCause()) {
      all.append(one.getMessage()).append('\n');
    }
    return all.toString();
  }

  @Test
  void oneForTheStreamIsPublishedAsAPlainLoopLeavesIt() throws Exception {
    StreamExecutionEnvironment env = LocalCluster.environment();
    CollectSink<Detection> detections = new CollectSink<>();
    CollectSink<ModelVersion> models = new CollectSink<>();
    CollectSink<BadRecord> refused = new CollectSink<>();
    AnomalyDetection detection =
        AnomalyDetection.perStream(
            examples(env, 1209, 0),
            blank("load", "heat"),
            new DetectAnomalies.Publishing("m", Schedule.everyInstances(500), "", 0));
    detection.detections().sinkTo(detections).setParallelism(1);
    detection.models().sinkTo(models).setParallelism(1);
    detection.refused().sinkTo(refused).setParallelism(1);
    cluster.run(env);
    Map<String, Detector> detectors = new HashMap<>();
    check(detections.values(), 0, detectors, false);
    assertEquals(1200, detections.values().size());
    assertEquals(1, refused.values().size());
    assertTrue(refused.values().get(0).reason().contains("finite"), "says why");
    assertEquals(
        List.of(500L, 1000L, 1200L),
        models.values().stream().map(ModelVersion::instances).toList());
    RowDetector last = RowDetector.read(models.values().get(2).file());
    assertArrayEquals(detectors.get("").toBytes(), last.detector().toBytes());
    assertEquals("heat", last.schema().featureName(1));
    assertEquals(3, models.values().get(2).version());
  }
}
