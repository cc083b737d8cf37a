// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Attacks on one server process with a small heap. After each of them it replies normally. Longer,
 * larger, and by one and two clients as well as by eight, with {@code -Davm4j.hostile.scale=10}.
 */
class HostileClientsTest {
  private static final int SCALE = Integer.getInteger("avm4j.hostile.scale", 1);
  private static final int BODY = 16 << 20;

  @TempDir static Path folder;
  private static AttackedServer server;
  private static Attacks attacks;

  @BeforeAll
  static void start() throws Exception {
    server = new AttackedServer(folder);
    attacks = new Attacks(server);
  }

  @AfterAll
  static void stop() throws Exception {
    server.assertUnharmedAndStop();
  }

  @AfterEach
  void repliesNormally() throws Exception {
    server.assertRepliesNormally();
  }

  @Test
  void largeBodiesOfManyClients() throws Exception {
    byte[] spaces = new byte[BODY - 100];
    Arrays.fill(spaces, (byte) ' ');
    int clients = 24 * SCALE;
    ExecutorService threads = Executors.newFixedThreadPool(clients);
    CountDownLatch sent = new CountDownLatch(clients);
    CountDownLatch end = new CountDownLatch(1);
    List<Future<Boolean>> all = new ArrayList<>();
    for (int k = 0; k < clients; k++) {
      all.add(threads.submit(() -> hold(spaces, sent, end)));
    }
    // What nobody reads is never sent.
    boolean unused = sent.await(5, TimeUnit.SECONDS);
    int served = 0;
    for (int k = 0; k < 20; k++) {
      served += server.predict() == 200 ? 1 : 0;
    }
    end.countDown();
    for (Future<Boolean> one : all) {
      one.get(60, TimeUnit.SECONDS);
    }
    threads.shutdown();
    assertTrue(served > 10, "others were served " + served + " times of 20");
  }

  /** Sends all of a body but its end, which waits; cut off is fine. */
  private static boolean hold(byte[] body, CountDownLatch sent, CountDownLatch end)
      throws Exception {
    try (Socket socket = server.connect(Attacks.post(body.length + 2))) {
      OutputStream out = socket.getOutputStream();
      try {
        out.write(body);
      } finally {
        sent.countDown();
      }
      end.await();
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
      sockets.add(server.connect(Attacks.post(20)));
    }
    for (int k = 0; k < 20; k++) {
      assertEquals(200, server.predict());
    }
    String bearer = "Bearer " + AttackedServer.TOKEN;
    assertEquals(
        200,
        server
            .post("/v1/models/m/version", "{\"version\": 1}", "authorization", bearer)
            .statusCode());
    Attacks.close(sockets);
  }

  @Test
  void openStreamsOfOneConnection() throws Exception {
    try (RawHttp2 client = new RawHttp2(server.port())) {
      for (int k = 0; k < 300; k++) {
        client.send(
            RawHttp2.HEADERS,
            RawHttp2.END_HEADERS,
            2 * k + 1,
            RawHttp2.request("POST", AttackedServer.PREDICT));
      }
      List<RawHttp2.Frame> frames = client.readUntil(all -> refused(all) >= 200);
      assertTrue(refused(frames) >= 200, refused(frames) + " streams were refused");
      for (int k = 0; k < 20; k++) {
        assertEquals(200, server.predict());
      }
    }
  }

  private static long refused(List<RawHttp2.Frame> frames) {
    return frames.stream()
        .filter(frame -> frame.type() == RawHttp2.RESET || frame.type() == RawHttp2.HEADERS)
        .map(RawHttp2.Frame::stream)
        .distinct()
        .count();
  }

  @Test
  void explainOfAnArrayCostsNothing() throws Exception {
    String rows = "[" + "[1,2],".repeat(130_000 * SCALE) + "[1,2]]";
    double before = server.processorSeconds();
    HttpResponse<String> reply = server.post("/v1/explain", rows);
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
    List<Socket> sockets = new ArrayList<>();
    for (int k = 0; k < 250 + 50 * SCALE; k++) {
      sockets.add(attacks.slowReader(body));
    }
    awaitComputed();
    for (int k = 0; k < 10; k++) {
      assertEquals(200, server.predict());
    }
    Attacks.close(sockets);
  }

  /** Many large requests at once are an overload, in which others are shed until it is over. */
  private static void awaitComputed() throws Exception {
    long end = System.nanoTime() + 8_000_000_000L;
    while (!server.newMetrics().contains("avm_requests_inside 0.0") && System.nanoTime() < end) {}
  }

  @Test
  void pipeliningWithoutReading() throws Exception {
    byte[] many = (Attacks.post(5) + "[1,2]").repeat(500).getBytes(StandardCharsets.US_ASCII);
    List<Thread> writers = new ArrayList<>();
    List<Socket> sockets = new ArrayList<>();
    for (int k = 0; k < 4 * SCALE; k++) {
      Socket socket = server.connect("");
      sockets.add(socket);
      Thread writer = new Thread(() -> Attacks.flood(socket, many, 40 * SCALE));
      writer.start();
      writers.add(writer);
    }
    Thread.sleep(500);
    Attacks.close(sockets);
    for (Thread writer : writers) {
      writer.join(10_000);
    }
  }

