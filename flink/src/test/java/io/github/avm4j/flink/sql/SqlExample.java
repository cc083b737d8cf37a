// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.fixtures.KafkaBroker;
import io.github.avm4j.fixtures.Topic;
import io.github.avm4j.follow.NewestModel;
import io.github.avm4j.follow.kafka.FollowedTopic;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.Model;
import io.github.avm4j.pipeline.RowLearner;
import io.github.avm4j.pipeline.RowModel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.types.Row;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** The statements of docs/sql.md, run against a broker. */
public final class SqlExample {
  private static final int EVENTS = 500;

  private SqlExample() {}

  private static Map<String, Object> event(int i) {
    SplittableRandom random = new SplittableRandom(i);
    Map<String, Object> event = new HashMap<>();
    event.put("amount", random.nextDouble(10));
    event.put("age", random.nextDouble(5));
    event.put("country", "c" + random.nextInt(3));
    return event;
  }

  private static String verdict(Map<String, Object> event, boolean inverse) {
    boolean large = (Double) event.get("amount") > 2 * (Double) event.get("age");
    return large != inverse ? "bad" : "good";
  }

  private static RowLearner learner() {
    return RowLearner.classifier(
            Schema.builder().number("amount").number("age").category("country").build())
        .build();
  }

  private static RowModel model(boolean inverse) {
    RowLearner learner = learner();
    for (int i = 0; i < 400; i++) {
      learner.learn(event(-i), verdict(event(-i), inverse));
    }
    return learner.snapshot();
  }

  private static void publish(KafkaProducer<byte[], byte[]> producer, int version, RowModel model)
      throws Exception {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(
            "models", "payments".getBytes(StandardCharsets.UTF_8), model.toBytes());
    byte[] text = Integer.toString(version).getBytes(StandardCharsets.UTF_8);
    record.headers().add("version", text);
    producer.send(record).get();
  }

  /** The first block of SQL of the page, for that broker, looking often for models. */
  private static List<String> statements(KafkaBroker broker) throws Exception {
    String page = Files.readString(Path.of("..", "docs", "sql.md"));
    int from = page.indexOf("```sql\n") + "```sql\n".length();
    String block = page.substring(from, page.indexOf("```", from));
    return List.of(
        block
            .replace("localhost:9092", broker.address())
            .replace("'topic' = 'models',", "'topic' = 'models', 'reload' = '50ms',")
            .strip()
            .split(";\\s*"));
  }

  /** Runs them. */
  public static void run(KafkaBroker broker) throws Exception {
    broker.topics("payments", "models");
    List<String> statements = statements(broker);
    SqlRun sql = new SqlRun("parallelism.default", "2");
    statements.subList(0, 3).forEach(sql::run);
    try (KafkaProducer<byte[], byte[]> producer = Topic.producer(broker.address())) {
      RowModel first = model(true);
      RowModel second = model(false);
      publish(producer, 1, first);
      send(producer);
      try (SqlRun.Rows rows = sql.stream(statements.get(3))) {
        for (int i = 0; i < EVENTS; i++) {
          Row row = rows.next();
          Map<String, Object> event = event((int) (long) (Long) row.getField("id"));
          assertEquals(first.predictClass(event).orElseThrow(), row.getField("prediction"));
        }
        publish(producer, 2, new RowModel(Schema.numbered(), "", List.of(), numbers()));
        publish(producer, 3, second);
        follows(rows, producer, second);
      }
    }
    try (SqlRun.Rows rows = sql.stream(statements.get(4))) {
      learns(rows);
    }
  }

  /** The file of the newest model in a topic as queries find it, whole or in parts. */
  public static byte[] newest(KafkaBroker broker, String topic, String name) throws Exception {
    NewestModel newest =
        new NewestModel(name, rows -> {}, new PredictRows.Told(new UnregisteredMetricsGroup()));
    Map<String, String> kafka = Map.of("bootstrap.servers", broker.address());
    try (FollowedTopic models = new FollowedTopic(topic, kafka, newest)) {
      models.poll();
    }
    return newest.get().rows().toBytes();
  }

  /** A model that does not fit. */
  private static Model numbers() {
    Learner learner = Avm.regressor().build();
    learner.learn(FeatureVector.dense(1, 2), 3);
    return learner.snapshot();
  }

  private static void send(KafkaProducer<byte[], byte[]> producer) {
    for (int i = 0; i < EVENTS; i++) {
      Map<String, Object> event = event(i);
      String json =
          "{\"id\": %d, \"amount\": %s, \"age\": %s, \"country\": \"%s\", \"verdict\": \"%s\"}"
              .formatted(
                  i,
                  event.get("amount"),
                  event.get("age"),
                  event.get("country"),
                  verdict(event, false));
      var unused = producer.send(Topic.record("payments", Integer.toString(i), json));
    }
    producer.flush();
  }

  /** Later rows are of the second model, which says the opposite. */
  private static void follows(
      SqlRun.Rows rows, KafkaProducer<byte[], byte[]> producer, RowModel second) {
    int agreed = 0;
    while (agreed < 50) {
      send(producer);
      for (int i = 0; i < EVENTS; i++) {
        Row row = rows.next();
        String expected =
            second.predictClass(event((int) (long) (Long) row.getField("id"))).orElseThrow();
        agreed = expected.equals(row.getField("prediction")) ? agreed + 1 : 0;
      }
    }
  }

  /** The first pass over the events is what a plain loop gives. */
  private static void learns(SqlRun.Rows rows) {
    RowLearner learner = learner();
    int wrong = 0;
    for (int i = 0; i < EVENTS; i++) {
      Map<String, Object> event = event(i);
      String verdict = verdict(event, false);
      Optional<String> expected = learner.predictClassThenLearn(event, verdict);
      wrong += expected.equals(Optional.of(verdict)) ? 0 : 1;
      Row row = rows.next();
      assertEquals((long) i, row.getField("id"));
      assertEquals(expected.orElse(null), row.getField("prediction"));
      assertEquals((double) wrong / (i + 1), row.getField("error"));
    }
  }
}
