// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.predict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.pipeline.RowDetector;
import io.github.avm4j.serve.RunningServer;
import io.github.avm4j.serve.TestModels;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows judged by a served detector: what is said of them, to whom, and what is refused. */
class DetectTest {
  private static final String NORMAL = "{\"load\": 10, \"heat\": 20, \"site\": \"south\"}";
  private static final String SPIKE = "{\"load\": 10.5, \"heat\": 99, \"site\": \"north\"}";
  private static final String[] BEARER = {"authorization", "Bearer " + RunningServer.TOKEN};

  @TempDir Path folder;

  private RunningServer serve(String... flags) throws Exception {
    Avm.save(TestModels.plant(1).toBytes(), folder.resolve("plant-1.avm"));
    return new RunningServer(folder, flags);
  }

  private static JsonNode ok(HttpResponse<String> response) throws Exception {
    assertEquals(200, response.statusCode(), response.body());
    return RunningServer.json(response);
  }

  private static void refused(int status, String words, HttpResponse<String> response) {
    assertEquals(status, response.statusCode(), response.body());
    assertTrue(response.body().contains(words), response.body());
  }

  @Test
  void aSpikeIsAnAlarmAndANormalRowIsNone() throws Exception {
    try (RunningServer server = serve()) {
      assertEquals(200, server.get("/v2/health/ready").statusCode());
      JsonNode spike = ok(server.post("/v1/detect", SPIKE));
      assertTrue(spike.path("id").asText().length() >= 16, spike.toString());
      assertEquals("plant", spike.path("model").asText());
      assertEquals("1", spike.path("version").asText());
      assertEquals(0.01, spike.path("alarm_level").asDouble());
      assertTrue(spike.path("alarm").asBoolean(), spike.toString());
      assertTrue(spike.path("p_value").asDouble() <= 0.01, spike.toString());
      assertFalse(spike.has("features"), "explained only where asked");

      String rows = "[" + NORMAL + "," + SPIKE + "," + NORMAL.replace("heat", "hot") + "]";
      JsonNode all = ok(server.post("/v1/detect?model=plant", rows));
      assertEquals(3, all.path("detections").size());
      JsonNode normal = all.path("detections").get(0);
      assertFalse(normal.path("alarm").asBoolean(), normal.toString());
      assertTrue(normal.path("p_value").asDouble() > 0.05, normal.toString());
      assertEquals(spike.path("p_value"), all.path("detections").get(1).path("p_value"));
      assertTrue(spike.path("score").asDouble() > normal.path("score").asDouble(), all.toString());
      assertEquals("hot", all.path("unknown_columns").get(0).asText());
    }
  }

  @Test
  void theRateOfAlarmsIsTheRequests() throws Exception {
    try (RunningServer server = serve()) {
      double p = ok(server.post("/v1/detect", NORMAL)).path("p_value").asDouble();
      for (double level : new double[] {0.001, 0.2, 0.5}) {
        JsonNode judged = ok(server.post("/v1/detect?alarm=" + level, NORMAL));
        assertEquals(level, judged.path("alarm_level").asDouble());
        assertEquals(p <= level, judged.path("alarm").asBoolean(), judged.toString());
      }
      for (String level : List.of("0.0001", "0.6", "NaN", "often")) {
        refused(400, "alarm must be", server.post("/v1/detect?alarm=" + level, NORMAL));
      }
    }
  }

  @Test
  void whatAnAlarmIsDueTo() throws Exception {
    try (RunningServer server = serve()) {
      refused(401, "token", server.post("/v1/detect?explain=2", SPIKE));
      JsonNode spike = ok(server.post("/v1/detect?explain=2", SPIKE, BEARER));
      assertEquals(2, spike.path("features").size());
      JsonNode first = spike.path("features").get(0);
      assertEquals("heat", first.path("feature").asText());
      assertEquals(99, first.path("value").asDouble(), 1e-9);
      assertTrue(first.path("share").asDouble() > 0.8, spike.toString());
      assertEquals(20, first.path("expected").asDouble(), 2, spike.toString());
      assertEquals(2, spike.path("neighbours").size());
      JsonNode at = spike.path("neighbours").get(0).path("at");
      assertEquals(20, at.path("heat").asDouble(), 5, spike.toString());
      assertFalse(ok(server.post("/v1/detect?explain=2", NORMAL, BEARER)).has("features"));
      refused(400, "explain must be", server.post("/v1/detect?explain=21", SPIKE, BEARER));
    }
  }

