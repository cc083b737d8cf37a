// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.avm4j.serve.RunningServer;
import io.github.avm4j.serve.TestModels;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RefusalLogTest {
  @TempDir Path folder;

  private RunningServer serve(String... flags) throws Exception {
    RunningServer.put(folder, "m-1.avm", TestModels.numbered(2, 10, 1));
    return new RunningServer(folder, flags);
  }

  private static List<JsonNode> events(RunningServer server, String event) throws Exception {
    List<JsonNode> found = new ArrayList<>();
    for (String line : server.log().split("\n")) {
      JsonNode read = new ObjectMapper().readTree(line);
      if (read.path("event").asText().equals(event)) {
        found.add(read);
      }
    }
    return found;
  }

  @Test
  void refusedRequestsAreToldWithIdPathStatusAndReason() throws Exception {
    try (RunningServer server = serve("--max-body=1000")) {
      server.post("/v1/predict?model=m", "[1, \"a\"]", "x-request-id", "r-1");
      server.post("/v1/models/m/version", "{}", "x-request-id", "r-2");
      server.post("/v1/predict", " ".repeat(2000), "x-request-id", "r-3");
      server.post("/metrics", "", "x-request-id", "r-4");
      server.get("/nothing");
      server.get("/v2/models/nothing");
      assertEquals(200, server.post("/v1/predict", "[1, 2]").statusCode());
      List<JsonNode> refused = events(server, "request_refused");
      assertEquals(List.of("r-1", "r-2", "r-3", "r-4"), all(refused, "id"));
      assertEquals(List.of("400", "401", "413", "405"), all(refused, "status"));
      assertEquals("/v1/predict", refused.get(0).path("path").asText());
      assertTrue(refused.get(0).path("status").isInt());
      assertTrue(refused.get(0).path("reason").asText().contains("feature 2"));
      assertEquals(List.of(), events(server, "request_failed"));
    }
  }

  private static List<String> all(List<JsonNode> events, String field) {
    return events.stream().map(event -> event.path(field).asText()).toList();
  }

  @Test
  void timeoutsAreToldOnceAndClientsThatGoNotAtAll() throws Exception {
    try (RunningServer server = serve("--request-timeout=1500ms")) {
      String begun =
          "POST /v1/predict HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\n[1,";
      try (Socket slow = new Socket(InetAddress.getLoopbackAddress(), server.server().port())) {
        SafetyTest.send(slow, begun);
        SafetyTest.read(slow);
      }
      RunningServer.await("a line", () -> !events(server, "request_refused").isEmpty());
      assertEquals(List.of("408"), all(events(server, "request_refused"), "status"));
      RunningServer.await(
          "nothing held",
          () -> server.get("/metrics").body().contains("avm_request_bytes_held 0.0"));
      try (Socket gone = new Socket(InetAddress.getLoopbackAddress(), server.server().port())) {
        SafetyTest.send(gone, begun);
        RunningServer.await(
            "the request",
            () -> server.get("/metrics").body().contains("avm_request_bytes_held 3.0"));
      }
      RunningServer.await(
          "its end", () -> server.get("/metrics").body().contains("avm_request_bytes_held 0.0"));
      assertEquals(List.of("408"), all(events(server, "request_refused"), "status"));
      assertEquals(List.of(), events(server, "request_failed"));
    }
  }

  @Test
  void moreThanTenASecondAreCountedNotWritten() {
    AtomicLong time = new AtomicLong();
    PrintStream lines = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    RefusalLog log = new RefusalLog(new EventLog(lines, Clock.systemUTC()), time::get);
    for (int k = 0; k < 25; k++) {
      assertEquals(k < 10 ? 0 : -1, log.enter());
    }
    time.addAndGet(1_000_000_000);
    assertEquals(15, log.enter());
    assertEquals(0, log.enter());
  }

  @Test
  void everyRequestIsALineIfThatIsAskedFor() throws Exception {
    try (RunningServer server = serve("--access-log=true")) {
      server.post("/v1/predict?secret=1", "[1, 2]", "x-request-id", "a-1");
      RunningServer.await("the line", () -> !events(server, "request").isEmpty());
      JsonNode line = events(server, "request").get(0);
      assertEquals("a-1", line.path("id").asText());
      assertEquals(200, line.path("status").intValue());
      assertEquals("/v1/predict", line.path("path").asText());
      assertTrue(line.path("ms").isNumber());
      assertFalse(server.log().contains("secret"));
      assertTrue(events(server, "serving").get(0).path("tls").isBoolean());
      assertTrue(events(server, "model_loaded").get(0).path("in_use").isNumber());
    }
  }
}
