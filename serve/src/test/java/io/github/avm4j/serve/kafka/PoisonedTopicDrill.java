// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.avm4j.serve.RunningServer;
import io.github.avm4j.serve.TestModels;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * Poisoned labels make a job publish a bad version to the topic of models. The server tries it on
 * its share of the requests, true labels come back over {@code /v1/feedback}, and it is reverted
 * within the labels of a trial. Every request succeeds and every label is in the topic of labels
 * once.
 */
final class PoisonedTopicDrill {
  private static final int SHARE = 20;
  private static final int LABELS = 100;
  private static final String MODELS = "tried-models";
  private static final String FEEDBACK = "tried-labels";

  private final KafkaBroker broker;
  private final KafkaProducer<byte[], byte[]> producer;
  private final Path tokens;
  private final Random random = new Random(7);
  private final List<String> labelled = new ArrayList<>();

  PoisonedTopicDrill(KafkaBroker broker, KafkaProducer<byte[], byte[]> producer, Path tokens) {
    this.broker = broker;
    this.producer = producer;
    this.tokens = tokens;
  }

  void run() throws Exception {
    broker.topic(MODELS);
    broker.topic(FEEDBACK);
    publish(1, false);
    try (RunningServer server =
        new RunningServer(
            null,
            "--kafka=" + broker.address(),
            "--model-topic=" + MODELS,
            "--feedback-topic=" + FEEDBACK,
            "--token-file=" + tokens,
            "--canary=" + SHARE,
            "--canary-labels=" + LABELS)) {
      RunningServer.await("version 1", () -> state(server).path("version").asText().equals("1"));
      publish(2, true);
      awaitTrial(server, "2");
      int bad = 0;
      int requests = 0;
      while (state(server).has("on_trial")) {
        bad += request(server).equals("2") ? 1 : 0;
        assertTrue(++requests <= LABELS, "not reverted within " + LABELS + " labels");
      }
      assertTrue(bad <= requests * SHARE / 100 * 2 + 3, bad + " of " + requests);
      assertEquals("1", state(server).path("version").asText());
      String reason = state(server).path("discarded").path(0).path("reason").asText();
      assertTrue(reason.contains("reverted: after " + requests + " labels"), reason);
      publish(3, false);
      awaitTrial(server, "3");
      for (int k = 0; k < LABELS; k++) {
        assertTrue(!request(server).equals("2"), "a reverted version predicts");
      }
      assertEquals("3", state(server).path("version").asText(), server.log());
    }
    assertEquals(labelled, stored());
  }

  private void publish(int version, boolean poisoned) throws Exception {
    byte[] file = TestModels.sums(poisoned, version).toBytes();
    ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(MODELS, bytes("sums"), file);
    record.headers().add("version", bytes(Integer.toString(version)));
    record.headers().add("lineage", bytes("0193f1c2-0000-7000-8000-000000000001"));
    producer.send(record).get();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void awaitTrial(RunningServer server, String version) throws Exception {
    RunningServer.await(
        "a trial of " + version, () -> state(server).path("on_trial").asText().equals(version));
  }

  private static JsonNode state(RunningServer server) throws Exception {
    return RunningServer.json(server.get("/v1/models")).path("models").path(0);
  }

  /** The version that predicted; its true label is stored before this returns. */
  private String request(RunningServer server) throws Exception {
    double a = Math.rint(random.nextGaussian() * 1e3) / 1e3;
    double b = Math.rint(random.nextGaussian() * 1e3) / 1e3;
    HttpResponse<String> reply = server.post("/v1/predict", "[" + a + ", " + b + "]");
    assertEquals(200, reply.statusCode(), reply.body());
    JsonNode prediction = RunningServer.json(reply);
    String id = prediction.path("id").asText();
    HttpResponse<String> stored =
        server.post(
            "/v1/feedback",
            "{\"id\": \"%s\", \"label\": \"%s\"}".formatted(id, a + b > 0 ? "yes" : "no"),
            "authorization",
            "Bearer " + RunningServer.TOKEN);
    assertEquals(202, stored.statusCode(), stored.body());
    labelled.add(id);
    return prediction.path("version").asText();
  }

  /** The ids of all labels in the topic, in order. */
  private List<String> stored() {
    List<String> ids = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(
            broker.properties(), new StringDeserializer(), new StringDeserializer())) {
      TopicPartition partition = new TopicPartition(FEEDBACK, 0);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end = consumer.endOffsets(List.of(partition)).get(partition);
      while (consumer.position(partition) < end) {
        consumer.poll(Duration.ofSeconds(1)).forEach(record -> ids.add(record.key()));
      }
    }
    return ids;
  }
}
