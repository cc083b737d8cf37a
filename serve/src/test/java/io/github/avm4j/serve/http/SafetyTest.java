// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.serve.RunningServer;
import io.github.avm4j.serve.TestModels;
import io.github.avm4j.serve.operate.Setting;
import io.github.avm4j.serve.operate.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SafetyTest {
  @TempDir Path folder;

  private RunningServer serve(String... flags) throws Exception {
    RunningServer.put(folder, "m-1.avm", TestModels.numbered(2, 10, 1));
    return new RunningServer(folder, flags);
  }

  @Test
  void listensOnThisMachineAloneByDefault() throws Exception {
    Settings settings = Settings.read(List.of("m.avm"), Map.of());
    assertEquals("127.0.0.1", settings.text(Setting.HOST));
  }

  @Test
  void flagsGoBeforeEnvironmentBeforeFile() throws Exception {
    Path file = Files.writeString(folder.resolve("c"), "port=1\nkeep=4\nlabel-share = 0.7\n");
    Map<String, String> environment =
        Map.of("AVM_SERVE_CONFIG", file.toString(), "AVM_SERVE_PORT", "2", "AVM_SERVE_KEEP", "5");
    Settings settings = Settings.read(List.of("--port", "3", "m.avm"), environment);
    assertEquals("3", settings.text(Setting.PORT));
    assertEquals("5", settings.text(Setting.KEEP));
    assertEquals("0.7", settings.text(Setting.LABEL_SHARE));
    assertEquals("60s", settings.text(Setting.IDLE_TIMEOUT));
  }

  @Test
  void wrongSettingsAreNamed() throws Exception {
    assertTrue(failure("--nope=1", "m").contains("no setting 'nope'"));
    assertTrue(failure("--port=x", "m").contains("port must be a whole number in 0..65535, was x"));
    assertTrue(failure("--tls-cert=a", "m").contains("tls-key"));
    assertTrue(failure("--label-topic=a", "m").contains("set kafka"));
    assertTrue(failure().contains("no models"));
    assertTrue(failure("--port").contains("needs a value"));
  }

  private static String failure(String... flags) throws IOException {
    return String.valueOf(
        assertThrows(IllegalArgumentException.class, () -> Settings.read(List.of(flags), Map.of()))
            .getMessage());
  }

  @Test
  void withoutTokensNothingCanBeChanged() throws Exception {
    RunningServer.put(folder, "m-1.avm", TestModels.numbered(2, 10, 1));
    Path none = Files.writeString(folder.resolve("none.properties"), "");
    try (RunningServer server = new RunningServer(folder, "--config=" + none, "--token-file=")) {
      String body = "{\"version\": 1}";
      String bearer = "Bearer " + RunningServer.TOKEN;
      HttpResponse<String> reply =
          server.post("/v1/models/m/version", body, "authorization", bearer);
      assertEquals(403, reply.statusCode(), reply.body());
      assertTrue(reply.body().contains("token-file"), reply.body());
    }
  }

  @Test
  void tokensAreChecked() throws Exception {
    try (RunningServer server = serve()) {
      String path = "/v1/models/m/version";
      String body = "{\"version\": 1}";
      for (String header :
          new String[] {"Bearer wrong", "Bearer ", "Basic x", "bearer", RunningServer.TOKEN}) {
        assertEquals(401, server.post(path, body, "authorization", header).statusCode(), header);
      }
      assertEquals(
          200,
          server.post(path, body, "authorization", "Bearer " + RunningServer.TOKEN).statusCode());
    }
    EventLog log = new EventLog(System.err, Clock.systemUTC());
    for (String wrong :
        List.of(
            "",
            "abc",
            "ann abc learn",
            RunningServer.TOKEN,
            "ann " + RunningServer.TOKEN,
            "ann " + RunningServer.TOKEN + " all",
            "ann " + RunningServer.TOKEN + " learn,",
            "ann " + RunningServer.TOKEN + " learn, predict")) {
      Path file = Files.writeString(folder.resolve("wrong"), wrong + "\n");
      assertThrows(IOException.class, () -> BearerTokens.read(file, log), wrong);
    }
  }

  @Test
  void feedbackWithoutKafkaIsRefusedClearly() throws Exception {
    try (RunningServer server = serve()) {
      HttpResponse<String> reply =
          server.post(
              "/v1/feedback",
              "{\"id\": \"a\", \"label\": \"yes\"}",
              "authorization",
              "Bearer " + RunningServer.TOKEN);
      assertEquals(503, reply.statusCode());
      assertTrue(reply.body().contains("label-topic"), reply.body());
      assertEquals(401, server.post("/v1/feedback", "{}").statusCode());
    }
  }

  /** The test itself holds the one place: a request that holds it might end too soon. */
  @Test
  void moreThanAllowedAtOnceIsShed() throws Exception {
    try (RunningServer server = serve("--max-concurrent=1")) {
      String bearer = "Bearer " + RunningServer.TOKEN;
      Admission.Place place = server.takePlace();
      RunningServer.await(
          "the metrics to show it",
          () -> server.get("/metrics").body().contains("avm_requests_inside 1.0"));
      HttpResponse<String> shed = server.post("/v1/predict", "[1, 2]");
      assertEquals(429, shed.statusCode(), shed.body());
      for (String path : List.of("/v2/health/live", "/v2/health/ready", "/v2/models/m/ready")) {
        assertEquals(200, server.get(path).statusCode(), path);
      }
      assertEquals(200, server.get("/v1/models").statusCode(), "administration has its own room");
      String version = "{\"version\": 1}";
      assertEquals(
          200, server.post("/v1/models/m/version", version, "authorization", bearer).statusCode());
      assertEquals("1", shed.headers().firstValue("retry-after").orElse(""));
      place.leaveUnmeasured();
      assertEquals(200, server.post("/v1/predict", "[1, 2]").statusCode());
      assertTrue(server.get("/metrics").body().contains("avm_requests_shed_total"));
    }
  }

  /** Feedback to brokers that are not there fails after five seconds and leaves its place. */
  @Test
  void whatFailsLateLeavesItsPlace() throws Exception {
    try (RunningServer server =
        serve("--max-concurrent=1", "--kafka=127.0.0.1:1", "--label-topic=f")) {
      String bearer = "Bearer " + RunningServer.TOKEN;
      String label = "{\"id\": \"a\", \"label\": \"yes\"}";
      assertEquals(503, server.post("/v1/feedback", label, "authorization", bearer).statusCode());
      RunningServer.await("room", () -> server.post("/v1/predict", "[1, 2]").statusCode() == 200);
    }
  }

  @Test
  void aBodyThatNeverEndsHoldsNoPlace() throws Exception {
    try (RunningServer server = serve("--max-concurrent=1")) {
      try (Socket slow = new Socket(InetAddress.getLoopbackAddress(), server.server().port())) {
        send(slow, "POST /v1/predict HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\n[1,");
        RunningServer.await(
            "three bytes",
            () -> server.get("/metrics").body().contains("avm_request_bytes_held 3.0"));
        assertEquals(200, server.post("/v1/predict", "[1, 2]").statusCode());
        send(slow, "2]     ");
        assertTrue(read(slow).startsWith("HTTP/1.1 200"));
      }
      RunningServer.await(
          "none", () -> server.get("/metrics").body().contains("avm_request_bytes_held 0.0"));
    }
  }

  @Test
  void bytesHeldAreBounded() throws Exception {
    try (RunningServer server = serve("--max-held-bytes=1000")) {
      int port = server.server().port();
      String head = "POST /v1/predict HTTP/1.1\r\nhost: localhost\r\ncontent-length: 800\r\n\r\n";
      try (Socket slow = new Socket(InetAddress.getLoopbackAddress(), port)) {
        send(slow, head + " ".repeat(700));
        RunningServer.await(
            "700 bytes",
            () -> server.get("/metrics").body().contains("avm_request_bytes_held 700.0"));
        HttpResponse<String> shed = server.post("/v1/predict", "[1, 2]" + " ".repeat(400));
        assertEquals(429, shed.statusCode(), shed.body());
        assertEquals(200, server.post("/v1/predict", "[1, 2]").statusCode(), "there is room");
        HttpResponse<String> large = server.post("/v1/predict", "[1, 2]" + " ".repeat(1000));
        assertEquals(413, large.statusCode(), large.body());
      }
      RunningServer.await(
          "none", () -> server.get("/metrics").body().contains("avm_request_bytes_held 0.0"));
      assertEquals(200, server.post("/v1/predict", "[1, 2]" + " ".repeat(900)).statusCode());
    }
  }

  @Test
  void aSlowBodyEndsAtTheTimeout() throws Exception {
    try (RunningServer server = serve("--request-timeout=300ms")) {
      try (Socket slow = new Socket(InetAddress.getLoopbackAddress(), server.server().port())) {
        send(slow, "POST /v1/predict HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\n[1,");
        String reply = read(slow);
        assertTrue(reply.startsWith("HTTP/1.1 503") || reply.startsWith("HTTP/1.1 408"), reply);
        assertFalse(reply.contains("Exception"), reply);
        String predict = "avm_request_seconds_count{endpoint=\"predict\",status=";
        RunningServer.await("it in metrics", () -> server.get("/metrics").body().contains(predict));
        String metrics = server.get("/metrics").body();
        assertTrue(metrics.contains(predict + "\"408\"} 1"), metrics);
      }
      assertEquals(200, server.post("/v1/predict", "[1, 2]").statusCode());
    }
  }

  @Test
  void headersHaveALimit() throws Exception {
    try (RunningServer server = serve();
        Socket client = new Socket(InetAddress.getLoopbackAddress(), server.server().port())) {
      send(client, "GET /v2 HTTP/1.1\r\nhost: localhost\r\nx: " + "a".repeat(20_000) + "\r\n\r\n");
      assertTrue(read(client).startsWith("HTTP/1.1 4"));
    }
  }

  /** RFC 9112 lets a server take a folded header as one value with a blank: it frames nothing. */
  @Test
  void foldedHeadersFrameNothing() throws Exception {
    try (RunningServer server = serve()) {
      for (String folded :
          List.of(
              "host: localhost\r\n .evil.example\r\ncontent-length: 6",
              "host: localhost\r\ncontent-length: 6\r\n 6",
              "host: localhost\r\ncontent-length: 6\r\ntransfer-encoding:\r\n chunked")) {
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), server.server().port())) {
          send(client, "POST /v1/predict HTTP/1.1\r\n" + folded + "\r\n\r\n[1, 2]");
          assertTrue(read(client).startsWith("HTTP/1.1 4"), folded);
        }
      }
    }
  }

  @Test
  void requestsUnderWayEndBeforeTheServerDoes() throws Exception {
    RunningServer server = serve("--drain-ms=10000");
    try (Socket slow = new Socket(InetAddress.getLoopbackAddress(), server.server().port())) {
      send(slow, "POST /v1/predict HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\n[1,");
      RunningServer.await(
          "the request",
          () -> server.get("/metrics").body().contains("avm_request_bytes_held 3.0"));
      Thread closing = new Thread(server::close);
      closing.start();
      RunningServer.await("draining", () -> server.log().contains("draining"));
      send(slow, "2]     ");
      assertTrue(read(slow).startsWith("HTTP/1.1 200"));
      closing.join();
    }
    assertTrue(server.log().contains("stopped"));
  }

  @Test
  void respondsAndReportsNotReadyUntilItCloses() throws Exception {
    RunningServer server = serve("--close-after=3s");
    int port = server.server().port();
    Thread closing = new Thread(server::close);
    long begun = System.nanoTime();
    closing.start();
    RunningServer.await("not ready", () -> server.get("/v2/health/ready").statusCode() == 503);
    while (System.nanoTime() - begun < 1_000_000_000L) {
      assertEquals(503, server.get("/v2/health/ready").statusCode());
      assertEquals(200, server.get("/v2/health/live").statusCode());
      assertEquals(200, server.post("/v1/predict", "[1, 2]").statusCode());
    }
    closing.join();
    assertTrue(System.nanoTime() - begun >= 3_000_000_000L);
    assertThrows(
        ConnectException.class, () -> new Socket(InetAddress.getLoopbackAddress(), port).close());
  }

  /** Not after the two seconds that Netty's threads wait for more tasks. The shortest counts. */
  @Test
  void endsAtOnceWhereNothingIsUnderWay() throws Exception {
    double shortest = Double.POSITIVE_INFINITY;
    for (int k = 0; k < 5 && shortest >= 2; k++) {
      RunningServer server = serve("--admin-port=0");
      assertEquals(200, server.get("/v2/health/ready").statusCode());
      long begin = System.nanoTime();
      server.close();
      shortest = Math.min(shortest, (System.nanoTime() - begin) / 1e9);
    }
    assertTrue(shortest < 2, shortest + " s");
  }

  static void send(Socket socket, String text) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(text.getBytes(StandardCharsets.US_ASCII));
    out.flush();
  }

  static String read(Socket socket) throws IOException {
    socket.setSoTimeout(30_000);
    InputStream in = socket.getInputStream();
    byte[] buffer = new byte[4096];
    int n = in.read(buffer);
    return n < 0 ? "" : new String(buffer, 0, n, StandardCharsets.US_ASCII);
  }
}
