// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.models;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.avm4j.pipeline.RowModel;
import io.github.avm4j.serve.RunningServer;
import io.github.avm4j.serve.ServeMain;
import io.github.avm4j.serve.TestModels;
import io.github.avm4j.serve.load.ServerProcess;
import java.io.RandomAccessFile;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which version predicts: lineages, absurd numbers, bad files, files that harm their reader. */
class LineageTest {
  private static final String FIRST = "0198a1b2-c3d4-7e5f-8a6b-0123456789ab";
  private static final String SECOND = "0198ffff-c3d4-7e5f-8a6b-0123456789ab";

  private static final RowModel MODEL = TestModels.numbered(2, 10, 1);

  @TempDir Path folder;

  private void put(String file) throws Exception {
    RunningServer.put(folder, file, MODEL);
  }

  private static JsonNode model(RunningServer server) throws Exception {
    return RunningServer.json(server.get("/v1/models")).path("models").path(0);
  }

  private static String inUse(RunningServer server) throws Exception {
    JsonNode model = model(server);
    String version = model.path("version").asText();
    for (JsonNode one : model.path("versions")) {
      if (one.path("version").asText().equals(version)) {
        version += " of " + one.path("lineage").asText();
      }
    }
    return version;
  }

  @Test
  void aJobBegunAnewTakesOver() throws Exception {
    put("m-" + FIRST + "-000500.avm");
    try (RunningServer server = new RunningServer(folder)) {
      assertEquals("500 of " + FIRST, inUse(server));
      put("m-" + SECOND + "-000001.avm");
      RunningServer.await("the new line", () -> inUse(server).equals("1 of " + SECOND));
      assertTrue(server.log().contains("lineage_changed"), server.log());
      String back = "{\"version\": 500}";
      String bearer = "Bearer " + RunningServer.TOKEN;
      assertEquals(
          200, server.post("/v1/models/m/version", back, "authorization", bearer).statusCode());
      assertEquals("500 of " + FIRST, inUse(server), "one can still roll back");
    }
    try (RunningServer server = new RunningServer(folder)) {
      assertEquals("1 of " + SECOND, inUse(server), "after a restart too");
    }
    Files.writeString(folder.resolve("m.latest"), "m-" + FIRST + "-000500.avm\n");
    try (RunningServer server = new RunningServer(folder)) {
      assertEquals("500 of " + FIRST, inUse(server), "the pointer decides");
    }
  }

  @Test
  void anAbsurdNumberDoesNotOutrankAllThatFollow() throws Exception {
    put("m-3.avm");
    try (RunningServer server = new RunningServer(folder)) {
      put("m-999999999999999999.avm");
      RunningServer.await("the discard", () -> model(server).path("discarded").size() == 1);
      JsonNode one = model(server).path("discarded").path(0);
      assertEquals("999999999999999999", one.path("version").asText());
      assertTrue(one.path("reason").asText().contains("ten times"), one.toString());
      assertTrue(server.get("/metrics").body().contains("avm_models_discarded_total 1"));
      put("m-4.avm");
      RunningServer.await("version 4", () -> model(server).path("version").asText().equals("4"));
    }
    try (RunningServer server = new RunningServer(folder)) {
      assertEquals("4", model(server).path("version").asText(), "whatever is read first");
    }
  }

  @Test
  void aFreshProcessFallsBackToTheNewestGoodVersion() throws Exception {
    for (int v = 1; v <= 6; v++) {
      put("m-" + v + ".avm");
    }
    for (int v = 4; v <= 6; v++) {
      Path file = folder.resolve("m-" + v + ".avm");
      Files.write(file, Arrays.copyOf(Files.readAllBytes(file), 100));
    }
    try (RunningServer server = new RunningServer(folder, "--keep=3")) {
      assertEquals("3", model(server).path("version").asText());
      assertEquals(List.of(1L, 2L, 3L), shelf(server).numbers());
      assertEquals(200, server.get("/v2/health/ready").statusCode());
    }
  }

  private static Shelf shelf(RunningServer server) {
    Shelf shelf = server.server().repository().shelf("m");
    assertTrue(shelf != null);
    return shelf;
  }

  /** A real process with little heap: a file it cannot hold must neither end nor blind it. */
  @Test
  void aFileLargerThanTheHeapIsRefusedAndLaterOnesAreTaken() throws Exception {
    put("m-1.avm");
    try (ServerProcess server =
        new ServerProcess(
            folder.resolve("log"),
            List.of("-Xmx96m", "-XX:+ExitOnOutOfMemoryError"),
            ServeMain.class.getName(),
            "--port=0",
            folder.toString())) {
      try (RandomAccessFile large =
          new RandomAccessFile(folder.resolve("m-2.avm").toFile(), "rw")) {
        large.write(MODEL.toBytes());
        large.setLength(200 << 20); // a hole: it takes no space
      }
      RunningServer.await(
          "the refusal",
          () -> Files.readString(folder.resolve("log")).contains("sixth of the heap"));
      put("m-3.avm");
      RunningServer.await("version 3", () -> get(server, "/v2/models/m/versions/3/ready") == 200);
      assertTrue(server.isAlive());
    }
  }

  private static int get(ServerProcess server, String path) throws Exception {
    URI address = URI.create("http://127.0.0.1:" + server.port() + path);
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }
}
