// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Predictions of a server that learns, with and without 1,000 labelled rows a second that it learns
 * beside them. For figures: {@code -Davm4j.load.seconds=8} on a quiet machine.
 */
@Tag("long") // figures
class LearnLoadTest {
  private static final double SECONDS = Integer.getInteger("avm4j.load.seconds", 2);
  private static final double RATE = 1000;

  @TempDir Path folder;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final AtomicInteger taught = new AtomicInteger();
  private volatile boolean teaching;

  private String post(int port, String path, String body) throws Exception {
    HttpResponse<String> response =
        client.send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    assertEquals(200, response.statusCode(), response.body());
    return response.body();
  }

  private static String row(double[] x) {
    StringBuilder json = new StringBuilder("{");
    for (int j = 0; j < x.length; j++) {
      json.append(j == 0 ? "" : ",").append("\"x").append(j).append("\":").append(x[j]);
    }
    return json.append('}').toString();
  }

  private static double[] next(Random random) {
    double[] x = new double[8];
    java.util.Arrays.setAll(x, j -> Math.rint(random.nextGaussian() * 1e4) / 1e4);
    return x;
  }

  private static String label(double[] x) {
    return x[0] * x[1] + x[2] > 0 ? "yes" : "no";
  }

  /** Ten rows a hundred times a second: one client with other clients beside it can do that. */
  private Thread teacher(int port, long seed) {
    Thread thread =
        new Thread(
            () -> {
              Random random = new Random(seed);
              long due = System.nanoTime();
              try {
                while (teaching) {
                  post(port, "/v1/learn", rows(random, 10));
                  taught.addAndGet(10);
                  due += (long) (1e10 / RATE);
                  LockSupport.parkNanos(due - System.nanoTime());
                }
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    thread.start();
    return thread;
  }

  private static String rows(Random random, int count) {
    StringBuilder rows = new StringBuilder("[");
    for (int r = 0; r < count; r++) {
      double[] x = next(random);
      String json = row(x);
      rows.append(r == 0 ? "" : ",").append(json, 0, json.length() - 1);
      rows.append(",\"label\":\"").append(label(x)).append("\"}");
    }
    return rows.append(']').toString();
  }

  private void line(String what, Load load, double labels) {
    System.out.printf("| %s | %.0f | %s%n", what, labels, load.cells());
    assertEquals(0, load.failed, what);
  }

  @Test
  void table() throws Exception {
    try (ServerProcess server =
        new ServerProcess(
            folder.resolve("log"),
            "io.github.avm4j.serve.ServeMain",
            "--port=0",
            "--learn=" + folder.resolve("loop"))) {
      int port = server.port();
      Random random = new Random(1);
      for (int k = 0; k < 4; k++) {
        post(port, "/v1/learn", rows(random, 500));
      }
      byte[] body = row(next(random)).getBytes(StandardCharsets.UTF_8);
      RestClient busy = new RestClient(port, "/v1/predict", body, 16, 16);
      busy.run(0, 2 * SECONDS);
      System.out.println("| 16 at once | labels/s | responses/s | shed % | p50 | p99 | p99.9 ms |");
      line("predictions alone", busy.run(0, SECONDS), 0);
      teaching = true;
      Thread teacher = teacher(port, 10);
      busy.run(0, SECONDS);
      int before = taught.get();
      Load full = busy.run(0, SECONDS);
      double labels = (taught.get() - before) / SECONDS;
      line("beside labels", full, labels);
      teaching = false;
      teacher.join();
      line("alone again", busy.run(0, SECONDS), 0);
      // At a rate that leaves room: what a label costs a prediction that comes beside it.
      RestClient even = new RestClient(port, "/v1/predict", body, 64, 64);
      line("2,000 a second, alone", even.run(2000, SECONDS), 0);
      teaching = true;
      teacher = teacher(port, 20);
      before = taught.get();
      Load beside = even.run(2000, SECONDS);
      labels = (taught.get() - before) / SECONDS;
      line("2,000 a second, beside labels", beside, labels);
      teaching = false;
      teacher.join();
      assertTrue(labels > 0);
      assertEquals(0, even.run(2000, 0.1).failed);
    }
  }
}
