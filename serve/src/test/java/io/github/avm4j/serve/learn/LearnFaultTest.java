// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.learn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.avm4j.pipeline.RowLearner;
import io.github.avm4j.serve.RunningServer;
import io.github.avm4j.serve.ServeMain;
import io.github.avm4j.serve.load.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What was acknowledged is learned once, in order, whatever ends the process: the state in the end
 * is that of one learner that learned every acknowledged row. {@code -Davm4j.learn.kills=10} for
 * more of it.
 */
class LearnFaultTest {
  private static final int KILLS = Integer.getInteger("avm4j.learn.kills", 2);

  @TempDir Path temporary;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final TaughtRows rows = new TaughtRows(11);
  private int port;

  private ServerProcess start(String... more) throws IOException {
    String[] arguments = new String[more.length + 2];
    arguments[0] = "--port=0";
    arguments[1] = "--learn=" + temporary.resolve("loop");
    System.arraycopy(more, 0, arguments, 2, more.length);
    ServerProcess process =
        new ServerProcess(temporary.resolve("log"), ServeMain.class.getName(), arguments);
    port = process.port();
    return process;
  }

  private HttpResponse<String> post(String path, String body)
      throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private String predict(Map<String, Object> row) throws IOException, InterruptedException {
    HttpResponse<String> response = post("/v1/predict", TaughtRows.json(row));
    assertEquals(200, response.statusCode(), response.body());
    return new ObjectMapper().readTree(response.body()).get("id").asText();
  }

  private static String label(String id, Map<String, Object> row) {
    return "{\"id\":\"%s\",\"label\":\"%s\"}".formatted(id, TaughtRows.label(row));
  }

  /** Teaches until the server is gone; the label that has no reply then is asked about later. */
  private final class Caller extends Thread {
    private volatile boolean ended;
    private Map<String, Object> open = Map.of();
    private String openId = "";
    private AssertionError problem;

    @Override
    public void run() {
      try {
        while (!ended) {
          Map<String, Object> row = rows.next();
          String id = predict(row);
          open = row;
          openId = id;
          HttpResponse<String> response = post("/v1/label", label(id, row));
          if (response.statusCode() == 503) {
            return; // it is being stopped
          }
          assertEquals(200, response.statusCode(), response.body());
          rows.acknowledged(row);
          openId = "";
        }
      } catch (IOException e) {
        return; // it is gone
      } catch (InterruptedException e) {
        interrupt();
      } catch (AssertionError e) {
        problem = e;
      }
    }

    /** Was it learned? If not, it is now. */
    void settle() throws Exception {
      if (problem != null) {
        throw problem;
      }
      if (openId.isEmpty()) {
        return;
      }
      HttpResponse<String> again = post("/v1/label", label(openId, open));
      if (again.statusCode() == 404) {
        again = post("/v1/learn", TaughtRows.json(open, TaughtRows.label(open)));
      }
      assertTrue(again.statusCode() == 200 || again.statusCode() == 409, again.body());
      rows.acknowledged(open);
    }
  }

  @Test
  void killedOrTerminatedNothingAcknowledgedIsLostOrLearnedTwice() throws Exception {
    Random random = new Random(7);
    Caller caller = new Caller();
    for (int k = 0; k < 2 * KILLS; k++) {
      try (ServerProcess process = start("--save-every=100ms")) {
        caller.settle();
        int enough = rows.size() + (k == 0 ? 120 : 40 + random.nextInt(150));
        caller = new Caller();
        caller.start();
        while (caller.isAlive() && rows.size() < enough) {
          Thread.sleep(1 + random.nextInt(5));
        }
        if (k % 2 == 0) {
          process.kill();
        } else {
          assertEquals(143, process.terminate());
        }
        caller.ended = true;
        caller.join();
      }
    }
    try (ServerProcess process = start()) {
      caller.settle();
      assertEquals(143, process.terminate());
    }
    byte[] state = RowLearner.read(temporary.resolve("loop").resolve("learner.avm")).toBytes();
    assertArrayEquals(rows.learned(), state, rows.size() + " rows");
  }

  private static boolean limit(ServerProcess process, String bytes) throws Exception {
    try {
      return new ProcessBuilder(
                  "prlimit", "--pid", Long.toString(process.pid()), "--fsize=" + bytes)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private double metric(String name) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics")).build();
    String all = client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    String rest = all.substring(all.indexOf("\n" + name + " ") + name.length() + 2);
    return Double.parseDouble(rest.substring(0, rest.indexOf('\n')));
  }

  private void teach(int count) throws IOException, InterruptedException {
    for (int k = 0; k < count; k++) {
      Map<String, Object> row = rows.next();
      String taught = TaughtRows.json(row, TaughtRows.label(row));
      assertEquals(200, post("/v1/learn", taught).statusCode());
      rows.acknowledged(row);
    }
  }

  /** The journal has room, the file has not: rows are learned, and operators are told. */
  @Test
  void aFileThatCannotBeSavedIsToldAndNothingIsLost() throws Exception {
    Path file = temporary.resolve("loop").resolve("learner.avm");
    try (ServerProcess process = start("--save-every=100ms")) {
      assumeTrue(limit(process, "10000:unlimited"), "needs prlimit, of Linux");
      teach(110);
      RunningServer.await("the gauge", () -> metric("avm_state_up") == 0);
      teach(5);
      predict(rows.next());
      assertTrue(Files.notExists(file) || Files.size(file) > 10_000, "no part of a file");
      assertTrue(limit(process, "unlimited:unlimited"));
      RunningServer.await("a save", () -> metric("avm_state_up") == 1);
      assertTrue(Files.exists(file));
      teach(5);
      process.kill();
    }
    assertTrue(Files.readString(temporary.resolve("log")).contains("\"learner_not_saved\""));
    try (ServerProcess process = start()) {
      assertEquals(143, process.terminate());
    }
    assertArrayEquals(rows.learned(), RowLearner.read(file).toBytes(), rows.size() + " rows");
  }

  @Test
  void aDiskThatTakesNoMoreRefusesLabelsAndPredictionsGoOn() throws Exception {
    try (ServerProcess process = start()) {
      teach(110);
      assumeTrue(limit(process, "64:unlimited"), "needs prlimit, of Linux");
      Map<String, Object> row = rows.next();
      String id = predict(row);
      for (int k = 0; k < 3; k++) {
        HttpResponse<String> refused = post("/v1/label", label(id, row));
        assertEquals(503, refused.statusCode(), refused.body());
        assertTrue(refused.body().contains("free space"), refused.body());
        predict(rows.next());
      }
      assertTrue(limit(process, "unlimited:unlimited"));
      assertEquals(200, post("/v1/label", label(id, row)).statusCode(), "the row still waits");
      rows.acknowledged(row);
      process.kill();
    }
    assertTrue(Files.readString(temporary.resolve("log")).contains("\"event\":\"journal_back\""));
    try (ServerProcess process = start()) {
      assertEquals(143, process.terminate());
    }
    byte[] state = RowLearner.read(temporary.resolve("loop").resolve("learner.avm")).toBytes();
    assertArrayEquals(rows.learned(), state, rows.size() + " rows");
  }
}
