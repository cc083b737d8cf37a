// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.fixtures.FlinkProcesses;
import io.github.avm4j.fixtures.KafkaBroker;
import io.github.avm4j.fixtures.TestStream;
import io.github.avm4j.fixtures.Topic;
import io.github.avm4j.fixtures.Waiting;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.pipeline.RowModel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** One of the jobs that chaos is let loose on: what it is, and what must be true in the end. */
final class ChaosJob implements AutoCloseable {
  /** Instances of a version and of a window. */
  static final int EVERY = 1000;

  /** Rows that all jobs learn from. */
  static final String ROWS = "rows";

  private static final List<String> COLUMNS = List.of("a", "b", "c");

  private final String name;
  private final boolean keyed;
  private final Topic versions;
  private final Topic predictions;
  private final Topic scores;
  private String id = "";

  ChaosJob(String name, boolean keyed, KafkaBroker broker) throws Exception {
    this.name = name;
    this.keyed = keyed;
    broker.topics(name + "-models", name + "-predictions", name + "-scores", name + "-bad");
    versions = new Topic(broker.address(), name + "-models");
    predictions = new Topic(broker.address(), name + "-predictions");
    scores = new Topic(broker.address(), name + "-scores");
  }

  /** Row {@code i} as CSV: id, whose it is, three features, the label. */
  static String row(long i) {
    String[] cells = TestStream.line(i).split("[ :]");
    return String.join(",", i + "", "w" + i % 20, cells[2], cells[4], cells[6], cells[0]);
  }

  String name() {
    return name;
  }

  String id() {
    return id;
  }

  void submit(KafkaBroker broker, FlinkProcesses flink, Path folder, String[] jars)
      throws Exception {
    String outputs =
        keyed
            ? "{predictions: NAME-predictions, bad-records: NAME-bad}"
            : "{models: NAME-models, predictions: NAME-predictions, scores: NAME-scores,"
                + " bad-records: NAME-bad, folder: \"FOLDER/models\", keep: 5}";
    String yaml =
        """
        name: NAME
        mode: %s
        parallelism: %d
        input: {topic: rows, format: csv, columns: [id, who, a, b, c, y], features: {a: number, b: number, c: number},
                label: y, id: id, key: who, parallelism: 1}
        learner: {classes: ["1", "-1"], budget: 30, estimation: 200}
        publish: {every: %d}
        window: 500
        kafka: {bootstrap.servers: "%s"}
        output: %s
        checkpoints: {every: 1s, folder: "FOLDER/checkpoints"}
        """
            .formatted(keyed ? "keyed" : "global", keyed ? 2 : 1, EVERY, broker.address(), outputs)
            .replace("NAME", name)
            .replace("FOLDER", folder.toUri().toString());
    StreamConfig config = StreamConfig.parse(yaml, null);
    id = StreamMain.submit(config, flink.address(), Launch.NEW, jars);
    Waiting.until("running job " + name, () -> flink.state(id).equals("RUNNING"));
  }

  /** Records that others have seen the job learn from. */
  long progress() {
    int predicted = predictions.poll().size();
    if (keyed) {
      return predicted;
    }
    List<ConsumerRecord<byte[], byte[]>> all = versions.poll();
    return all.isEmpty() ? 0 : instances(all.get(all.size() - 1));
  }

  private static long instances(ConsumerRecord<byte[], byte[]> version) {
    return Long.parseLong(Topic.header(version, "instances"));
  }

  /** Each of {@code n} records was predicted once. */
  void checkPredictions(long n) throws Exception {
    Waiting.until("predictions of " + name, () -> predictions.poll().size() >= n);
    assertEquals(n, predictions.poll().size(), "predictions of " + name);
    Set<String> ids = new HashSet<>();
    predictions.poll().forEach(one -> ids.add(new String(one.key(), StandardCharsets.UTF_8)));
    assertEquals(n, ids.size(), "each record of " + name + " predicted once");
  }

  /** After its end: each record was learned from once, each version published once. */
  void checkModels(long n) throws Exception {
    assertEquals(n, predictions.poll().size(), "predictions of " + name);
    if (!keyed) {
      checkVersions(n);
      checkScores(n);
    }
  }

  private void checkVersions(long n) throws Exception {
    Waiting.until("the last version of " + name, () -> progress() >= n);
    Set<String> lineages = new HashSet<>();
    long version = 0;
    long instances = 0;
    for (ConsumerRecord<byte[], byte[]> one : versions.poll()) {
      lineages.add(Topic.header(one, "lineage"));
      assertEquals(Long.toString(++version), Topic.header(one, "version"), "each version once");
      assertEquals(true, instances(one) > instances, "each knows more than the one before");
      instances = instances(one);
    }
    assertEquals(n, instances, "instances of " + name);
    assertEquals(1, lineages.size(), "one lineage of " + name);
    assertEquals(n / EVERY, version);
    assertArrayEquals(expected(n), versions.poll().get((int) version - 1).value());
  }

  private void checkScores(long n) throws Exception {
    ObjectMapper json = new ObjectMapper();
    long[] sum = new long[1];
    Waiting.until(
        "scores of " + name,
        () -> {
          sum[0] = 0;
          for (ConsumerRecord<byte[], byte[]> record : scores.poll()) {
            JsonNode score = json.readTree(record.value());
            sum[0] += score.path("window").asLong();
          }
          return sum[0] >= n;
        });
    assertEquals(n, sum[0], "the windows of " + name + " hold each record once");
  }

  /** The newest version that was published. */
  String newestVersion() {
    List<ConsumerRecord<byte[], byte[]>> all = versions.poll();
    return Topic.header(all.get(all.size() - 1), "version");
  }

  /** What a plain loop over the rows gives, bit for bit. */
  private static byte[] expected(long n) {
    Learner learner = TestStream.blank();
    for (long i = 0; i < n; i++) {
      String[] cells = row(i).split(",");
      double[] x = Stream.of(cells).skip(2).limit(3).mapToDouble(Double::parseDouble).toArray();
      learner.predictThenLearn(FeatureVector.dense(x), TestStream.CLASSES.indexOf(cells[5]), 1);
    }
    Schema schema =
        new Schema(
            COLUMNS.stream()
                .map(column -> new Column(column, Column.Kind.NUMBER, 0, List.of(), 0))
                .toList());
    return new RowModel(schema, "y", TestStream.CLASSES, learner.snapshot()).toBytes();
  }

  @Override
  public void close() {
    versions.close();
    predictions.close();
    scores.close();
  }
}
