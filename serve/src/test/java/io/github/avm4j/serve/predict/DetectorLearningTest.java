// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.predict;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.avm4j.Avm;
import io.github.avm4j.detector.Detector;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.pipeline.RowDetector;
import io.github.avm4j.serve.RunningServer;
import io.github.avm4j.serve.TestModels;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A served detector that learns the rows it judges, and what people say of them. */
class DetectorLearningTest {
  private static final String[] BEARER = {"authorization", "Bearer " + RunningServer.TOKEN};
  private static final String LEARN = "/v1/detect?learn=true";
  private static final String FEEDBACK = "/v1/detect/feedback?anomalous=";

  @TempDir Path folder;
  @TempDir Path elsewhere;

  @BeforeEach
  void detector() throws Exception {
    Avm.save(TestModels.vectors(1).toBytes(), folder.resolve("v.avm"));
  }

  private RunningServer serve(String... more) throws Exception {
    Path tokens = Files.writeString(elsewhere.resolve("tokens"), RunningServer.TOKEN_FILE);
    List<String> flags = new ArrayList<>(List.of("--learn=" + folder, "--token-file=" + tokens));
    flags.addAll(List.of(more));
    return new RunningServer(null, flags.toArray(String[]::new));
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

  /** What was learned is used a moment later. */
  private static void awaitAlarm(RunningServer server, String row, boolean expected)
      throws Exception {
    RunningServer.await(row, () -> isAlarm(server, row) == expected);
  }

  private static void awaitInstances(RunningServer server, long expected) throws Exception {
    RunningServer.await(expected + " rows", () -> instances(server) == expected);
  }

  @Test
  void nothingChangesWithoutATokenAndAFolder() throws Exception {
    try (RunningServer server = new RunningServer(folder)) {
      for (String path : List.of(LEARN, FEEDBACK + "true")) {
        HttpResponse<String> reply = server.post(path, "[1, 1]", BEARER);
        assertEquals(503, reply.statusCode());
        assertTrue(reply.body().contains("start the server with --learn FOLDER"), reply.body());
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
      assertEquals(404, server.post("/v1/learn", "[1, 1]", BEARER).statusCode());
      ok(server.post("/v1/detect", "[1, 1]"));
      assertEquals(1000, instances(server));
    }
    assertArrayEquals(
        TestModels.vectors(1).toBytes(),
        Files.readAllBytes(folder.resolve("v.avm")),
        "nothing was learned, nothing is saved");
  }

  @Test
  void callersOfThisMachineTeachWithoutATokenAndPagesOfOtherSitesDoNot() throws Exception {
    try (RunningServer server = new RunningServer(null, "--learn=" + folder)) {
      ok(server.post(LEARN, "[1, 1]"));
      assertEquals(403, server.post(LEARN, "[1, 1]", "origin", "http://evil").statusCode());
      awaitInstances(server, 1001);
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
        awaitInstances(server, alone.instances());
        assertTrue(server.log().contains("\"action\":\"learn\",\"caller\""), server.log());
      }
    }
    assertArrayEquals(
        new RowDetector(TestModels.vectors(1).schema(), alone).toBytes(),
        Files.readAllBytes(folder.resolve("v.avm")));
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
      awaitAlarm(server, "[30, 30]", false);
      awaitAlarm(server, "[0, 0]", true);
      String metrics = server.get("/metrics").body();
      assertTrue(metrics.contains("avm_detector_labels_total{model=\"v\"} 3.0"), metrics);
    }
    try (RunningServer server = serve()) {
      assertFalse(isAlarm(server, "[30, 30]"));
      assertTrue(isAlarm(server, "[0, 0]"));
    }
  }

  @Test
  void twoDetectorsLearnEachTheirOwn() throws Exception {
    Files.copy(folder.resolve("v.avm"), folder.resolve("w.avm"));
    try (RunningServer server = serve()) {
      assertEquals(400, server.post(LEARN, "[1, 1]", BEARER).statusCode(), "which?");
      ok(server.post(LEARN + "&model=w", "[[1, 1], [2, 2]]", BEARER));
      ok(server.post(LEARN + "&model=v", "[1, 1]", BEARER));
    }
    for (String name : List.of("v", "w")) {
      assertEquals(
          name.equals("v") ? 1001 : 1002,
          RowDetector.read(folder.resolve(name + ".avm")).detector().instances());
    }
  }

  @Test
  void aDamagedFileIsNamed() throws Exception {
    try (RunningServer server = serve()) {
      ok(server.post(LEARN, "[1, 1]", BEARER));
    }
    Files.copy(folder.resolve("v.avm"), folder.resolve("w.avm"));
    Path saved = folder.resolve("v.avm");
    assertEquals(1001, RowDetector.read(saved).detector().instances());
    byte[] bytes = Files.readAllBytes(saved);
    bytes[bytes.length / 2] ^= 4;
    Files.write(saved, bytes);
    IOException refused = assertThrows(IOException.class, this::serve);
    assertTrue(refused.getMessage().startsWith(saved + ": not a detector"), refused::getMessage);
  }
}
