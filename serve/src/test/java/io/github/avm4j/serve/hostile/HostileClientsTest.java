// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.serve.RunningServer;
import io.github.avm4j.serve.ServeMain;
import io.github.avm4j.serve.TestModels;
import io.github.avm4j.serve.load.ServerProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Attacks on one server process with a small heap. After each of them it answers normally. Longer
 * and larger with {@code -Davm4j.hostile.scale=10}.
 */
class HostileClientsTest {
  private static final int SCALE = Integer.getInteger("avm4j.hostile.scale", 1);
  private static final String TOKEN = "a-token-for-tests-0123456789";
  private static final int BODY = 16 << 20;

  @TempDir static Path folder;
  private static ServerProcess server;
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @BeforeAll
  static void start() throws Exception {
    RunningServer.put(folder, "m-1.avm", TestModels.numbered(2, 200, 1));
    RunningServer.put(folder, "m-2.avm", TestModels.numbered(2, 200, 2));
    Path tokens = Files.writeString(folder.resolve("tokens"), TOKEN + "\n");
    server =
        new ServerProcess(
            folder.resolve("log"),
            List.of("-Xmx192m", "-XX:+ExitOnOutOfMemoryError"),
            ServeMain.class.getName(),
            "--port=0",
            "--token-file=" + tokens,
            folder.toString());
  }

  @AfterAll
  static void stop() throws Exception {
    assertEquals(143, server.terminate(), "ended by SIGTERM alone");
  }

  @AfterEach
  void answersNormally() throws Exception {
    assertTrue(server.isAlive(), () -> log());
    for (int k = 0; k < 10; k++) {
      assertEquals(200, predict());
    }
  }

  private static String log() {
    try {
      return Files.readString(folder.resolve("log"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
        .timeout(Duration.ofSeconds(20));
  }

  private static HttpResponse<String> post(String path, String body, String... headers)
      throws Exception {
    HttpRequest.Builder builder = request(path).POST(HttpRequest.BodyPublishers.ofString(body));
    if (headers.length > 0) {
      builder.headers(headers);
    }
    return CLIENT.send(builder.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static int predict() throws Exception {
    return post("/v1/predict", "[1, 2]").statusCode();
  }

  private static Socket connect(String text) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private static void close(List<Socket> sockets) throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  private static String post(int length) {
    return "POST /v1/predict HTTP/1.1\r\nhost: a\r\ncontent-length: " + length + "\r\n\r\n";
  }

  @Test
  void largeBodiesOfManyClients() throws Exception {
    byte[] spaces = new byte[BODY - 100];
    Arrays.fill(spaces, (byte) ' ');
    int clients = 24 * SCALE;
    ExecutorService threads = Executors.newFixedThreadPool(clients);
    List<Future<Boolean>> all = new ArrayList<>();
    for (int k = 0; k < clients; k++) {
      all.add(threads.submit(() -> hold(spaces)));
    }
    int served = 0;
    for (int k = 0; k < 20; k++) {
      served += predict() == 200 ? 1 : 0;
      Thread.sleep(50);
    }
    for (Future<Boolean> one : all) {
      one.get(60, TimeUnit.SECONDS);
    }
    threads.shutdown();
    assertTrue(served > 10, "others were served " + served + " times of 20");
  }

  /** Sends all of a body but its end, which comes a second later; cut off is fine. */
  private static boolean hold(byte[] body) throws Exception {
    try (Socket socket = connect(post(body.length + 2))) {
      OutputStream out = socket.getOutputStream();
      out.write(body);
      Thread.sleep(1000);
      out.write(new byte[] {'[', ']'});
      socket.setSoTimeout(20_000);
      return socket.getInputStream().read() >= 0;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void headersWithoutBodies() throws Exception {
    List<Socket> sockets = new ArrayList<>();
    for (int k = 0; k < 260 * SCALE; k++) {
      sockets.add(connect(post(20)));
    }
    for (int k = 0; k < 20; k++) {
      assertEquals(200, predict());
    }
    String bearer = "Bearer " + TOKEN;
    assertEquals(
        200,
        post("/v1/models/m/version", "{\"version\": 1}", "authorization", bearer).statusCode());
    close(sockets);
  }

  @Test
  void openStreamsOfOneConnection() throws Exception {
    try (RawHttp2 client = new RawHttp2(server.port())) {
      for (int k = 0; k < 300; k++) {
        client.send(
            RawHttp2.HEADERS,
            RawHttp2.END_HEADERS,
            2 * k + 1,
            RawHttp2.request("POST", "/v1/predict"));
      }
      Thread.sleep(300);
      for (int k = 0; k < 20; k++) {
        assertEquals(200, predict());
      }
      List<RawHttp2.Frame> frames = client.read(1500);
      long refused =
          frames.stream()
              .filter(frame -> frame.type() == RawHttp2.RESET || frame.type() == RawHttp2.HEADERS)
              .map(RawHttp2.Frame::stream)
              .distinct()
              .count();
      assertTrue(refused >= 200, refused + " streams were refused");
    }
  }

  @Test
  void explainOfAnArrayCostsNothing() throws Exception {
    String rows = "[" + "[1,2],".repeat(130_000 * SCALE) + "[1,2]]";
    double before = server.processorSeconds();
    HttpResponse<String> reply = post("/v1/explain", rows);
    assertEquals(400, reply.statusCode(), reply.body());
    assertTrue(reply.body().contains("one row"), reply.body());
    double used = server.processorSeconds() - before;
    assertTrue(used < 2, used + " s of processor time");
  }
}
