// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.serve.RunningServer;
import io.github.avm4j.serve.ServeMain;
import io.github.avm4j.serve.TestModels;
import io.github.avm4j.serve.load.ServerProcess;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Attacks on one server process with a small heap. After each of them it answers normally. Longer
 * and larger with {@code -Davm4j.hostile.scale=10}.
 */
@Tag("once")
class HostileClientsTest {
  private static final int SCALE = Integer.getInteger("avm4j.hostile.scale", 1);
  private static final String TOKEN = "a-token-for-tests-0123456789";
  private static final int BODY = 16 << 20;

  @TempDir static Path folder;
  private static ServerProcess server;
  private static double heapBefore;
  private static List<String> threadsBefore;
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
    for (int k = 0; k < 50; k++) {
      assertEquals(200, predict());
    }
    heapBefore = heap();
    threadsBefore = threads();
  }

  /** What is left of the heap after a collection, in MB, and the threads of one name. */
  private static double heap() throws Exception {
    Process command =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(server.pid()),
                "GC.run")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertEquals(0, command.waitFor());
    Thread.sleep(1100); // metrics are made once a second
    double bytes = 0;
    for (String line : metrics().split("\n")) {
      if (line.startsWith("jvm_memory_used_bytes{area=\"heap\"")) {
        bytes += Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
      }
    }
    return bytes / 1e6;
  }

  private static String metrics() throws Exception {
    return CLIENT.send(request("/metrics").build(), HttpResponse.BodyHandlers.ofString()).body();
  }

  private static List<String> threads() throws Exception {
    Process command =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(server.pid()),
                "Thread.print")
            .start();
    try (BufferedReader lines = command.inputReader()) {
      return lines
          .lines()
          .filter(line -> line.startsWith("\"armeria-") || line.startsWith("\"avm-"))
          .map(line -> line.substring(1, line.indexOf('"', 1)))
          .sorted()
          .toList();
    }
  }

  @AfterAll
  static void stop() throws Exception {
    double after = heap();
    assertTrue(after < heapBefore + 20, heapBefore + " MB before, " + after + " after");
    List<String> alive = threads();
    for (String thread : threadsBefore) {
      assertTrue(alive.contains(thread), thread + " is gone; there are " + alive);
    }
    assertTrue(metrics().contains("avm_request_bytes_held 0.0"), "all bytes were given back");
    assertEquals(143, server.terminate(), "ended by SIGTERM alone");
  }

  @AfterEach
  void answersNormally() throws Exception {
    assertTrue(server.isAlive(), () -> log());
    // What an attack has left in sockets that are closed is worked off first.
    RunningServer.await("ten normal replies in a row", HostileClientsTest::tenNormalReplies);
  }

  private static boolean tenNormalReplies() throws Exception {
    for (int k = 0; k < 10; k++) {
      if (predict() != 200) {
        Thread.sleep(100);
        return false;
      }
    }
    return true;
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

  /** Large replies that are never read, more than all bytes that may be held. */
  @Test
  void slowReading() throws Exception {
    String row = "[1,2],".repeat(2000) + "[1,2]";
    String body = "[" + row + "]";
    String request = post(body.length()) + body;
    List<Socket> sockets = new ArrayList<>();
    for (int k = 0; k < 250 + 50 * SCALE; k++) {
      Socket socket = new Socket();
      socket.setReceiveBufferSize(4096);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      sockets.add(socket);
    }
    awaitComputed();
    for (int k = 0; k < 10; k++) {
      assertEquals(200, predict());
    }
    close(sockets);
  }

  /** Many large requests at once are an overload, in which others are shed until it is over. */
  private static void awaitComputed() throws Exception {
    long end = System.nanoTime() + 8_000_000_000L;
    Thread.sleep(1100); // metrics are made once a second
    while (!metrics().contains("avm_requests_inside 0.0") && System.nanoTime() < end) {
      Thread.sleep(200);
    }
  }

  @Test
  void pipeliningWithoutReading() throws Exception {
    byte[] many = (post(5) + "[1,2]").repeat(500).getBytes(StandardCharsets.US_ASCII);
    List<Thread> writers = new ArrayList<>();
    List<Socket> sockets = new ArrayList<>();
    for (int k = 0; k < 4 * SCALE; k++) {
      Socket socket = connect("");
      sockets.add(socket);
      Thread writer = new Thread(() -> flood(socket, many));
      writer.start();
      writers.add(writer);
    }
    Thread.sleep(500);
    close(sockets);
    for (Thread writer : writers) {
      writer.join(10_000);
    }
  }

  private static void flood(Socket socket, byte[] bytes) {
    try {
      for (int k = 0; k < 40 * SCALE; k++) {
        socket.getOutputStream().write(bytes);
      }
    } catch (IOException e) {
      // cut off, which is fine
    }
  }

  @Test
  void connectionsThatComeAndGo() throws Exception {
    for (int k = 0; k < 500 * SCALE; k++) {
      String begun = k % 3 == 0 ? "" : k % 3 == 1 ? "POST /v1/pre" : post(20) + "[1";
      connect(begun).close();
    }
  }

  /** 1,000 in the build, 10,000 with a scale of ten. */
  @Test
  void idleConnections() throws Exception {
    List<Socket> sockets = new ArrayList<>();
    for (int k = 0; k < 1000 * SCALE; k++) {
      sockets.add(connect(""));
    }
    for (int k = 0; k < 20; k++) {
      assertEquals(200, predict());
    }
    close(sockets);
  }

  /** A hundred megabytes of spaces in a hundred kilobytes: nothing here unpacks requests. */
  @Test
  void gzipBomb() throws Exception {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      byte[] spaces = new byte[1 << 20];
      Arrays.fill(spaces, (byte) ' ');
      for (int k = 0; k < 100; k++) {
        out.write(spaces);
      }
    }
    HttpRequest bomb =
        request("/v1/predict")
            .header("content-encoding", "gzip")
            .POST(HttpRequest.BodyPublishers.ofByteArray(packed.toByteArray()))
            .build();
    HttpResponse<String> reply = CLIENT.send(bomb, HttpResponse.BodyHandlers.ofString());
    assertTrue(reply.statusCode() / 100 == 4, reply.body());
  }

  @Test
  void bombsOfHttp2() throws Exception {
    byte[] request = RawHttp2.request("POST", "/v1/predict");
    attack(
        client -> { // rapid reset
          for (int k = 0; k < 5000 * SCALE; k++) {
            client.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 2 * k + 1, request);
            client.send(RawHttp2.RESET, 0, 2 * k + 1, new byte[] {0, 0, 0, 8});
          }
        });
    attack(
        client -> { // headers without end
          byte[] more = RawHttp2.fields("x-a", "b".repeat(4000));
          client.send(RawHttp2.HEADERS, 0, 1, request);
          for (int k = 0; k < 2000 * SCALE; k++) {
            client.send(RawHttp2.CONTINUATION, 0, 1, more);
          }
        });
    attack(
        client -> {
          for (int k = 0; k < 20_000 * SCALE; k++) {
            client.send(RawHttp2.PING, 0, 0, new byte[8]);
          }
        });
    attack(
        client -> {
          for (int k = 0; k < 10_000 * SCALE; k++) {
            client.send(RawHttp2.SETTINGS, 0, 0, new byte[0]);
          }
        });
    attack(
        client -> { // replies that may not be sent: a window of nothing
          client.send(RawHttp2.SETTINGS, 0, 0, new byte[] {0, 4, 0, 0, 0, 0});
          byte[] models = RawHttp2.request("GET", "/v1/models");
          for (int k = 0; k < 200; k++) {
            int flags = RawHttp2.END_HEADERS | RawHttp2.END_STREAM;
            client.send(RawHttp2.HEADERS, flags, 2 * k + 1, models);
          }
        });
  }

  private interface Frames {
    void send(RawHttp2 client) throws IOException;
  }

  private static void attack(Frames frames) throws Exception {
    try (RawHttp2 client = new RawHttp2(server.port())) {
      frames.send(client);
      assertEquals(200, predict());
    } catch (IOException e) {
      assertEquals(200, predict(), "cut off: " + e);
    }
  }
}
