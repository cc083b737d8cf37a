// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.pipeline.RowModel;
import io.github.avm4j.serve.RunningServer;
import io.github.avm4j.serve.TestModels;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Versions swapped while requests come: none fails, and every answer is that of the version it
 * names, all its rows. {@code -Davm4j.swaps=1000 -Davm4j.swap.ms=1800} is the long run.
 */
class SwapsUnderLoadTest {
  private static final int SWAPS = Integer.getInteger("avm4j.swaps", 60);
  private static final int GAP_MILLIS = Integer.getInteger("avm4j.swap.ms", 30);
  private static final int KINDS = 4;

  @TempDir Path folder;

  @Test
  void noAnswerFailsOrMixesVersions() throws Exception {
    List<RowModel> kinds = new ArrayList<>();
    double[][] expected = new double[KINDS][2];
    for (int k = 0; k < KINDS; k++) {
      kinds.add(TestModels.numbered(3, 60, k));
      expected[k][0] = kinds.get(k).model().score(FeatureVector.dense(0.5, -1, 2));
      expected[k][1] = kinds.get(k).model().score(FeatureVector.dense(1, 1, 1));
    }
    RunningServer.put(folder, "m-0.avm", kinds.get(0));
    AtomicBoolean end = new AtomicBoolean();
    try (RunningServer server = new RunningServer(folder, "--max-queue-ms=10000")) {
      ExecutorService threads = Executors.newFixedThreadPool(3);
      List<Future<Long>> clients = new ArrayList<>();
      for (int c = 0; c < 3; c++) {
        clients.add(threads.submit(() -> ask(server, expected, end)));
      }
      long early = 0;
      for (int v = 1; v <= SWAPS; v++) {
        RunningServer.put(folder, "m-" + v + ".avm", kinds.get(v % KINDS));
        Files.deleteIfExists(folder.resolve("m-" + (v - 5) + ".avm"));
        Thread.sleep(GAP_MILLIS);
        early = v == SWAPS / 4 ? heap() : early;
      }
      RunningServer.await(
          "the last version", () -> version(server).equals(Integer.toString(SWAPS)));
      end.set(true);
      long answers = 0;
      for (Future<Long> client : clients) {
        answers += client.get();
      }
      threads.shutdown();
      assertEquals(0, server.server().repository().refusals());
      assertTrue(server.server().repository().loads() > SWAPS / 10, "versions were taken");
      long late = heap();
      System.out.printf(
          "%d swaps, %d loaded, %d answers, heap %.1f MB then %.1f MB%n",
          SWAPS, server.server().repository().loads(), answers, early / 1e6, late / 1e6);
      assertTrue(late < early + 20_000_000, "heap grew from " + early + " to " + late);
    }
  }

  private static String version(RunningServer server) throws Exception {
    return RunningServer.json(server.get("/v1/models"))
        .path("models")
        .path(0)
        .path("version")
        .asText();
  }

  private static long ask(RunningServer server, double[][] expected, AtomicBoolean end)
      throws Exception {
    long answers = 0;
    long last = 0;
    while (!end.get()) {
      HttpResponse<String> reply = server.post("/v1/predict", "[[0.5, -1, 2], [1, 1, 1]]");
      assertEquals(200, reply.statusCode(), reply.body());
      JsonNode json = RunningServer.json(reply);
      long version = json.path("version").asLong();
      assertTrue(version >= last, "versions never go back");
      last = version;
      for (int r = 0; r < 2; r++) {
        assertEquals(
            expected[(int) (version % KINDS)][r],
            json.path("answers").path(r).path("score").asDouble(),
            1e-12,
            "row " + r + " of version " + version);
      }
      answers++;
    }
    return answers;
  }

  private static long heap() throws InterruptedException {
    for (int k = 0; k < 3; k++) {
      System.gc();
      Thread.sleep(50);
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
