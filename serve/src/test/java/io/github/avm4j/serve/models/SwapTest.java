// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.avm4j.pipeline.RowModel;
import io.github.avm4j.serve.RunningServer;
import io.github.avm4j.serve.TestModels;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Versions come, go and are chosen while the server runs. */
class SwapTest {
  @TempDir Path folder;

  private static JsonNode models(RunningServer server) throws Exception {
    return RunningServer.json(server.get("/v1/models")).path("models").path(0);
  }

  private static String version(RunningServer server) throws Exception {
    return models(server).path("version").asText();
  }

  @Test
  void aNewFileIsANewVersion() throws Exception {
    RunningServer.put(folder, "m-1.avm", TestModels.numbered(2, 10, 1));
    try (RunningServer server = new RunningServer(folder)) {
      assertEquals("1", version(server));
      RunningServer.put(folder, "m-2.avm", TestModels.numbered(2, 10, 2));
      RunningServer.await("version 2", () -> version(server).equals("2"));
      RunningServer.put(folder, "other.avm", TestModels.numbered(2, 10, 2));
      RunningServer.await("other", () -> server.get("/v2/models/other").statusCode() == 200);
    }
  }

  @Test
  void aRewrittenFileIsANewVersionToo() throws Exception {
    RunningServer.put(folder, "m.avm", TestModels.numbered(2, 10, 1));
    try (RunningServer server = new RunningServer(folder.resolve("m.avm"))) {
      assertEquals("1", version(server));
      RunningServer.put(folder, "m.avm", TestModels.numbered(2, 10, 2));
      RunningServer.await("version 2", () -> version(server).equals("2"));
      RunningServer.put(folder, "ignored.avm", TestModels.numbered(2, 10, 2));
      RunningServer.put(folder, "m.avm", TestModels.numbered(2, 10, 3));
      RunningServer.await("version 3", () -> version(server).equals("3"));
      assertEquals(404, server.get("/v2/models/ignored").statusCode());
    }
  }

  @Test
  void aBadVersionIsRefusedAndReportedAndTheOldOnePredicts() throws Exception {
    RowModel good = TestModels.numbered(2, 10, 1);
    RunningServer.put(folder, "m-1.avm", good);
    try (RunningServer server = new RunningServer(folder)) {
      byte[] damaged = TestModels.numbered(2, 10, 2).toBytes();
      damaged[damaged.length / 2] ^= 4;
      // At once: a file that is still being written would be refused a second time.
      Path whole = Files.write(folder.resolve("m-2.tmp"), damaged);
      Files.move(whole, folder.resolve("m-2.avm"), StandardCopyOption.ATOMIC_MOVE);
      RunningServer.await("the refusal", () -> models(server).has("refused"));
      assertEquals("1", version(server));
      assertTrue(models(server).path("refused").path("source").asText().endsWith("m-2.avm"));
      assertTrue(server.log().contains("model_refused"), server.log());
      assertTrue(server.get("/metrics").body().contains("avm_models_refused_total 1"));
      assertEquals(200, server.post("/v1/predict", "[1, 2]").statusCode());
      RunningServer.put(folder, "m-2.avm", TestModels.numbered(2, 10, 2));
      RunningServer.await("the mended version", () -> version(server).equals("2"));
      assertTrue(models(server).path("refused").isMissingNode());
    }
  }

  @Test
  void otherContentUnderAKnownNumberIsRefused() throws Exception {
    RunningServer.put(folder, "m-1.avm", TestModels.numbered(2, 10, 1));
    try (RunningServer server = new RunningServer(folder)) {
      RunningServer.put(folder, "m-1.avm", TestModels.numbered(2, 10, 2));
      RunningServer.await("the refusal", () -> models(server).has("refused"));
      assertTrue(models(server).path("refused").path("reason").asText().contains("new number"));
    }
  }

  @Test
  void rollBackStaysUntilToldOtherwise() throws Exception {
    for (int v = 1; v <= 3; v++) {
      RunningServer.put(folder, "m-" + v + ".avm", TestModels.numbered(2, 10, v));
    }
    try (RunningServer server = new RunningServer(folder, "--keep=2")) {
      assertEquals("3", version(server));
      String path = "/v1/models/m/version";
      assertEquals(401, server.post(path, "{\"version\": 2}").statusCode());
      String bearer = "Bearer " + RunningServer.TOKEN;
      assertEquals(
          404, server.post(path, "{\"version\": 1}", "authorization", bearer).statusCode());
      assertEquals(
          400, server.post(path, "{\"version\": -1}", "authorization", bearer).statusCode());
      HttpResponse<String> back = server.post(path, "{\"version\": 2}", "authorization", bearer);
      assertEquals(200, back.statusCode(), back.body());
      assertEquals("2", version(server));
      RunningServer.put(folder, "m-4.avm", TestModels.numbered(2, 10, 4));
      RunningServer.await(
          "4", () -> server.get("/v2/models/m/versions/4/ready").statusCode() == 200);
      assertEquals("2", version(server));
      assertEquals(
          200,
          server.post(path, "{\"version\": \"newest\"}", "authorization", bearer).statusCode());
      assertEquals("4", version(server));
    }
  }

  @Test
  void aFolderThatGoesAwayAndComesBack() throws Exception {
    Path inner = Files.createDirectory(folder.resolve("models"));
    RunningServer.put(inner, "m-1.avm", TestModels.numbered(2, 10, 1));
    try (RunningServer server = new RunningServer(inner)) {
      Path away = folder.resolve("away");
      Files.move(inner, away);
      RunningServer.await(
          "the report",
          () ->
              !RunningServer.json(server.get("/v1/models"))
                  .path("sources")
                  .path(0)
                  .path("problem")
                  .isNull());
      assertEquals(200, server.post("/v1/predict", "[1, 2]").statusCode());
      assertEquals(200, server.get("/v2/health/ready").statusCode());
      Files.move(away, inner);
      RunningServer.put(inner, "m-2.avm", TestModels.numbered(2, 10, 2));
      RunningServer.await("version 2", () -> version(server).equals("2"));
    }
  }

  @Test
  void nothingLoadedIsLiveButNotReady() throws Exception {
    try (RunningServer server = new RunningServer(folder)) {
      assertEquals(200, server.get("/v2/health/live").statusCode());
      assertEquals(503, server.get("/v2/health/ready").statusCode());
      assertEquals(503, server.post("/v1/predict", "[1]").statusCode());
    }
  }
}