  @Test
  void connectionsThatComeAndGo() throws Exception {
    for (int k = 0; k < 500 * SCALE; k++) {
      String begun = k % 3 == 0 ? "" : k % 3 == 1 ? "POST /v1/pre" : Attacks.post(20) + "[1";
      server.connect(begun).close();
    }
  }

  /** 1,000 in the build, 10,000 with a scale of ten. */
  @Test
  void idleConnections() throws Exception {
    List<Socket> sockets = new ArrayList<>();
    for (int k = 0; k < 1000 * SCALE; k++) {
      sockets.add(server.connect(""));
    }
    for (int k = 0; k < 20; k++) {
      assertEquals(200, server.predict());
    }
    Attacks.close(sockets);
  }

  /** A hundred megabytes of spaces in a hundred kilobytes: nothing here unpacks requests. */
  @Test
  void gzipBomb() throws Exception {
    byte[] spaces = new byte[100 << 20];
    Arrays.fill(spaces, (byte) ' ');
    HttpRequest.Builder bomb =
        server
            .request("/v1/predict")
            .header("content-encoding", "gzip")
            .POST(HttpRequest.BodyPublishers.ofByteArray(Attacks.packed(spaces)));
    HttpResponse<String> reply = server.send(bomb);
    assertTrue(reply.statusCode() / 100 == 4, reply.body());
  }

  static int[] clients() {
    return SCALE == 1 ? new int[] {8} : new int[] {1, 2, 8};
  }

  /** Bodies of tiny values and fresh names, plain and packed, on every route that takes a body. */
  @ParameterizedTest
  @MethodSource("clients")
  void bodiesOfTinyValues(int clients) throws Exception {
    List<byte[]> bodies = Attacks.tinyValues(300_000 * SCALE);
    int plain = bodies.size();
    for (int k = 0; k < 3; k++) {
      bodies.add(Attacks.packed(bodies.get(k)));
    }
    ExecutorService threads = Executors.newFixedThreadPool(clients);
    for (String route : Attacks.WITH_BODIES) {
      List<Future<Integer>> replies = new ArrayList<>();
      for (int k = 0; k < bodies.size(); k++) {
        boolean packed = k >= plain;
        byte[] body = bodies.get(k);
        replies.add(threads.submit(() -> attacks.reply(route, body, packed)));
      }
      for (Future<Integer> reply : replies) {
        int status = reply.get(60, TimeUnit.SECONDS);
        assertTrue(status < 500 || status == 503, route + " has status " + status);
      }
    }
    threads.shutdown();
  }

  /** Headers that come a byte at a time, while bodies of nearly a megabyte are computed. */
  @Test
  void headersThatDripBesideLargeBodies() throws Exception {
    byte[] rows = ("[" + "[1,2],".repeat(9_000) + "[1,2]]").getBytes(StandardCharsets.US_ASCII);
    List<Socket> sockets = new ArrayList<>();
    for (int k = 0; k < 300 * SCALE; k++) {
      sockets.add(server.connect("GET / HTTP/1.1\r\nhost: localhost\r\nx-a: "));
    }
    ExecutorService threads = Executors.newFixedThreadPool(8);
    List<Future<Integer>> large = new ArrayList<>();
    for (int k = 0; k < 40 * SCALE; k++) {
      large.add(threads.submit(() -> attacks.reply(AttackedServer.PREDICT, rows, false)));
    }
    int served = 0;
    for (int k = 0; k < 20; k++) {
      for (Socket socket : sockets) {
        Attacks.drip(socket);
      }
      served += server.predict() == 200 ? 1 : 0;
    }
    for (Future<Integer> one : large) {
      int status = one.get(60, TimeUnit.SECONDS);
      assertTrue(status == 200 || status == 429, "status " + status);
    }
    threads.shutdown();
    assertTrue(served > 10, "others were served " + served + " times of 20");
    Attacks.close(sockets);
  }

  /** Requests that are broken off at once, on ever new connections: none is worked on later. */
  @Test
  void resetsOnNewConnections() throws Exception {
    byte[] burst = Attacks.resets();
    long logged = server.logged();
    double before = server.processorSeconds();
    for (int k = 0; k < 200 * SCALE; k++) {
      attacks.sendAlone(burst);
    }
    server.assertRepliesNormally();
    double used = server.processorSeconds() - before;
    assertTrue(used < 4 * SCALE, used + " s of processor time");
    assertEquals(logged, server.logged(), "bytes of the log");
  }

  @Test
  void bombsOfHttp2() throws Exception {
    byte[] request = RawHttp2.request("POST", AttackedServer.PREDICT);
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
      assertEquals(200, server.predict());
    } catch (IOException e) {
      assertEquals(200, server.predict(), "cut off: " + e);
    }
  }
}
