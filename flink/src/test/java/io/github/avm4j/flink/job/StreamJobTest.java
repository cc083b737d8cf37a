// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.fixtures.KafkaBroker;
import io.github.avm4j.fixtures.TestStream;
import io.github.avm4j.fixtures.Topic;
import io.github.avm4j.fixtures.Waiting;
import io.github.avm4j.flink.LocalCluster;
import io.github.avm4j.flink.sql.SqlExample;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.pipeline.RowModel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Future;
import org.apache.flink.api.common.JobID;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.ExceptionUtils;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs as their files describe them, fed and read through a real broker. */
@Tag("cluster")
class StreamJobTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static KafkaBroker broker;
  private static LocalCluster cluster;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    broker = new KafkaBroker(folder);
    cluster = new LocalCluster(4);
  }

  @AfterAll
  static void stop() {
    cluster.close();
    broker.close();
  }

  private static JobID submit(String yaml) throws Exception {
    return submit(yaml, null);
  }

  private static JobID submit(String yaml, @Nullable String savepoint) throws Exception {
    Launch launch = new Launch(savepoint, "", 0);
    String tail =
        "\nkafka: {bootstrap.servers: \"%s\"}\ncheckpoints: {every: 200ms}\n"
            .formatted(broker.address());
    StreamConfig config = StreamConfig.parse(yaml + tail, null);
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(JobOptions.of(config, launch));
    StreamJob.build(env, config, launch);
    return cluster.submit(env);
  }

  private static void produce(String topic, Map<String, String> records) throws Exception {
    List<Future<RecordMetadata>> sent = new ArrayList<>();
    try (KafkaProducer<byte[], byte[]> producer = Topic.producer(broker.address())) {
      records.forEach((key, value) -> sent.add(producer.send(Topic.record(topic, key, value))));
    }
    for (Future<RecordMetadata> one : sent) {
      one.get();
    }
  }

  private static Map<String, String> lines(long from, long to) {
    Map<String, String> lines = new TreeMap<>();
    for (long i = from; i < to; i++) {
      lines.put("%06d".formatted(i), TestStream.line(i));
    }
    return lines;
  }

  @Test
  void theStatementsOfThePageOnSqlRun() throws Exception {
    SqlExample.run(broker);
  }

  @Test
  void anomaliesAreDetectedAndFeedbackCounts() throws Exception {
    broker.topics(DetectWithBroker.TOPICS.toArray(String[]::new));
    JobID job = submit(DetectWithBroker.JOB);
    try (DetectWithBroker readings = new DetectWithBroker(broker)) {
      readings.check();
    } finally {
      cluster.cancel(job);
    }
  }

  @Test
  void newKeysBeginWithTheGlobalLearner() throws Exception {
    broker.topics("rows", "learners", "own", "predictions");
    produce("rows", lines(0, 1500));
    cluster.await(
        submit(
            """
            name: everyone
            input: {topic: rows, until: latest, format: libsvm}
            learner: {classes: ["1", "-1"], budget: 30, estimation: 200}
            publish: {every: 1000}
            output: {learners: learners}
            """));
    Learner global = TestStream.blank();
    TestStream.teach(global, 0, 1500);
    try (Topic published = new Topic(broker.address(), "learners")) {
      Waiting.until("two versions", () -> published.poll().size() == 2);
      byte[] newest = published.poll().get(1).value();
      assertArrayEquals(global.toBytes(), Learner.fromBytes(newest).toBytes());
      assertEquals(TestStream.CLASSES, RowModel.read(newest).classNames());
    }
    JobID keyed =
        submit(
            """
            name: each
            mode: keyed
            input: {topic: own, format: jsonl, columns: [a, b, c, who, y], label: y, key: who}
            learner: {classes: ["1", "-1"], budget: 30, estimation: 200}
            keys: {start-topic: learners, start-name: everyone}
            output: {predictions: predictions}
            """);
    try (Topic predictions = new Topic(broker.address(), "predictions")) {
      String key = awaitGlobal(predictions);
      long before = predictions.poll().size();
      produce("own", rows(key, 10));
      Waiting.until("ten more", () -> predictions.poll().size() >= before + 10);
      checkGoesOn(predictions.poll(), key, global);
    } finally {
      cluster.cancel(keyed);
    }
  }

  @Test
  void aRenamedJobGoesOnOnlyWhereItsLearnersDo(@TempDir Path folder) throws Exception {
    broker.topics("named", "named-out");
    produce("named", lines(0, 200));
    String input = "input: {topic: named, format: libsvm}\n";
    String classes = "learner: {classes: [\"1\", \"-1\"], budget: 30, estimation: 200}\n";
    String global = "name: %s\n" + input + classes + "output: {predictions: named-out}";
    String detect =
        "name: %s\nmode: detect\n"
            + input
            + "detector: {features: 3}\noutput: {detections: named-out}";
    String keyed = "name: %s\nmode: keyed\n" + input + classes + "output: {predictions: named-out}";
    try (Topic out = new Topic(broker.address(), "named-out")) {
      String savepoint = savepoint(global, out, 200, folder);
      refused("operator was-learn, this job's are in is-learn", global, savepoint);
      refused("operator was-learn, this job's are in learn-keys", keyed, savepoint);
      savepoint = savepoint(detect, out, 400, folder);
      refused("operator was-detect, this job's are in is-detect", detect, savepoint);
      savepoint = savepoint(keyed, out, 600, folder);
      JobID renamed = submit(keyed.formatted("is"), savepoint);
      produce("named", lines(200, 210));
      Waiting.until("ten predictions more", () -> out.poll().size() == 610);
      cluster.cancel(renamed);
    }
  }

  /** Of the job called "was", once there is so much in its output. */
  private static String savepoint(String yaml, Topic out, int records, Path folder)
      throws Exception {
    JobID job = submit(yaml.formatted("was"));
    Waiting.until(records + " records", () -> out.poll().size() == records);
    return cluster.stop(job, folder);
  }

  private static void refused(String words, String yaml, String savepoint) {
    Exception e =
        assertThrows(Exception.class, () -> cluster.await(submit(yaml.formatted("is"), savepoint)));
    assertTrue(
        ExceptionUtils.findThrowableWithMessage(e, words).isPresent(),
        () -> words + " in " + ExceptionUtils.stringifyException(e));
  }

  private static String row(String key, int i) {
    return "{\"a\":0.%d,\"b\":0.7,\"c\":0.1,\"who\":\"%s\",\"y\":\"1\"}".formatted(i, key);
  }

  private static Map<String, String> rows(String key, int count) {
    Map<String, String> rows = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      rows.put(key + i, row(key, i));
    }
    return rows;
  }

  /** Keys that come before the start topic is read begin with nothing; tries until one is late. */
  private static String awaitGlobal(Topic predictions) throws Exception {
    Map<String, Long> versions = new HashMap<>();
    String[] found = {""};
    Waiting.until(
        "a key that begins with the global learner",
        () -> {
          String key = "k" + versions.size();
          produce("own", rows(key, 1));
          Waiting.until("a prediction", () -> predictions.poll().size() > versions.size());
          JsonNode prediction = JSON.readTree(predictions.poll().get(versions.size()).value());
          versions.put(key, prediction.path("version").asLong());
          found[0] = key;
          return versions.get(key) == 1500;
        });
    return found[0];
  }

  private static void checkGoesOn(
      List<ConsumerRecord<byte[], byte[]>> predictions, String key, Learner global)
      throws Exception {
    Learner plain = Learner.fromBytes(global.toBytes());
    int seen = 0;
    for (ConsumerRecord<byte[], byte[]> record : predictions) {
      JsonNode prediction = JSON.readTree(record.value());
      if (prediction.path("key").asText().equals(key)) {
        int i = seen == 0 ? 0 : seen - 1;
        FeatureVector x = FeatureVector.dense(Double.parseDouble("0." + i), 0.7, 0.1);
        String expected = TestStream.CLASSES.get((int) plain.predictThenLearn(x, 0, 1));
        assertEquals(expected, prediction.path("prediction").asText(), prediction.toString());
        seen++;
      }
    }
    assertEquals(11, seen);
  }

  @Test
  void labelsThatComeApartAreJoinedAndTheRestIsNamed() throws Exception {
    broker.topics("points", "verdicts", "joined-models", "joined-bad");
    Map<String, String> points = new TreeMap<>();
    Map<String, String> verdicts = new TreeMap<>();
    for (int i = 0; i < 500; i++) {
      String id = "%04d".formatted(i);
      String[] cells = TestStream.line(i).split("[ :]");
      points.put(id, "%s,%s,%s,%s,%d".formatted(id, cells[2], cells[4], cells[6], 1000L * i));
      if (i % 10 != 3) {
        verdicts.put(id, "%s,%s,%d".formatted(id, cells[0], 1000L * i + 5));
      }
    }
    verdicts.put("9999", "nobody,1,250000");
    produce("points", points);
    produce("verdicts", verdicts);
    cluster.await(
        submit(
            """
            name: joined
            input:
              {topic: points, until: latest, format: csv, columns: [id, a, b, c, at], id: id, time: at,
               idle: 1h}
            labels:
              {topic: verdicts, until: latest, format: csv, columns: [id, y, at], id: id, label: y,
               time: at, within: 1m, idle: 1h}
            learner: {classes: ["1", "-1"], budget: 30, estimation: 200}
            publish: {every: 1000}
            output: {models: joined-models, bad-records: joined-bad}
            """));
    try (Topic models = new Topic(broker.address(), "joined-models");
        Topic bad = new Topic(broker.address(), "joined-bad")) {
      Waiting.until("a model", () -> !models.poll().isEmpty());
      assertEquals("450", Topic.header(models.poll().get(0), "instances"));
      Waiting.until("51 bad records", () -> bad.poll().size() >= 51);
      Map<String, Integer> reasons = new TreeMap<>();
      bad.poll().forEach(record -> reasons.merge(Topic.header(record, "reason"), 1, Integer::sum));
      assertEquals(
          Map.of("no label came in time", 50, "a label without an open example", 1), reasons);
      assertTrue(bad.poll().stream().allMatch(record -> record.value() != null));
    }
  }

  @Test
  void labelsAreAskedForInTheAnswers() throws Exception {
    broker.topics("open", "open-predictions", "open-bad");
    Map<String, String> rows = new TreeMap<>();
    for (int i = 0; i < 40; i++) {
      String label = i % 4 == 0 ? ",\"y\":\"1\"" : "";
      rows.put("%02d".formatted(i), "{\"a\":0.%d,\"b\":0.7%s}".formatted(i + 10, label));
    }
    produce("open", rows);
    cluster.await(
        submit(
            """
            name: open
            mode: keyed
            input: {topic: open, until: latest, format: jsonl, columns: [a, b, y], label: y}
            learner: {classes: ["1", "-1"], budget: 30, estimation: 200}
            output: {predictions: open-predictions, bad-records: open-bad, label-share: 0.01}
            """));
    try (Topic predictions = new Topic(broker.address(), "open-predictions");
        Topic bad = new Topic(broker.address(), "open-bad")) {
      Waiting.until("predictions", () -> predictions.poll().size() >= 40);
      int wanted = 0;
      for (ConsumerRecord<byte[], byte[]> record : predictions.poll()) {
        JsonNode one = JSON.readTree(record.value());
        assertEquals(one.has("label"), !one.has("wants_label"), one.toString());
        wanted += one.path("wants_label").asBoolean() ? 1 : 0;
      }
      assertTrue(wanted >= 15 && wanted < 30, wanted + " of 30");
      assertEquals(0, bad.poll().size());
    }
  }
}
