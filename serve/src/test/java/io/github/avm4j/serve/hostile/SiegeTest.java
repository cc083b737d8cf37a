// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.hostile;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One server under mixed load for as long as {@code -Davm4j.siege.minutes} says. Honest clients
 * send 90 requests a second while hostile ones take turns, each for some seconds of a minute.
 *
 * <p>Labels are waited for less long than by default, so that what waits is soon as much as it will
 * be. The heap is looked at between two turns, by a full collection, which honest clients notice.
 * What must hold of requests must hold for clients that repeat what was refused, as the reply says:
 * the server sheds load by its own limits, which know no addresses.
 */
@Tag("long") // a minute at least
class SiegeTest {
  private static final int MINUTES = Integer.getInteger("avm4j.siege.minutes", 1);
  private static final long TURN_NANOS = 6_000_000_000L;

  /** When the heap is looked at, as shares of the time. */
  private static final double[] MARKS = {0.1, 0.5, 1};

  private static final String HONEST = "127.0.0.2";
  private static final Pattern ID = Pattern.compile("\"id\":\"([^\"]+)\"");
  private static final String[] BEARER = {"authorization", "Bearer " + AttackedServer.TOKEN};

  @TempDir Path folder;

  private final List<byte[]> bodies = Attacks.tinyValues(300_000);
  private final byte[] resets = Attacks.resets();
  private final String rows = "[" + "[1,2],".repeat(2000) + "[1,2]]";
  private final Map<Integer, Integer> statuses = new TreeMap<>();
  private final List<Socket> idle = new ArrayList<>();
  private AttackedServer server;
  private Attacks attacks;
  private int bodiesSent;
  private int classes;
  private long[] refused = {};

  private interface Turn {
    void run() throws Exception;
  }

  @BeforeEach
  void start() throws Exception {
    String names = "--allowed-hosts=127.0.0.1,localhost," + Nginx.NAME;
    server = new AttackedServer(folder, "-Xmx512m", "--labels-within=2m", names);
    attacks = new Attacks(server);
  }

  @AfterEach
  void kill() {
    server.kill();
  }

  @Test
  void bare() throws Exception {
    honestClientsAreServedAndNothingGrows(
        new HonestClients(() -> new Socket(InetAddress.getLoopbackAddress(), server.port())));
  }

  /** Honest clients have an address of their own. */
  @Test
  void behindNginx() throws Exception {
    Path own = Files.createDirectory(folder.resolve("nginx"));
    Nginx nginx = new Nginx(own, server.port(), "localhost 127.0.0.1");
    try {
      server.behind(nginx);
      honestClientsAreServedAndNothingGrows(
          new HonestClients(() -> nginx.connect(HONEST, Nginx.NAME, "http/1.1")));
    } finally {
      nginx.stop();
    }
  }

  private void honestClientsAreServedAndNothingGrows(HonestClients honest) throws Exception {
    double processor = server.processorSeconds();
    honest.predict(8, 50);
    honest.teach(6, 20);
    double[] heap;
    try {
      heap = besiege(honest);
    } finally {
      honest.stop();
      Attacks.close(idle);
    }
    server.assertRepliesNormally();
    processor = server.processorSeconds() - processor;
    double[] millis = honest.millis();
    System.out.printf(
        "%d minutes, %.1f s of processor time%nhonest: %s; %.3f %% served at first, %.3f %% in the"
            + " end%np50 %.2f, p99 %.2f, p99.9 %.2f, max %.0f ms%nhostile: %s%n"
            + "honest ones not served at first, by turn: %s, for %s%nheap %s MB%n",
        MINUTES,
        processor,
        honest.statuses(),
        honest.served(),
        honest.servedInTheEnd(),
        quantile(millis, 0.5),
        quantile(millis, 0.99),
        quantile(millis, 0.999),
        quantile(millis, 1),
        statuses,
        Arrays.toString(refused),
        honest.refusals(),
        Arrays.toString(heap));
    assertTrue(honest.servedInTheEnd() >= 99.9, "served in the end");
    assertTrue(heap[2] < heap[1] + Math.max(20, 0.15 * heap[1]), "heap " + Arrays.toString(heap));
    assertFalse(statuses.containsKey(500), "statuses " + statuses);
    server.assertNothingLostAndStop();
  }

  private static double quantile(double[] sorted, double q) {
    return sorted[(int) Math.min(sorted.length - 1, q * sorted.length)];
  }

