// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is refused although it could be guessed at, and what tools for operators find. */
class StrictnessTest {
  @TempDir static Path folder;
  private static RunningServer server;

  @BeforeAll
  static void start() throws Exception {
    RunningServer.put(folder, "m-1.avm", TestModels.people(1));
    RunningServer.put(folder, "x-1.avm", TestModels.numbered(2, 10, 1));
    server = new RunningServer(folder, "--open=health,predict,explain,inspect,metrics");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static void refused(int status, String words, HttpResponse<String> reply) {
    assertEquals(status, reply.statusCode(), reply.body());
    assertTrue(reply.body().contains(words), reply.body());
  }

  @Test
  void namesThatComeTwiceAreRefused() throws Exception {
    String twice = "{\"age\": 1, \"job\": \"cook\", \"age\": 2}";
    refused(400, "'age' comes twice", server.post("/v1/predict?model=m", twice));
    refused(400, "'age' comes twice", server.post("/v1/explain?model=m", twice));
    String rows = "[{\"age\": 1}, {\"age\": 2}]";
    assertEquals(200, server.post("/v1/predict?model=m", rows).statusCode());
    String features = "{\"1\": 1, \"1\": 2}";
    refused(400, "feature 1 comes twice", server.post("/v1/predict?model=x", features));
    String tensors =
        "{\"inputs\": [], \"inputs\": [{\"name\": \"x\", \"shape\": [1, 2], "
            + "\"datatype\": \"FP64\", \"data\": [1, 2]}]}";
    refused(400, "'inputs' comes twice", server.post("/v2/models/x/infer", tensors));
    refused(
        400,
        "comes twice",
        server.post(
            "/v1/models/x/version",
            "{\"version\": 1, \"version\": 2}",
            "authorization",
            "Bearer " + RunningServer.TOKEN));
  }

  @Test
  void otherContentTypesAreRefused() throws Exception {
    String path = "/v1/predict?model=x";
    for (String type :
        List.of("text/html", "application/xml", "multipart/form-data; boundary=a", "nonsense")) {
      refused(415, "application/json", server.post(path, "[1, 2]", "content-type", type));
    }
    refused(
        415,
        "UTF-8",
        server.post(path, "[1, 2]", "content-type", "application/json; charset=utf-16"));
    for (String type :
        List.of(
            "application/json",
            "application/json; charset=utf-8",
            "application/vnd.a+json",
            "application/x-www-form-urlencoded")) {
      assertEquals(200, server.post(path, "[1, 2]", "content-type", type).statusCode(), type);
    }
  }

  @Test
  void bytesThatAreNoNumberAreRefused() throws Exception {
    for (float wrong : new float[] {Float.NaN, Float.POSITIVE_INFINITY}) {
      byte[] json =
          ("{\"inputs\": [{\"name\": \"age\", \"shape\": [2], \"datatype\": \"FP32\","
                  + " \"parameters\": {\"binary_data_size\": 8}}]}")
              .getBytes(StandardCharsets.UTF_8);
      ByteBuffer all = ByteBuffer.allocate(json.length + 8).order(ByteOrder.LITTLE_ENDIAN);
      all.put(json).putFloat(33).putFloat(wrong);
      HttpResponse<byte[]> reply =
          server.postBytes(
              "/v2/models/m/infer",
              all.array(),
              "content-type",
              "application/octet-stream",
              "inference-header-content-length",
              Integer.toString(json.length));
      String text = new String(reply.body(), StandardCharsets.UTF_8);
      assertEquals(400, reply.statusCode(), text);
      assertTrue(text.contains("element 1 of tensor 'age'"), text);
    }
  }

  @Test
  void metricsPassPromtool() throws Exception {
    server.post("/v1/predict?model=x", "[1, 2]");
    String text = server.get("/metrics").body();
    for (String name :
        List.of(
            "# TYPE avm_model_predictions_total counter",
            "# TYPE avm_model_judged_total counter",
            "# TYPE avm_model_loss_total counter",
            "# TYPE avm_model_labels_wanted_total counter",
            "# TYPE avm_model_labels_returned_total counter",
            "# TYPE avm_worker_queue gauge",
            "jvm_memory_used_bytes",
            "jvm_threads_live_threads",
            "process_uptime_seconds",
            "avm_build{",
            "avm_model_in_use{")) {
      assertTrue(text.contains(name), name + " is not in " + text);
    }
    File tool = new File("/usr/bin/promtool");
    Assumptions.assumeTrue(
        tool.canExecute(), "skipped: promtool (Debian's prometheus) is not here");
    Path file = Files.writeString(folder.resolve("metrics.txt"), text);
    Path said = folder.resolve("said.txt");
    Process process =
        new ProcessBuilder(tool.toString(), "check", "metrics")
            .redirectInput(file.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    assertTrue(process.waitFor(30, TimeUnit.SECONDS));
    assertEquals(0, process.exitValue(), Files.readString(said));
    assertEquals("", Files.readString(said));
  }
}
