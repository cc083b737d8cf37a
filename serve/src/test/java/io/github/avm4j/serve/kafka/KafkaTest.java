// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.avm4j.fixtures.KafkaBroker;
import io.github.avm4j.serve.RunningServer;
import io.github.avm4j.serve.TestModels;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Models from a topic and feedback to one, with a real broker that dies and comes back. */
class KafkaTest {
  @TempDir Path folder;

  private final Instant made =
      Instant.now().minus(Duration.ofHours(1)).truncatedTo(ChronoUnit.MILLIS);

  private void publish(KafkaProducer<byte[], byte[]> producer, String version, byte[] file)
      throws Exception {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(
            "models", null, made.toEpochMilli(), "m".getBytes(StandardCharsets.UTF_8), file);
    record.headers().add("version", version.getBytes(StandardCharsets.UTF_8));
    producer.send(record).get();
  }

  private static JsonNode all(RunningServer server) throws Exception {
    return RunningServer.json(server.get("/v1/models"));
  }

  private static String version(RunningServer server) throws Exception {
    return all(server).path("models").path(0).path("version").asText();
  }

  @Test
  void modelsComeAndFeedbackGoes() throws Exception {
    Path tokens = Files.writeString(folder.resolve("tokens"), RunningServer.TOKEN_FILE);
    Path home = Files.createDirectory(folder.resolve("kafka"));
    try (KafkaBroker broker = new KafkaBroker(home)) {
      broker.topics("models", "feedback");
      try (KafkaProducer<byte[], byte[]> producer =
              new KafkaProducer<>(
                  broker.properties(), new ByteArraySerializer(), new ByteArraySerializer());
          RunningServer server =
              new RunningServer(
                  null,
                  "--kafka=" + broker.address(),
                  "--model-topic=models",
                  "--label-topic=feedback",
                  "--token-file=" + tokens)) {
        models(producer, server);
        feedback(broker, server);
        predictionsAreScored(server);
        new LabelLoopDrill(broker, producer, tokens).run();
        brokerGone(broker, producer, server);
        new PartedTopicDrill(producer, server).run();
      }
    }
  }

  private void models(KafkaProducer<byte[], byte[]> producer, RunningServer server)
      throws Exception {
    publish(producer, "41", TestModels.numbered(2, 10, 1).toBytes());
    RunningServer.await("41", () -> version(server).equals("41"));
    publish(producer, "42", "rubbish".getBytes(StandardCharsets.UTF_8));
    publish(producer, "none", TestModels.numbered(2, 10, 2).toBytes());
    RunningServer.await("refusals", () -> server.server().repository().refusals() == 2);
    assertEquals("41", version(server));
    publish(producer, "43", TestModels.numbered(2, 10, 3).toBytes());
    RunningServer.await("43", () -> version(server).equals("43"));
    JsonNode newest = all(server).path("models").path(0).path("versions").path(1);
    assertEquals(made.toString(), newest.path("made").asText());
  }

  private static HttpResponse<String> tell(RunningServer server, String body) throws Exception {
    return server.post(
        "/v1/feedback",
        body,
        "authorization",
        "Bearer " + RunningServer.TOKEN,
        "traceparent",
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
  }

  private static void feedback(KafkaBroker broker, RunningServer server) throws Exception {
    HttpResponse<String> stored = tell(server, "{\"id\": \"a/1\", \"label\": \"yes\"}");
    assertEquals(202, stored.statusCode(), stored.body());
    assertEquals(400, tell(server, "{\"id\": \"a/1\"}").statusCode());
    assertEquals(400, tell(server, "{\"label\": 1, \"x\": 2}").statusCode());
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            broker.properties(), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      TopicPartition partition = new TopicPartition("feedback", 0);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      ConsumerRecord<byte[], byte[]> first =
          consumer.poll(Duration.ofMinutes(5)).records(partition).get(0);
      assertEquals("a/1", new String(first.key(), StandardCharsets.UTF_8));
      JsonNode value = new ObjectMapper().readTree(first.value());
      assertEquals("yes", value.path("label").asText());
      assertTrue(value.path("time").asLong() > 0);
      assertEquals(55, first.headers().lastHeader("traceparent").value().length);
    }
  }

  private static void predictionsAreScored(RunningServer server) throws Exception {
    String rows = "[[1, 2], [2, 1], [0, 0]]";
    JsonNode reply = RunningServer.json(server.post("/v1/predict", rows, "x-request-id", "day-1"));
    // A stranger's request of the same name replaces nothing.
    server.post("/v1/predict", "[[2, 1], [2, 1], [2, 1]]", "x-request-id", "day-1");
    String id = reply.path("id").asText();
    JsonNode predictions = reply.path("predictions");
    String right = predictions.path(0).path("prediction").asText();
    String wrong = predictions.path(1).path("prediction").asText() + "!";
    String body =
        ("[{\"id\": \"order-1\", \"prediction_id\": \"%s/0\", \"label\": \"%s\"},"
                + "{\"id\": \"%s/1\", \"label\": \"%s\"}]")
            .formatted(id, right, id, wrong);
    HttpResponse<String> stored = tell(server, body);
    assertEquals(202, stored.statusCode(), stored.body());
    assertEquals(2, RunningServer.json(stored).path("stored").asInt());
    JsonNode feedback = all(server).path("models").path(0).path("feedback");
    assertEquals(2, feedback.path("judged").asInt());
    assertEquals(0.5, feedback.path("error").asDouble());
    assertEquals(400, tell(server, "[{\"id\": \"x\", \"label\": 1}, 7]").statusCode());
    String metrics = server.get("/metrics").body();
    assertTrue(metrics.contains("avm_model_judged_total{model=\"m\"} 2"), metrics);
    assertTrue(metrics.contains("avm_model_loss_total{model=\"m\"} 1"), metrics);
    assertTrue(metrics.contains("avm_feedback_unmatched_total 1"), "the label of a/1");
  }

  private void brokerGone(
      KafkaBroker broker, KafkaProducer<byte[], byte[]> producer, RunningServer server)
      throws Exception {
    broker.kill();
    HttpResponse<String> lost =
        tell(server, "[{\"id\": \"b\", \"label\": 1}, {\"id\": \"d\", \"label\": 1}]");
    assertEquals(503, lost.statusCode(), lost.body());
    assertTrue(lost.body().contains("not stored"), lost.body());
    RunningServer.await(
        "the report", () -> !all(server).path("sources").path(0).path("problem").isNull());
    assertEquals(200, server.post("/v1/predict", "[1, 2]").statusCode());
    broker.start();
    publish(producer, "44", TestModels.numbered(2, 10, 4).toBytes());
    RunningServer.await("44", () -> version(server).equals("44"));
    RunningServer.await(
        "feedback again", () -> tell(server, "{\"id\": \"c\", \"label\": 1}").statusCode() == 202);
  }
}
