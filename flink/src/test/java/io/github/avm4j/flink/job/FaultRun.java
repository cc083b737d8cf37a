// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.avm4j.fixtures.FlinkProcesses;
import io.github.avm4j.fixtures.KafkaBroker;
import io.github.avm4j.fixtures.TestStream;
import io.github.avm4j.fixtures.Topic;
import io.github.avm4j.fixtures.Waiting;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** One job on its own topics, fed record by record; a model every 1000 instances. */
final class FaultRun implements AutoCloseable {
  static final int EVERY = 1000;

  private final String name;
  private final KafkaBroker broker;
  private final FlinkProcesses flink;
  private final String[] jars;
  private final FaultRows rows;
  private final Topic models;
  private final Topic predictions;
  private final Topic scores;
  private final Topic bad;
  private Path checkpoints;
  private String files = "";
  private String folder = "";
  private boolean all = true;
  private String job = "";

  FaultRun(String name, Path folder, KafkaBroker broker, FlinkProcesses flink, String[] jars)
      throws Exception {
    this.name = name;
    this.broker = broker;
    this.flink = flink;
    this.jars = jars;
    checkpoints = folder.resolve("checkpoints");
    rows = new FaultRows(name, broker);
    broker.topic(name + "-models", 1, Map.of("cleanup.policy", "compact"));
    broker.topics(name + "-predictions", name + "-scores", name + "-bad");
    models = new Topic(broker.address(), name + "-models");
    predictions = new Topic(broker.address(), name + "-predictions");
    scores = new Topic(broker.address(), name + "-scores");
    bad = new Topic(broker.address(), name + "-bad");
  }

  void checkpointsTo(Path other) {
    checkpoints = other;
  }

  /** From the next submission on, models alone are published. */
  void modelsAlone() {
    all = false;
  }

  /** Models go to a folder too. */
  void modelsTo(Path models) {
    folder = "  folder: \"" + models.toUri() + "\"\n";
  }

  /** The job reads {@code file}, which holds the first {@code n} records, before the topic. */
  void filesFirst(Path file, long n) {
    files = ", files: [\"" + file.toUri() + "\"]";
    rows.skip(n);
  }

  /** What the job reads. */
  FaultRows rows() {
    return rows;
  }

  String job() {
    return job;
  }

  void submit(@Nullable String savepoint) throws Exception {
    String more =
        "  predictions: NAME-predictions\n  scores: NAME-scores\n  bad-records: NAME-bad\n"
            .replace("NAME", name);
    more = all ? more : "";
    StreamConfig config =
        StreamConfig.parse(
            """
            name: %1$s
            input: {topic: %1$s, format: libsvm%5$s}
            learner: {classes: ["1", "-1"], budget: 30, estimation: 200}
            publish: {every: %2$d}
            window: 500
            kafka: {bootstrap.servers: "%3$s"}
            output:
              models: %1$s-models
            %7$s%6$scheckpoints: {every: 500ms, folder: "%4$s"}
            flink: {restart-strategy.exponential-delay.max-backoff: 1 s}
            """
                .formatted(
                    name, EVERY, broker.relayedAddress(), checkpoints.toUri(), files, folder, more),
            null);
    Launch launch = new Launch(savepoint, "", 0);
    job = StreamMain.submit(config, flink.address(), launch, jars);
    Waiting.until("running job", () -> flink.state(job).equals("RUNNING"));
  }

  void produceTo(long n) throws Exception {
    rows.produceTo(n);
  }

  /** Waits for a model of at least {@code instances}. */
  ConsumerRecord<byte[], byte[]> awaitModel(long instances) throws Exception {
    Waiting.until(
        "model of " + instances + " instances in " + name,
        () -> !models.poll().isEmpty() && instances(last()) >= instances);
    return last();
  }

  private ConsumerRecord<byte[], byte[]> last() {
    List<ConsumerRecord<byte[], byte[]>> all = models.poll();
    return all.get(all.size() - 1);
  }

  private static long instances(ConsumerRecord<byte[], byte[]> record) {
    return Long.parseLong(Topic.header(record, "instances"));
  }

  /** The final model, every version, every prediction and the scores are those of a plain loop. */
  void check(long n) throws Exception {
    assertEquals(0, n % EVERY);
    assertArrayEquals(TestStream.expected(n), awaitModel(n).value());
    List<ConsumerRecord<byte[], byte[]>> versions = models.poll();
    assertEquals(n / EVERY, versions.size(), "each version once");
    for (int v = 0; v < versions.size(); v++) {
      assertEquals((v + 1L) * EVERY, instances(versions.get(v)));
      assertEquals(Integer.toString(v + 1), Topic.header(versions.get(v), "version"));
    }
    Waiting.until("predictions", () -> predictions.poll().size() >= n);
    List<ConsumerRecord<byte[], byte[]>> all = predictions.poll();
    assertEquals(n, all.size());
    for (int i = 0; i < n; i++) {
      String id = new String(all.get(i).key(), StandardCharsets.UTF_8);
      assertEquals(Integer.toString(i), id, "each example predicted once, in order");
    }
    checkScores(n);
  }

  private void checkScores(long n) throws Exception {
    ObjectMapper json = new ObjectMapper();
    long[] sum = new long[1];
    Waiting.until(
        "scores",
        () -> {
          sum[0] = 0;
          for (ConsumerRecord<byte[], byte[]> record : scores.poll()) {
            JsonNode score = json.readTree(record.value());
            sum[0] += score.path("window").asLong();
          }
          return sum[0] >= n;
        });
    assertEquals(n, sum[0], "the windows hold each instance once");
  }

  void checkBad() throws Exception {
    int n = rows.bad();
    Waiting.until("bad records", () -> bad.poll().size() >= n);
    assertEquals(n, bad.poll().size());
    for (ConsumerRecord<byte[], byte[]> record : bad.poll()) {
      assertFalse(Topic.header(record, "reason").isEmpty());
    }
  }

  @Override
  public void close() {
    models.close();
    predictions.close();
    scores.close();
    bad.close();
    rows.close();
    try {
      if (!job.isEmpty() && flink.state(job).equals("RUNNING")) {
        flink.cancel(job);
      }
    } catch (Exception e) {
      throw new IllegalStateException("cannot end " + job, e);
    }
  }
}
