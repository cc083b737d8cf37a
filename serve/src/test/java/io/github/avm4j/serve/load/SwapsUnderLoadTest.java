// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.pipeline.RowModel;
import io.github.avm4j.serve.RunningServer;
import io.github.avm4j.serve.TestModels;
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
 * Versions swapped while requests come: none fails, and every prediction is that of the version it
 * names, all its rows; what is left of the heap after a collection does not grow. {@code
 * -Davm4j.swaps=1000 -Davm4j.swap.ms=1800 -Davm4j.swap.pause.ms=1} is the long run.
 */
class SwapsUnderLoadTest {
  private static final int SWAPS = Integer.getInteger("avm4j.swaps", 60);
  private static final int GAP_MILLIS = Integer.getInteger("avm4j.swap.ms", 30);

  /** What a client waits between a response and its next request. */
  private static final int PAUSE_MILLIS = Integer.getInteger("avm4j.swap.pause.ms", 0);

  private static final int CLIENTS = 3;
  private static final int KINDS = 4;
  private static final int HEAPS = 10;
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path folder;

  @Test
  void noPredictionFailsOrMixesVersions() throws Exception {
    List<RowModel> kinds = new ArrayList<>();
    double[][] expected = new double[KINDS][2];
    for (int k = 0; k < KINDS; k++) {
      kinds.add(TestModels.numbered(3, 60, k));
      expected[k][0] = kinds.get(k).model().score(FeatureVector.dense(0.5, -1, 2));
      expected[k][1] = kinds.get(k).model().score(FeatureVector.dense(1, 1, 1));
    }
    RunningServer.put(folder, "m-0.avm", kinds.get(0));
    AtomicBoolean end = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    try (RunningServer server = new RunningServer(folder, "--max-queue-ms=10000")) {
      List<Future<Long>> clients = new ArrayList<>();
      for (int c = 0; c < CLIENTS; c++) {
        clients.add(threads.submit(() -> ask(server.server().port(), expected, end)));
      }
      List<Double> heaps = swap(kinds, clients);
      RunningServer.await(
          "the last version", () -> version(server).equals(Integer.toString(SWAPS)));
      end.set(true);
      long predictions = 0;
      for (Future<Long> client : clients) {
        predictions += client.get();
      }
      heaps.add(heap());
      System.out.printf(
          "%d swaps, %d loaded, %,d predictions, MB of heap after each tenth: %s%n",
          SWAPS, server.server().repository().loads(), predictions, heaps);
      assertEquals(0, server.server().repository().refusals());
      assertTrue(server.server().repository().loads() > SWAPS / 10, "versions were taken");
      double early = heaps.get(heaps.size() / 4);
      assertTrue(heaps.get(heaps.size() - 1) <= early + 20, "heap grew: " + heaps);
    } finally {
      end.set(true);
      threads.shutdown();
    }
  }

  /** Writes version after version; the heap after each tenth of them but the last. */
  private List<Double> swap(List<RowModel> kinds, List<Future<Long>> clients) throws Exception {
    List<Double> heaps = new ArrayList<>();
    for (int v = 1; v <= SWAPS; v++) {
      RunningServer.put(folder, "m-" + v + ".avm", kinds.get(v % KINDS));
      Files.deleteIfExists(folder.resolve("m-" + (v - 5) + ".avm"));
      Thread.sleep(GAP_MILLIS);
      for (Future<Long> client : clients) {
        if (client.isDone()) {
          client.get();
        }
      }
      if (v < SWAPS && v * HEAPS / SWAPS > heaps.size()) {
        heaps.add(heap());
      }
    }
    return heaps;
  }

  private static String version(RunningServer server) throws Exception {
    return RunningServer.json(server.get("/v1/models"))
        .path("models")
        .path(0)
        .path("version")
        .asText();
  }

  private static long ask(int port, double[][] expected, AtomicBoolean end) throws Exception {
    long predictions = 0;
    long last = 0;
    try (KeptConnection server =
        new KeptConnection(port, "/v1/predict", "[[0.5, -1, 2], [1, 1, 1]]")) {
      while (!end.get()) {
        JsonNode json = JSON.readTree(server.ask());
        long version = json.path("version").asLong();
        assertTrue(version >= last, "versions never go back");
        last = version;
        for (int r = 0; r < 2; r++) {
          assertEquals(
              expected[(int) (version % KINDS)][r],
              json.path("predictions").path(r).path("score").asDouble(),
              1e-12,
              "row " + r + " of version " + version);
        }
        predictions++;
        if (PAUSE_MILLIS > 0) {
          Thread.sleep(PAUSE_MILLIS);
        }
      }
    }
    return predictions;
  }

  /** Megabytes in use right after a collection, to a tenth. */
  private static double heap() throws InterruptedException {
    System.gc();
    Thread.sleep(50);
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return Math.round((runtime.totalMemory() - runtime.freeMemory()) / 1e5) / 10.0;
  }
}
