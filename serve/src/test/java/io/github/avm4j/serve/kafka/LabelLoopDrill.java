// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.fixtures.KafkaBroker;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.pipeline.RowModel;
import io.github.avm4j.serve.RunningServer;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * The whole loop: the server marks predictions, labels of the marked ones alone come back over
 * {@code /v1/feedback}, a learner reads them from the topic and publishes its next version, which
 * the server predicts with from then on.
 */
final class LabelLoopDrill {
  private static final double SHARE = 0.1;
  private static final int ROUNDS = 5;
  private static final int ROWS = 400;
  private static final String MODELS = "asked-models";
  private static final String LABELS = "asked-labels";

  private final KafkaBroker broker;
  private final KafkaProducer<byte[], byte[]> producer;
  private final Path tokens;
  private final Random random = new Random(11);
  private final AutoLearner learner = Avm.classifier().features(2).labels(0, 1).build();
  private final Map<String, FeatureVector> rows = new HashMap<>();

  LabelLoopDrill(KafkaBroker broker, KafkaProducer<byte[], byte[]> producer, Path tokens) {
    this.broker = broker;
    this.producer = producer;
    this.tokens = tokens;
  }

  void run() throws Exception {
    broker.topics(MODELS, LABELS);
    for (int t = 0; t < 30; t++) {
      FeatureVector x = row();
      learner.learn(x, label(x));
    }
    publish(1);
    try (RunningServer server =
            new RunningServer(
                null,
                "--kafka=" + broker.address(),
                "--model-topic=" + MODELS,
                "--label-topic=" + LABELS,
                "--token-file=" + tokens,
                "--label-share=" + SHARE);
        KafkaConsumer<String, String> labels = consumer()) {
      List<Integer> mistakes = new ArrayList<>();
      List<String> asked = new ArrayList<>();
      for (int round = 1; round <= ROUNDS; round++) {
        String version = Integer.toString(round);
        RunningServer.await("version " + version, () -> version(server).equals(version));
        List<String> marked = new ArrayList<>();
        mistakes.add(predict(server, marked));
        tell(server, marked);
        assertEquals(marked, learn(labels, marked.size()), "labels in the topic");
        asked.addAll(marked);
        publish(round + 1);
      }
      int seen = ROUNDS * ROWS;
      double most = Math.max(150 + 0.85 * SHARE * (seen - 150), SHARE * seen);
      assertTrue(asked.size() <= most && asked.size() > 200, asked.size() + " of " + seen);
      assertEquals(30 + asked.size(), learner.instances());
      assertTrue(mistakes.get(ROUNDS - 1) < mistakes.get(0) / 2, "mistakes " + mistakes);
      String returned = "avm_model_labels_returned_total{model=\"asked\"} " + (double) asked.size();
      RunningServer.await(returned, () -> server.get("/metrics").body().contains(returned));
    }
  }

  private FeatureVector row() {
    return FeatureVector.dense(
        Math.rint(random.nextGaussian() * 1e3) / 1e3, Math.rint(random.nextGaussian() * 1e3) / 1e3);
  }

  private static int label(FeatureVector x) {
    return x.get(0) * x.get(1) > 0 ? 1 : 0;
  }

  private static String version(RunningServer server) throws Exception {
    JsonNode models = RunningServer.json(server.get("/v1/models")).path("models");
    return models.path(0).path("version").asText();
  }

  /** The number of mistakes; {@code marked} gets the ids that want a label. */
  private int predict(RunningServer server, List<String> marked) throws Exception {
    List<FeatureVector> batch = new ArrayList<>();
    StringBuilder body = new StringBuilder();
    for (int r = 0; r < ROWS; r++) {
      FeatureVector x = row();
      batch.add(x);
      body.append(r == 0 ? "[" : ",").append("[" + x.get(0) + "," + x.get(1) + "]");
    }
    HttpResponse<String> reply = server.post("/v1/predict", body.append("]").toString());
    JsonNode answers = RunningServer.json(reply).path("predictions");
    int mistakes = 0;
    for (int r = 0; r < ROWS; r++) {
      JsonNode answer = answers.path(r);
      boolean one = answer.path("prediction").asText().equals("yes");
      mistakes += one == (label(batch.get(r)) == 1) ? 0 : 1;
      if (answer.path("wants_label").asBoolean()) {
        marked.add(answer.path("id").asText());
        rows.put(answer.path("id").asText(), batch.get(r));
      }
    }
    return mistakes;
  }

  private void tell(RunningServer server, List<String> marked) throws Exception {
    StringBuilder body = new StringBuilder("[");
    for (String id : marked) {
      String label = label(rows.get(id)) == 1 ? "yes" : "no";
      body.append(body.length() > 1 ? "," : "")
          .append("{\"id\": \"%s\", \"label\": \"%s\"}".formatted(id, label));
    }
    String all = body.append("]").toString();
    HttpResponse<String> stored =
        server.post("/v1/feedback", all, "authorization", "Bearer " + RunningServer.TOKEN);
    assertEquals(202, stored.statusCode(), stored.body());
  }

  private KafkaConsumer<String, String> consumer() {
    KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(
            broker.properties(), new StringDeserializer(), new StringDeserializer());
    TopicPartition partition = new TopicPartition(LABELS, 0);
    consumer.assign(List.of(partition));
    consumer.seekToBeginning(List.of(partition));
    return consumer;
  }

  /** Learns from the next labels of the topic; their ids, in order. */
  private List<String> learn(KafkaConsumer<String, String> labels, int count) throws Exception {
    List<String> ids = new ArrayList<>();
    for (int polls = 0; ids.size() < count && polls < 30; polls++) {
      for (ConsumerRecord<String, String> record : labels.poll(Duration.ofSeconds(1))) {
        ids.add(record.key());
        String label = new ObjectMapper().readTree(record.value()).path("label").asText();
        learner.learn(rows.get(record.key()), label.equals("yes") ? 1 : 0);
      }
    }
    return ids;
  }

  private void publish(int version) throws Exception {
    RowModel model = new RowModel(Schema.numbered(), "", List.of("no", "yes"), learner.snapshot());
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(MODELS, bytes("asked"), model.toBytes());
    record.headers().add("version", bytes(Integer.toString(version)));
    record.headers().add("lineage", bytes("0193f1c2-0000-7000-8000-000000000002"));
    producer.send(record).get();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