  /** The heap after a collection, in MB, after a tenth of the time, a half of it, and all. */
  private double[] besiege(HonestClients honest) throws Exception {
    List<Turn> turns =
        List.of(
            this::idleConnections,
            this::tinyValues,
            this::resetsOnNewConnections,
            this::slowReaders,
            this::headersThatDrip,
            this::labelsOfUnknownIds,
            this::poisonedLabels,
            this::wrongTokens,
            this::largeBodies,
            this::pipeliningWithoutReading);
    double[] heap = new double[MARKS.length];
    refused = new long[turns.size()];
    long begin = System.nanoTime();
    int marks = 0;
    for (int k = 0; marks < heap.length; k++) {
      int turn = k % turns.size();
      long before = honest.notServedAtFirst();
      try {
        turns.get(turn).run();
      } catch (IOException e) {
        count(0); // cut off, which is fine
      }
      long rest = begin + (k + 1) * TURN_NANOS - System.nanoTime();
      Thread.sleep(Math.max(2000, rest / 1_000_000 + 1));
      refused[turn] += honest.notServedAtFirst() - before;
      double minutes = (System.nanoTime() - begin) / 60e9;
      if (minutes >= MARKS[marks] * MINUTES && (marks < 2 || k >= turns.size() - 1)) {
        heap[marks++] = server.heap();
        System.out.printf("%.1f minutes, %d turns: %s MB%n", minutes, k + 1, Arrays.toString(heap));
      }
    }
    return heap;
  }

  private void count(int status) {
    statuses.merge(status, 1, Integer::sum);
  }

  /** They stay until they are opened anew. */
  private void idleConnections() throws Exception {
    Attacks.close(idle);
    idle.clear();
    for (int k = 0; k < 500; k++) {
      idle.add(server.connect(k % 2 == 0 ? "" : Attacks.post(20)));
    }
  }

  /** Some of all bodies on some of all routes. */
  private void tinyValues() throws Exception {
    for (int k = 0; k < 8; k++, bodiesSent++) {
      byte[] body = bodies.get(bodiesSent % bodies.size());
      int route = bodiesSent / bodies.size() % Attacks.WITH_BODIES.size();
      boolean packed = bodiesSent % 7 == 0;
      count(
          attacks.reply(
              Attacks.WITH_BODIES.get(route), packed ? Attacks.packed(body) : body, packed));
    }
  }

  private void resetsOnNewConnections() throws Exception {
    for (int k = 0; k < 30; k++) {
      attacks.sendAlone(resets);
      Thread.sleep(50);
    }
  }

  private void slowReaders() throws Exception {
    List<Socket> sockets = new ArrayList<>();
    for (int k = 0; k < 60; k++) {
      sockets.add(attacks.slowReader(rows));
      Thread.sleep(20);
    }
    Thread.sleep(2000);
    Attacks.close(sockets);
  }

  private void headersThatDrip() throws Exception {
    List<Socket> sockets = new ArrayList<>();
    for (int k = 0; k < 200; k++) {
      sockets.add(server.connect("GET / HTTP/1.1\r\nhost: localhost\r\nx-a: "));
    }
    for (int k = 0; k < 20; k++) {
      sockets.forEach(Attacks::drip);
      Thread.sleep(100);
    }
    Attacks.close(sockets);
  }

  private void labelsOfUnknownIds() throws Exception {
    for (int k = 0; k < 300; k++) {
      String body = "{\"id\":\"" + System.nanoTime() + "\",\"label\":\"yes\"}";
      count(server.post("/v1/label", body, BEARER).statusCode());
    }
  }

  /** Ever new classes, numbers where classes are learned, and rows of huge values. */
  private void poisonedLabels() throws Exception {
    for (int k = 0; k < 150; k++) {
      String row = k % 5 == 0 ? "{\"a\":1e300,\"b\":-1e300}" : "{\"a\":1,\"b\":2}";
      HttpResponse<String> predicted = server.post("/v1/predict", row, BEARER);
      count(predicted.statusCode());
      Matcher id = ID.matcher(predicted.body());
      if (id.find()) {
        String label = k % 3 == 0 ? "\"target\":1e300" : "\"label\":\"c" + classes++ + "\"";
        String body = "{\"id\":\"" + id.group(1) + "\"," + label + "}";
        count(server.post("/v1/label", body, BEARER).statusCode());
      }
    }
  }

  private void wrongTokens() throws Exception {
    for (int k = 0; k < 300; k++) {
      String wrong = "Bearer " + "0123456789".repeat(1 + k % 20) + k;
      count(server.post("/v1/learn", "[1,2]", "authorization", wrong).statusCode());
    }
  }

  private void largeBodies() throws Exception {
    byte[] spaces = new byte[16 << 20];
    Arrays.fill(spaces, (byte) ' ');
    byte[] many = ("[" + "[1,2],".repeat(9000) + "[1,2]]").getBytes(StandardCharsets.US_ASCII);
    for (int k = 0; k < 6; k++) {
      count(attacks.reply(Attacks.WITH_BODIES.get(k), spaces, false));
      count(attacks.reply(AttackedServer.PREDICT, many, false));
    }
  }

  private void pipeliningWithoutReading() throws Exception {
    byte[] many = (Attacks.post(5) + "[1,2]").repeat(500).getBytes(StandardCharsets.US_ASCII);
    List<Socket> sockets = List.of(server.connect(""), server.connect(""));
    List<Thread> writers = new ArrayList<>();
    for (Socket socket : sockets) {
      writers.add(new Thread(() -> Attacks.flood(socket, many, 20)));
    }
    writers.forEach(Thread::start);
    Thread.sleep(500);
    Attacks.close(sockets);
    for (Thread writer : writers) {
      writer.join();
    }
  }
}
