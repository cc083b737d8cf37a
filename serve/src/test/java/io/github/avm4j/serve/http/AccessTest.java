// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.avm4j.serve.RunningServer;
import io.github.avm4j.serve.TestModels;
import io.github.avm4j.serve.operate.Setting;
import io.github.avm4j.serve.operate.Settings;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may do what at which port, and tokens. */
class AccessTest {
  private static final String ROW = "{\"age\": 33, \"job\": \"cook\"}";

  @TempDir Path folder;

  private RunningServer serve(String... flags) throws Exception {
    RunningServer.put(folder, "m-1.avm", TestModels.people(1));
    return new RunningServer(folder, flags);
  }

  /** They are rows of the training data, so strangers get none unless told otherwise. */
  @Test
  void explanationsNeedAPermissionUnlessToldOtherwise() throws Exception {
    String path = "/v1/explain?points=1000";
    try (RunningServer server = serve()) {
      assertEquals(401, server.post(path, ROW).statusCode());
      String bearer = "Bearer " + RunningServer.TOKEN;
      JsonNode why = RunningServer.json(server.post(path, ROW, "authorization", bearer));
      assertTrue(why.path("points").get(0).path("at").size() > 0, why.toString());
    }
    try (RunningServer server = serve("--open=explain")) {
      assertEquals(200, server.post(path, ROW).statusCode());
      assertEquals(401, server.post("/v1/predict", ROW).statusCode());
    }
  }

  @Test
  void theAdministrativePortHasWhatOperatorsNeedAndThePublicOneHasNot() throws Exception {
    try (RunningServer server = serve("--admin-port=0")) {
      for (String path : List.of("/metrics", "/", "/v1/models")) {
        assertEquals(404, server.get(path).statusCode(), path);
        assertEquals(200, admin(server, path, null), path);
      }
      String choose = "/v1/models/m/version";
      assertEquals(404, server.post(choose, "{\"version\": 1}").statusCode());
      assertEquals(401, admin(server, choose, "{\"version\": 1}"));
      assertEquals(200, server.get("/v2/health/ready").statusCode());
      assertEquals(200, admin(server, "/v2/health/ready", null));
      assertEquals(200, server.post("/v1/predict", ROW).statusCode());
      for (String path : List.of("/v1/predict", "/v1/explain", "/v1/feedback")) {
        assertEquals(404, admin(server, path, ROW), path);
      }
    }
  }

  /** Beyond this machine: names, files and figures of models are for those who have a token. */
  @Test
  void otherMachinesSeeLess() throws Exception {
    RunningServer.put(folder, "m-1.avm", TestModels.people(1));
    String flags = "--host=0.0.0.0";
    Settings settings = Settings.read(List.of(flags, "m"), Map.of());
    assertEquals(EnumSet.of(Permission.HEALTH, Permission.PREDICT), settings.open(Setting.HOST));
    assertEquals(
        EnumSet.of(Permission.HEALTH, Permission.PREDICT, Permission.INSPECT, Permission.METRICS),
        settings.open(Setting.ADMIN_HOST));
    for (String open : List.of("operate", "predict,operate", "learn", "predict learn", "all")) {
      List<String> given = List.of(flags, "--open=" + open, "m");
      assertThrows(IllegalArgumentException.class, () -> Settings.read(given, Map.of()), open);
    }
  }

  private static int admin(RunningServer server, String path, String body) throws Exception {
    String address = "http://127.0.0.1:" + server.server().administrationPort() + path;
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address));
    if (body != null) {
      request.POST(HttpRequest.BodyPublishers.ofString(body));
    }
    return HttpClient.newHttpClient()
        .send(request.build(), HttpResponse.BodyHandlers.ofString())
        .statusCode();
  }

  @Test
  void tokensRotateWithoutARestartAndCallersAreAudited() throws Exception {
    Path tokens =
        Files.writeString(folder.resolve("tokens"), "ann first-token-0123456789 operate\n");
    RunningServer.put(folder, "m-1.avm", TestModels.people(1));
    try (RunningServer server =
        new RunningServer(folder, "--token-file=" + tokens, "--token-file=" + tokens)) {
      String path = "/v1/models/m/version";
      String body = "{\"version\": 1}";
      String first = "Bearer first-token-0123456789";
      String second = "Bearer second-token-0123456789";
      assertEquals(
          200,
          server.post(path, body, "authorization", first, "x-request-id", "change-7").statusCode());
      assertTrue(
          server
              .log()
              .contains(
                  "\"event\":\"audit\",\"action\":\"choose_version\",\"caller\":\"ann\","
                      + "\"id\":\"change-7\",\"client\":\"127.0.0.1\""),
          server.log());
      replace(tokens, "bob second-token-0123456789 operate\n");
      RunningServer.await(
          "the new token",
          () -> server.post(path, body, "authorization", second).statusCode() == 200);
      assertEquals(401, server.post(path, body, "authorization", first).statusCode());
      replace(tokens, "short\n");
      RunningServer.await("a refusal", () -> server.log().contains("tokens_refused"));
      assertEquals(200, server.post(path, body, "authorization", second).statusCode());
      assertTrue(server.log().contains("\"caller\":\"bob\""));
      assertFalse(server.log().contains("second-token"), "no token in the log");
    }
  }

  private static void replace(Path file, String text) throws Exception {
    Path beside = Files.writeString(file.resolveSibling("tokens.new"), text);
    Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
