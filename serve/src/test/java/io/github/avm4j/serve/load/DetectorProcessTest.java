// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.load;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.avm4j.Avm;
import io.github.avm4j.pipeline.RowDetector;
import io.github.avm4j.serve.RunningServer;
import io.github.avm4j.serve.ServeMain;
import io.github.avm4j.serve.TestModels;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A detector that was trained here, served by a process of its own, which learns and is stopped.
 */
class DetectorProcessTest {
  private static final String TOKEN = RunningServer.TOKEN;
  private static final String NORMAL = "{\"load\": 10, \"heat\": 20, \"site\": \"south\"}";
  private static final String SPIKE = "{\"load\": 10, \"heat\": 99, \"site\": \"south\"}";

  @TempDir Path folder;

  private static JsonNode post(int port, String path, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("authorization", "Bearer " + TOKEN)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> response =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    assertEquals(200, response.statusCode(), response.body());
    return new ObjectMapper().readTree(response.body());
  }

  /** Rows that were acknowledged are learned, whatever ends the process: to the last bit. */
  @Test
  void aSpikeIsFoundAndWhatWasAcknowledgedSurvivesKills() throws Exception {
    Path models = Files.createDirectory(folder.resolve("models"));
    Path tokens = Files.writeString(folder.resolve("tokens"), RunningServer.TOKEN_FILE);
    Path log = Files.createFile(folder.resolve("log"));
    RowDetector alone = TestModels.plant(1);
    Avm.save(alone.toBytes(), models.resolve("plant.avm"));
    String[] arguments = {"--port=0", "--token-file=" + tokens, "--learn=" + models};
    for (int k = 0; k < 2; k++) {
      try (ServerProcess server = new ServerProcess(log, ServeMain.class.getName(), arguments)) {
        JsonNode spike = post(server.port(), "/v1/detect?explain=1", SPIKE);
        assertTrue(spike.path("alarm").asBoolean(), spike.toString());
        assertEquals("heat", spike.path("features").get(0).path("feature").asText());
        for (int row = 0; row < 20; row++) {
          double load = 10 + Math.sin(row);
          String cells = "{\"load\": %s, \"heat\": 20, \"site\": \"south\"}".formatted(load);
          assertEquals(
              alone.detectThenLearn(Map.of("load", load, "heat", 20, "site", "south")),
              post(server.port(), "/v1/detect?learn=true", cells).path("p_value").asDouble());
        }
        server.kill();
      }
    }
    try (ServerProcess server = new ServerProcess(log, ServeMain.class.getName(), arguments)) {
      assertFalse(post(server.port(), "/v1/detect", NORMAL).path("alarm").asBoolean());
      assertEquals(143, server.terminate());
    }
    Path saved = models.resolve("plant.avm");
    assertArrayEquals(alone.toBytes(), Files.readAllBytes(saved));
    try (ServerProcess server = new ServerProcess(log, ServeMain.class.getName(), arguments)) {
      post(server.port(), "/v1/detect/feedback?anomalous=false", SPIKE);
      server.kill();
    }
    try (ServerProcess server = new ServerProcess(log, ServeMain.class.getName(), arguments)) {
      assertFalse(post(server.port(), "/v1/detect", SPIKE).path("alarm").asBoolean());
    }
  }
}
