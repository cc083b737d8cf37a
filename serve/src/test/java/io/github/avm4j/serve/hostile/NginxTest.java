// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.serve.RunningServer;
import io.github.avm4j.serve.TestModels;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code deploy/nginx} in front of a server: honest clients come from other addresses than floods.
 */
class NginxTest {
  private static final String NAME = Nginx.NAME;
  private static final String OPERATOR = "127.0.0.1";
  private static final String HONEST = "127.0.0.2";
  private static final String HOSTILE = "127.0.0.3";
  private static final String ROW = "[1, 2]";

  @TempDir static Path folder;

  private static RunningServer server;
  private static Nginx nginx;

  @BeforeAll
  static void start() throws Exception {
    Path models = Files.createDirectory(folder.resolve("models"));
    RunningServer.put(models, "m-1.avm", TestModels.numbered(2, 50, 1));
    server = new RunningServer(models, "--allowed-hosts=" + NAME, "--access-log=true");
    nginx = new Nginx(folder, server.server().port(), "");
  }

  @AfterAll
  static void stop() throws Exception {
    if (nginx != null) {
      nginx.stop();
    }
    if (server != null) {
      server.close();
    }
  }

  /** The reply to a request on a connection of its own, in one text. */
  private static String send(String from, String method, String path, String... lines)
      throws Exception {
    try (SSLSocket socket = nginx.connect(from, NAME, "http/1.1")) {
      List<String> all = new ArrayList<>(List.of(method + " " + path + " HTTP/1.1"));
      all.addAll(lines.length == 0 ? List.of("host: " + NAME) : List.of(lines));
      all.add("connection: close");
      all.add("content-length: " + (method.equals("POST") ? ROW.length() : 0));
      String request = String.join("\r\n", all) + "\r\n\r\n";
      socket
          .getOutputStream()
          .write(
              (request + (method.equals("POST") ? ROW : "")).getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static int status(String reply) {
    return reply.isEmpty() ? 0 : Integer.parseInt(reply.substring(9, 12));
  }

  private static int predict(String from) throws Exception {
    return status(send(from, "POST", "/v1/predict"));
  }

  @Test
  void honestRequestsPassAndOperatorsRoutesAreClosedFromOutside() throws Exception {
    assertEquals(200, predict(HONEST));
    assertEquals(200, status(send(HONEST, "GET", "/v2/health/ready")));
    assertEquals(200, status(send(HONEST, "GET", "/v2/models/m")));
    assertEquals(200, status(send(HONEST, "GET", "/v2")));
    assertEquals(401, status(send(HONEST, "POST", "/v1/feedback")), "the server's own guard");
    for (String path :
        List.of("/", "/metrics", "/v1/models", "/v1/../metrics", "//metrics", "/v2/../v1/models")) {
      assertEquals(403, status(send(HONEST, "GET", path)), path);
    }
    assertEquals(403, status(send(HONEST, "POST", "/v1/models/m/version")));
    assertEquals(403, status(send(HONEST, "POST", "/v1/explain")));
    assertEquals(200, status(send(OPERATOR, "GET", "/metrics")));
    assertEquals(401, status(send(OPERATOR, "POST", "/v1/models/m/version")));
  }

  @Test
  void onlyItsOwnNameIsServed() throws Exception {
    assertThrows(
        SSLException.class, () -> nginx.connect(HONEST, "evil.example", "http/1.1").close());
    assertEquals(421, status(send(HONEST, "POST", "/v1/predict", "host: evil.example")));
    String[] two = {"host: " + NAME, "host: evil.example"};
    assertEquals(400, status(send(HONEST, "POST", "/v1/predict", two)));
    assertEquals(400, status(send(HONEST, "POST", "/v1/predict", "accept: */*")));
  }

  @Test
  void idsOfClientsAreOneWordOrMadeAnew() throws Exception {
    String host = "host: " + NAME;
    String mine = send(HONEST, "POST", "/v1/predict", host, "x-request-id: order-17");
    assertTrue(mine.contains("x-request-id: order-17\r\n"), mine);
    for (String bad : List.of("a b", "\"}", "x".repeat(65), "")) {
      String reply = send(HONEST, "POST", "/v1/predict", host, "x-request-id: " + bad);
      assertEquals(200, status(reply), reply);
      assertTrue(reply.matches("(?s).*x-request-id: [0-9a-f]{32}\r\n.*"), reply);
    }
  }

  @Test
  void whatIsTooLargeEndsAtNginx() throws Exception {
    String reply = send(HONEST, "POST", "/v1/predict", "host: " + NAME, "x-a: " + "b".repeat(9000));
    assertEquals(400, status(reply), reply);
  }

  /** Lines that go on in the next one, which proxies and servers may read in two ways. */
  @Test
  void foldedHeadersEndAtNginx() throws Exception {
    for (String folded : List.of("x-a: 1\r\n 2", "x-a:\r\n\t2", "transfer-encoding:\r\n chunked")) {
      String reply = send(HONEST, "POST", "/v1/predict", "host: " + NAME, folded);
      assertEquals(400, status(reply), reply);
    }
  }

  /** Those of one address beyond its quota are refused; another address does not notice. */
  @Test
  void aFloodCostsItsOwnAddress() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    AtomicInteger refused = new AtomicInteger();
    List<Thread> flood = new ArrayList<>();
    for (int k = 0; k < 4; k++) {
      flood.add(new Thread(() -> flood(over, refused)));
    }
    flood.forEach(Thread::start);
    try {
      RunningServer.await("refusals", () -> refused.get() > 0);
      for (int k = 0; k < 50; k++) {
        assertEquals(200, predict(HONEST), "honest request " + k);
      }
    } finally {
      over.set(true);
      for (Thread one : flood) {
        one.join();
      }
    }
    assertTrue(refused.get() > 100, refused + " refused");
  }

  private static void flood(AtomicBoolean over, AtomicInteger refused) {
    String request = "POST /v1/predict HTTP/1.1\r\nhost: " + NAME + "\r\ncontent-length: 6\r\n";
    String all = (request + "\r\n" + ROW).repeat(200) + request + "connection: close\r\n\r\n" + ROW;
    byte[] bytes = all.getBytes(StandardCharsets.US_ASCII);
    while (!over.get()) {
      try (SSLSocket socket = nginx.connect(HOSTILE, NAME, "http/1.1")) {
        socket.getOutputStream().write(bytes);
        refused.addAndGet(refusals(socket));
      } catch (Exception e) {
        // cut off, which is fine
      }
    }
  }

  private static int refusals(Socket socket) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    byte[] buffer = new byte[1 << 16];
    try {
      for (int n = socket.getInputStream().read(buffer); n >= 0; ) {
        all.write(buffer, 0, n);
        n = socket.getInputStream().read(buffer);
      }
    } catch (IOException e) {
      // cut off: what came counts
    }
    return all.toString(StandardCharsets.US_ASCII).split("HTTP/1.1 429", -1).length - 1;
  }

  /** Connections of streams that are reset at once, one after another, for as long as it takes. */
  @Test
  void resetsOfHttp2CostHonestRequestsNothing() throws Exception {
    ByteArrayOutputStream burst = new ByteArrayOutputStream();
    for (int k = 0; k < 390; k++) {
      String method = k % 2 == 0 ? "POST" : "GET"; // one waits for its body, the other is complete
      byte[] request =
          RawHttp2.fields(
              ":method", method, ":scheme", "https", ":authority", NAME, ":path", "/v2/models/m");
      int flags = RawHttp2.END_HEADERS | (k % 2 == 0 ? 0 : RawHttp2.END_STREAM);
      burst.write(RawHttp2.frame(RawHttp2.HEADERS, flags, 2 * k + 1, request));
      burst.write(RawHttp2.frame(RawHttp2.RESET, 0, 2 * k + 1, new byte[] {0, 0, 0, 8}));
    }
    AtomicBoolean over = new AtomicBoolean();
    AtomicInteger bursts = new AtomicInteger();
    Thread attacker =
        new Thread(
            () -> {
              while (!over.get()) {
                try (RawHttp2 client = new RawHttp2(nginx.connect(HOSTILE, NAME, "h2"))) {
                  client.write(burst.toByteArray());
                  bursts.incrementAndGet();
                } catch (Exception e) {
                  // cut off, which is fine
                }
              }
            });
    long logged = requests();
    attacker.start();
    TreeSet<Long> millis = new TreeSet<>();
    try {
      RunningServer.await("resets", () -> bursts.get() >= 5);
      for (int k = 0; k < 50; k++) {
        long begin = System.nanoTime();
        assertEquals(200, predict(HONEST), "honest request " + k);
        millis.add((System.nanoTime() - begin) / 1_000_000);
      }
    } finally {
      over.set(true);
      attacker.join();
    }
    long reached = requests() - logged - 50;
    int sent = 390 * bursts.get();
    String figures =
        sent + " resets, " + reached + " reached the server, honest ones took " + millis;
    assertTrue(reached < sent / 3, figures + " ms");
  }

  /** Those that the server has seen. */
  private static long requests() {
    return server.log().lines().filter(line -> line.contains("\"event\":\"request\"")).count();
  }
}
