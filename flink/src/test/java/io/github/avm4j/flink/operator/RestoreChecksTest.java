// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.fixtures.TestStream;
import io.github.avm4j.fixtures.Waiting;
import io.github.avm4j.flink.CollectSink;
import io.github.avm4j.flink.LocalCluster;
import io.github.avm4j.flink.record.Example;
import io.github.avm4j.flink.record.Formats;
import io.github.avm4j.flink.record.ModelVersion;
import io.github.avm4j.flink.record.Prediction;
import io.github.avm4j.pipeline.RowLearner;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A savepoint goes on only in a job that means the same by its rows; numbers are used once. */
@Timeout(value = 1200, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RestoreChecksTest {
  private static final String PATH = "execution.state-recovery.path";
  private static final String IGNORE = "execution.state-recovery.ignore-unclaimed-state";

  private static LocalCluster cluster;

  @TempDir Path savepoints;

  @BeforeAll
  static void start() throws Exception {
    cluster = new LocalCluster(2);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static StartFiles start(List<String> classes, String... columns) {
    Schema schema =
        columns.length == 0
            ? Schema.numbered()
            : new Schema(
                List.of(columns).stream()
                    .map(name -> new Column(name, Column.Kind.NUMBER, 0, List.of(), 0))
                    .toList());
    RowLearner rows = new RowLearner(schema, "label", TestStream.blank());
    classes.forEach(rows.names()::add);
    return new StartFiles(rows);
  }

  /** Restarts are on: what must not go on must not be tried for ever either. */
  private static StreamExecutionEnvironment environment(String... options) {
    String[] all = java.util.Arrays.copyOf(options, options.length + 4);
    all[options.length] = "restart-strategy.type";
    all[options.length + 1] = "exponential-delay";
    all[options.length + 2] = IGNORE;
    all[options.length + 3] = "true";
    return LocalCluster.environment(all);
  }

  private static StreamLearning.Settings settings(StartFiles start, String lineage, long version) {
    return StreamLearning.settings("m", start)
        .publishing(Schedule.everyInstances(500))
        .after(lineage, version);
  }

  private static StreamExecutionEnvironment global(
      CollectSink<ModelVersion> models, StreamLearning.Settings learning, String... options) {
    StreamExecutionEnvironment env = environment(options);
    DataStream<Example> examples = StreamLearningTest.examples(env, 100_000, 4000, 1);
    StreamLearning.on(examples, learning).models().sinkTo(models).uid("models").setParallelism(1);
    return env;
  }

  private String advance(StreamExecutionEnvironment env, CollectSink<ModelVersion> models, int n)
      throws Exception {
    JobID job = cluster.submit(env);
    Waiting.until("versions", () -> models.values().size() >= n);
    return cluster.stop(job, savepoints);
  }

  private static String failure(StreamExecutionEnvironment env) {
    Exception e = assertThrows(Exception.class, () -> cluster.await(cluster.submit(env)));
    Throwable cause = e;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return ExceptionUtils.stringifyException(cause).lines().findFirst().orElse("");
  }

  @Test
  void classesInAnotherOrderAreRefused() throws Exception {
    CollectSink<ModelVersion> models = new CollectSink<>();
    StartFiles before = start(TestStream.CLASSES);
    StartFiles now = start(List.of("-1", "1"));
    String savepoint = advance(global(models, settings(before, "", 0)), models, 2);
    StreamLearning.Settings next = settings(now, "", 0);
    String said = failure(global(models, next, PATH, savepoint));
    assertTrue(said.contains("'classes [1, -1]', here 'classes [-1, 1]'"), said);
  }

  @Test
  void aKeyedJobWithAColumnMoreIsRefused() throws Exception {
    CollectSink<Prediction> predictions = new CollectSink<>();
    JobID job = cluster.submit(keyed(start(TestStream.CLASSES, "a", "b", "c"), predictions));
    Waiting.until("predictions", () -> predictions.values().size() > 100);
    String savepoint = cluster.stop(job, savepoints);
    StartFiles wider = start(TestStream.CLASSES, "a", "b", "c", "d");
    String said = failure(keyed(wider, predictions, PATH, savepoint));
    assertTrue(said.contains("'columns [a, b, c]', here 'columns [a, b, c, d]'"), said);
  }

  private static StreamExecutionEnvironment keyed(
      StartFiles start, CollectSink<Prediction> predictions, String... options) {
    StreamExecutionEnvironment env = environment(options);
    DataStream<Example> examples = StreamLearningTest.examples(env, 100_000, 4000, 1);
    examples
        .keyBy(example -> "k" + example.time() % 3, Types.STRING)
        .connect(
            examples
                .<ModelVersion>flatMap((example, out) -> {})
                .returns(Formats.MODEL_VERSION.type())
                .broadcast(ScoreExamples.MODELS))
        .process(new LearnKeys(start.file(), "global", Duration.ZERO), Formats.PREDICTION.type())
        .uid("keys")
        .setParallelism(2)
        .sinkTo(predictions);
    return env;
  }

  @Test
  void anOlderSavepointsVersionsGoOnAboveWhatWasPublished() throws Exception {
    CollectSink<ModelVersion> models = new CollectSink<>();
    StartFiles start = start(TestStream.CLASSES);
    String savepoint = advance(global(models, settings(start, "", 0)), models, 2);
    List<ModelVersion> before = List.copyOf(models.values());
    String lineage = before.get(0).lineage();
    assertEquals(lineage, UUID.fromString(lineage).toString());
    CollectSink<ModelVersion> more = new CollectSink<>();
    StreamLearning.Settings next = settings(start, lineage, 90);
    advance(global(more, next, PATH, savepoint), more, 2);
    assertEquals(lineage, more.values().get(0).lineage());
    assertEquals(91, more.values().get(0).version());
    assertEquals(92, more.values().get(1).version());
    CollectSink<ModelVersion> other = new CollectSink<>();
    advance(global(other, settings(start, "", 0)), other, 1);
    assertEquals(1, other.values().get(0).version());
    assertTrue(lineage.compareTo(other.values().get(0).lineage()) < 0, "a new lineage is later");
  }
}
