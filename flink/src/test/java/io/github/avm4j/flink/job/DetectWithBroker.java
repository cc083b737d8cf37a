// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.flink.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.avm4j.detector.Detector;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.fixtures.KafkaBroker;
import io.github.avm4j.fixtures.Topic;
import io.github.avm4j.fixtures.Waiting;
import io.github.avm4j.pipeline.RowDetector;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;

/** Readings of a topic are judged; feedback on one of them changes the detection. */
final class DetectWithBroker implements AutoCloseable {
  static final List<String> TOPICS =
      List.of("readings", "anomaly-feedback", "alarms", "judged", "detectors", "unreadable");
  static final String JOB =
      """
      name: pump
      mode: detect
      detector: {alarm: 0.02, budget: 60}
      input: {topic: readings, columns: [id, load, heat], id: id}
      labels: {topic: anomaly-feedback, columns: [load, heat, anomalous], label: anomalous}
      publish: {every: 300}
      output: {alarms: alarms, detections: judged, models: detectors, bad-records: unreadable}
      """;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int ROWS = 600;
  private static final FeatureVector ODD = FeatureVector.dense(0.5, 9);

  private final KafkaProducer<byte[], byte[]> producer;
  private final Topic detections;
  private final Topic alarms;
  private final Topic models;
  private final Topic bad;

  /** Reads the topics, which exist. */
  DetectWithBroker(KafkaBroker broker) {
    producer = Topic.producer(broker.address());
    detections = new Topic(broker.address(), "judged");
    alarms = new Topic(broker.address(), "alarms");
    models = new Topic(broker.address(), "detectors");
    bad = new Topic(broker.address(), "unreadable");
  }

  private static FeatureVector row(int i) {
    SplittableRandom random = new SplittableRandom(i);
    double load = random.nextDouble();
    return i % 100 == 99 ? ODD : FeatureVector.dense(load, load + 0.1 * random.nextDouble());
  }

  private void send(String topic, String value) {
    var unused = producer.send(Topic.record(topic, "", value));
  }

  private void read(String id, FeatureVector x) {
    String json = "{\"id\": \"%s\", \"load\": %s, \"heat\": %s}";
    send("readings", json.formatted(id, x.get(0), x.get(1)));
  }

  private void say(FeatureVector x, String anomalous) {
    String json = "{\"load\": %s, \"heat\": %s, \"anomalous\": %s}";
    send("anomaly-feedback", json.formatted(x.get(0), x.get(1), anomalous));
  }

  private static JsonNode json(ConsumerRecord<byte[], byte[]> record) throws Exception {
    return JSON.readTree(record.value());
  }

  /** While the job runs. */
  void check() throws Exception {
    for (int i = 0; i < ROWS; i++) {
      read(Integer.toString(i), row(i));
    }
    Waiting.until("all detections", () -> detections.poll().size() >= ROWS);
    Waiting.until("two versions", () -> models.poll().size() >= 2);
    Detector plain = isWhatAPlainLoopSays();
    assertTrue(plain.isAlarm(plain.pValue(ODD)));
    say(ODD, "\"perhaps\"");
    say(ODD, "false");
    Waiting.until("a bad record", () -> !bad.poll().isEmpty());
    assertTrue(Topic.header(bad.poll().get(0), "reason").contains("'perhaps' is not among"));
    int[] more = {ROWS};
    Waiting.until(
        "no alarm any more",
        () -> {
          read("again", ODD);
          more[0]++;
          Waiting.until("a detection", () -> detections.poll().size() >= more[0]);
          return !json(detections.poll().get(more[0] - 1)).path("alarm").asBoolean();
        });
  }

  private Detector isWhatAPlainLoopSays() throws Exception {
    StreamConfig job = StreamConfig.parse(JOB + "kafka: {bootstrap.servers: b}", null);
    Detector plain = Detector.fromBytes(job.start().file());
    List<ConsumerRecord<byte[], byte[]>> all = detections.poll();
    int raised = 0;
    for (int i = 0; i < ROWS; i++) {
      JsonNode detection = json(all.get(i));
      assertEquals(Integer.toString(i), detection.path("id").asText());
      double p = plain.detectThenLearn(row(i));
      assertEquals(p, detection.path("p_value").asDouble(), detection.toString());
      assertEquals(plain.isAlarm(p), detection.path("alarm").asBoolean());
      raised += plain.isAlarm(p) ? 1 : 0;
    }
    int expected = raised;
    Waiting.until("the alarms", () -> alarms.poll().size() >= expected);
    assertTrue(raised >= 4, raised + " alarms");
    assertEquals(raised, alarms.poll().size());
    assertTrue(json(alarms.poll().get(0)).path("features").size() > 0);
    RowDetector published = RowDetector.read(models.poll().get(1).value());
    assertEquals(ROWS, published.detector().instances());
    assertEquals("heat", published.schema().featureName(1));
    return plain;
  }

  @Override
  public void close() {
    producer.close();
    detections.close();
    alarms.close();
    models.close();
    bad.close();
  }
}
