// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.predict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.avm4j.Avm;
import io.github.avm4j.detector.Detector;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.pipeline.RowDetector;
import io.github.avm4j.serve.RunningServer;
import io.github.avm4j.serve.TestModels;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A served detector that learns the rows it judges, and what people say of them. */
class DetectorLearningTest {
  private static final String[] BEARER = {"authorization", "Bearer " + RunningServer.TOKEN};
  private static final String LEARN = "/v1/detect?learn=true";
  private static final String FEEDBACK = "/v1/detect/feedback?anomalous=";

  @TempDir Path folder;
  @TempDir Path state;

  @BeforeEach
  void detector() throws Exception {
    Avm.save(TestModels.vectors(1).toBytes(), folder.resolve("v.avm"));
  }

  private RunningServer serve() throws Exception {
    return new RunningServer(folder, "--detector-state=" + state);
  }

  private static JsonNode ok(HttpResponse<String> response) throws Exception {
    assertEquals(200, response.statusCode(), response.body());
    return RunningServer.json(response);
  }

  private static long instances(RunningServer server) throws Exception {
    return ok(server.get("/v1/models")).path("detectors").get(0).path("instances").asLong();
  }

  private static boolean isAlarm(RunningServer server, String row) throws Exception {
    return ok(server.post("/v1/detect", row)).path("alarm").asBoolean();
  }

  @Test
  void nothingChangesWithoutATokenAndAFolder() throws Exception {
    try (RunningServer server = new RunningServer(folder)) {
      for (String path : List.of(LEARN, FEEDBACK + "true")) {
        HttpResponse<String> reply = server.post(path, "[1, 1]", BEARER);
        assertEquals(503, reply.statusCode());
        assertTrue(reply.body().contains("start it with detector-state"), reply.body());
      }
    }
    try (RunningServer server = serve()) {
      assertEquals(401, server.post(LEARN, "[1, 1]").statusCode());
      assertEquals(401, server.post(FEEDBACK + "true", "[1, 1]").statusCode());
      // A stranger is not even told which detectors there are.
      assertEquals(401, server.post(LEARN + "&model=none", "[1, 1]").statusCode());
      assertEquals(401, server.post(FEEDBACK + "true&model=none", "[1, 1]").statusCode());
      assertEquals(400, server.post("/v1/detect/feedback", "[1, 1]", BEARER).statusCode());
      assertEquals(400, server.post(FEEDBACK + "maybe", "[1, 1]", BEARER).statusCode());
      assertEquals(400, server.post("/v1/detect?learn=yes", "[1, 1]", BEARER).statusCode());
      ok(server.post("/v1/detect", "[1, 1]"));
      assertEquals(1000, instances(server));
    }
    try (Stream<Path> files = Files.list(state)) {
      assertEquals(0, files.count(), "nothing was learned, nothing is saved");
    }
  }

  /** Bit for bit as the library learns, also over a restart. */
  @Test
  void learnsAsTheLibraryDoesAndGoesOnAfterARestart() throws Exception {
    Detector alone = TestModels.vectors(1).detector();
    for (int start = 0; start < 2; start++) {
      try (RunningServer server = serve()) {
        for (int k = 0; k < 20; k++) {
          double value = Math.sin(k + 20 * start);
          String rows = "[[%s, 0.5], [0.25, %s]]".formatted(value, value);
          JsonNode judged = ok(server.post(LEARN, rows, BEARER)).path("detections");
          assertEquals(
              alone.detectThenLearn(FeatureVector.dense(value, 0.5)),
              judged.get(0).path("p_value").asDouble());
          assertEquals(
              alone.detectThenLearn(FeatureVector.dense(0.25, value)),
              judged.get(1).path("p_value").asDouble());
        }
        assertEquals(alone.instances(), instances(server));
        assertTrue(server.log().contains("\"action\":\"learn\",\"caller\""), server.log());
        if (start == 0) { // a new time is no new detector
          Files.setLastModifiedTime(
              folder.resolve("v.avm"),
              java.nio.file.attribute.FileTime.fromMillis(1_600_000_000_000L));
          // It has looked at all files when it has seen the second of these.
          for (String name : List.of("n", "o")) {
            RunningServer.put(folder, name + ".avm", TestModels.numbered(2, 10, 1));
            RunningServer.await(name, () -> server.get("/v2/models/" + name).statusCode() == 200);
          }
          assertEquals(alone.instances(), instances(server));
        }
      }
    }
  }

  @Test
  void aRequestIsLearnedWholeOrNotAtAll() throws Exception {
    try (RunningServer server = serve()) {
      HttpResponse<String> reply = server.post(LEARN, "[[0, 0], [1, 1], [1, 2, 3]]", BEARER);
      assertEquals(400, reply.statusCode());
      assertTrue(reply.body().contains("row 2: it has 3 features"), reply.body());
      assertEquals(1000, instances(server));
      assertEquals(400, server.post(FEEDBACK + "true", "[[0, 0], [1]]", BEARER).statusCode());
      assertFalse(isAlarm(server, "[0, 0]"));
    }
  }

  @Test
  void feedbackChangesLaterJudgementsAndIsKept() throws Exception {
    try (RunningServer server = serve()) {
      assertTrue(isAlarm(server, "[30, 30]"));
      assertFalse(isAlarm(server, "[0, 0]"));
      assertEquals(
          2,
          ok(server.post(FEEDBACK + "false", "[[30, 30], [31, 30]]", BEARER))
              .path("taken")
              .asInt());
      ok(server.post(FEEDBACK + "true", "[0, 0]", BEARER));
      assertFalse(isAlarm(server, "[30, 30]"));
      assertTrue(isAlarm(server, "[0, 0]"));
      String metrics = server.get("/metrics").body();
      assertTrue(metrics.contains("avm_detector_labels_total{model=\"v\"} 3.0"), metrics);
    }
    try (RunningServer server = serve()) {
      assertFalse(isAlarm(server, "[30, 30]"));
      assertTrue(isAlarm(server, "[0, 0]"));
    }
    // A new file begins anew.
    Avm.save(TestModels.vectors(2).toBytes(), folder.resolve("v.avm"));
    try (RunningServer server = serve()) {
      assertTrue(isAlarm(server, "[30, 30]"));
    }
  }

  @Test
  void aDamagedStateIsToldAndNotUsed() throws Exception {
    try (RunningServer server = serve()) {
      ok(server.post(LEARN, "[1, 1]", BEARER));
    }
    Path saved;
    try (Stream<Path> files = Files.list(state)) {
      saved = files.findFirst().orElseThrow();
    }
    assertEquals(1001, RowDetector.read(Files.readAllBytes(saved)).detector().instances());
    byte[] bytes = Files.readAllBytes(saved);
    bytes[bytes.length / 2] ^= 4;
    Files.write(saved, bytes);
    try (RunningServer server = serve()) {
      assertEquals(1000, instances(server));
      assertTrue(server.log().contains("detector_state_refused"), server.log());
    }
  }
}