  @Test
  void noMoreThanAHundredAlarmsAreExplained() throws Exception {
    try (RunningServer server = serve()) {
      String rows = "[" + String.join(",", java.util.Collections.nCopies(120, SPIKE)) + "]";
      JsonNode all = ok(server.post("/v1/detect?explain=1", rows, BEARER)).path("detections");
      assertTrue(all.get(99).has("features"));
      assertTrue(all.get(100).path("alarm").asBoolean());
      assertFalse(all.get(100).has("features"));
    }
  }

  @Test
  void wrongRequestsAreToldWhatIsWrong() throws Exception {
    Avm.save(TestModels.people(1).toBytes(), folder.resolve("people-1.avm"));
    try (RunningServer server = serve()) {
      refused(404, "loaded are [plant]", server.post("/v1/detect?model=pump", NORMAL));
      refused(400, "is a model: POST /v1/predict", server.post("/v1/detect?model=people", NORMAL));
      refused(400, "POST /v1/detect", server.post("/v1/predict?model=plant", NORMAL));
      refused(400, "none of the model's columns", server.post("/v1/detect", "{\"x\": 1}"));
      refused(400, "", server.post("/v1/detect", "[" + NORMAL + ", 7]"));
      refused(400, "empty", server.post("/v1/detect", ""));
      refused(
          413,
          "too many",
          new RunningServer(folder, "--max-rows=1"),
          "[" + NORMAL + "," + SPIKE + "]");
      assertEquals(200, server.post("/v1/predict", "{\"age\": 40}").statusCode());
    }
    Avm.save(TestModels.vectors(1).toBytes(), folder.resolve("vectors-1.avm"));
    try (RunningServer server = serve()) {
      refused(400, "several detectors are loaded", server.post("/v1/detect", NORMAL));
      String path = "/v1/detect?model=vectors";
      assertFalse(ok(server.post(path, "[0.1, 0]")).path("alarm").asBoolean());
      assertTrue(ok(server.post(path, "{\"2\": 50}")).path("alarm").asBoolean());
      refused(400, "row 1: it has 3 features", server.post(path, "[[1, 2], [1, 2, 3]]"));
      refused(400, "feature 3 is not known", server.post(path, "{\"3\": 1}"));
    }
  }

  private static void refused(int status, String words, RunningServer server, String body)
      throws Exception {
    try (server) {
      refused(status, words, server.post("/v1/detect", body));
    }
  }

  @Test
  void listsCountsAndHealth() throws Exception {
    try (RunningServer server = serve()) {
      assertEquals(200, server.post("/v1/detect", "[" + NORMAL + "," + SPIKE + "]").statusCode());
      JsonNode detector = ok(server.get("/v1/models")).path("detectors").get(0);
      assertEquals("plant", detector.path("name").asText());
      assertEquals(64, detector.path("core_points").asInt());
      assertEquals(3000, detector.path("instances").asInt());
      assertFalse(detector.path("learns").asBoolean());
      assertEquals(2, detector.path("judged").asInt());
      assertEquals(1, detector.path("alarms").asInt());
      assertEquals("heat", detector.path("columns").get(1).path("name").asText());
      String metrics = server.get("/metrics").body();
      String help = "# HELP avm_detector_alarms_total Rows judged to be alarms";
      assertTrue(metrics.contains(help), metrics);
      assertTrue(metrics.contains("avm_detector_rows_total{model=\"plant\"} 2.0"), metrics);
      assertTrue(metrics.contains("avm_detector_alarms_total{model=\"plant\"} 1.0"), metrics);
      assertTrue(metrics.contains("avm_detector_version{model=\"plant\"} 1.0"), metrics);
      assertTrue(metrics.contains("endpoint=\"detect\""), metrics);
    }
  }

  /** Copies of a detector judge at once what one of them judges alone. */
  @Test
  void manyThreadsGetTheSamePValues() throws Exception {
    RowDetector alone = TestModels.vectors(1);
    Avm.save(alone.toBytes(), folder.resolve("vectors-1.avm"));
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try (RunningServer server = new RunningServer(folder, "--max-queue-ms=10000")) {
      List<Future<JsonNode>> replies = new ArrayList<>();
      for (int k = 0; k < 80; k++) {
        String rows = "[[%s, 0], [0, %s]]".formatted(k / 10.0, -k / 10.0);
        replies.add(threads.submit(() -> ok(server.post("/v1/detect?explain=1", rows, BEARER))));
      }
      for (int k = 0; k < 80; k++) {
        JsonNode judged = replies.get(k).get().path("detections");
        double p = alone.detector().pValue(FeatureVector.dense(k / 10.0, 0));
        double q = alone.detector().pValue(FeatureVector.dense(0, -k / 10.0));
        assertEquals(p, judged.get(0).path("p_value").asDouble());
        assertEquals(q, judged.get(1).path("p_value").asDouble());
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
