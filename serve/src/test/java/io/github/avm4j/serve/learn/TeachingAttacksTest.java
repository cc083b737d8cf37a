// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.learn;

import static io.github.avm4j.serve.learn.LearnTest.assertRefused;
import static io.github.avm4j.serve.learn.LearnTest.good;
import static io.github.avm4j.serve.learn.LearnTest.metric;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.serve.RunningServer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a server learns from those who mean it harm: nothing that ends it, or that nobody taught.
 */
class TeachingAttacksTest {
  @TempDir Path folder;

  private RunningServer server(String... flags) throws Exception {
    return LearnTest.server(folder, flags);
  }

  private static String row(String... cells) {
    return "{" + String.join(",", cells) + "}";
  }

  private static String rows(int from, int to, IntFunction<String> row) {
    return IntStream.range(from, to).mapToObj(row).collect(Collectors.joining(",", "[", "]"));
  }

  @Test
  void targetsBeyondAllMeasureLeaveTheErrorFinite() throws Exception {
    try (RunningServer server = server()) {
      good(server.post("/v1/learn", rows(0, 5, k -> row("\"a\":" + k, "\"target\":" + k))));
      for (int round = 0; round < 2; round++) { // while columns are inferred, and later
        for (String target : List.of("1e300", "-1.1e100", "1e999", "\"Infinity\"", "\"NaN\"")) {
          String poisoned = row("\"a\":3", "\"target\":" + target);
          assertRefused(400, "finite number", server.post("/v1/learn", poisoned));
          String id = good(server.post("/v1/predict", "{\"a\":3}")).get("id").asText();
          String label = row("\"id\":\"" + id + "\"", "\"target\":" + target);
          assertRefused(400, "finite number", server.post("/v1/label", label));
        }
        good(server.post("/v1/learn", rows(0, 150, k -> row("\"a\":" + k, "\"target\":" + k))));
      }
      good(server.post("/v1/learn", row("\"a\":3", "\"target\":1e99"))); // large, and allowed
      RunningServer.await("the metrics", () -> metric(server, "avm_learn_rows_total") == 306);
      assertTrue(Double.isFinite(metric(server, "avm_learn_loss_total")));
      assertTrue(Double.isFinite(metric(server, "avm_learn_baseline_loss_total")));
      double predicted =
          good(server.post("/v1/predict", "{\"a\":3}")).get("prediction").asDouble(Double.NaN);
      assertTrue(Double.isFinite(predicted), "predicts " + predicted);
    }
  }

  @Test
  void newClassesEndAtAThousand() throws Exception {
    IntFunction<String> fresh = k -> row("\"a\":" + k % 7, "\"label\":\"c" + k + "\"");
    try (RunningServer server = server()) {
      for (int k = 0; k < 1000; k += 100) {
        good(server.post("/v1/learn", rows(k, k + 100, fresh)));
      }
      for (int k = 1000; k < 1100; k += 20) {
        assertRefused(400, "1000 classes", server.post("/v1/learn", rows(k, k + 20, fresh)));
      }
      assertEquals(1001, good(server.post("/v1/learn", fresh.apply(7))).get("rows").asInt());
      good(server.post("/v1/predict", "{\"a\":3}"));
    }
    try (RunningServer server = server()) {
      assertRefused(400, "1000 classes", server.post("/v1/learn", fresh.apply(1000)));
      assertEquals(1001, metric(server, "avm_learn_rows_total"));
    }
  }

  @Test
  void newColumnsEndAtAThousand() throws Exception {
    IntFunction<String> wide = from -> wide(from, 900) + ",\"label\":\"x\"}";
    try (RunningServer server = server()) {
      good(server.post("/v1/learn", wide.apply(0)));
      assertRefused(400, "schema.json", server.post("/v1/learn", wide.apply(900)));
      assertRefused(413, "columns", server.post("/v1/learn", wide(0, 10_001) + "}"));
      assertRefused(413, "columns", server.post("/v1/predict", wide(0, 10_001) + "}"));
      String many =
          Stream.generate(() -> wide.apply(0)).limit(300).collect(Collectors.joining(","));
      assertRefused(413, "250000 cells", server.post("/v1/learn", "[" + many + "]"));
      assertEquals(2, good(server.post("/v1/learn", wide.apply(50))).get("rows").asInt());
    }
  }

  private static String wide(int from, int count) {
    return IntStream.range(from, from + count)
        .mapToObj(k -> "\"c" + k + "\":1")
        .collect(Collectors.joining(",", "{", ""));
  }

  @Test
  void ofAFloodOfLabelsForOneIdOneIsLearned() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try (RunningServer server = server()) {
      String id = good(server.post("/v1/predict", "{\"a\":1}")).get("id").asText();
      List<Future<Integer>> replies = new ArrayList<>();
      for (int k = 0; k < 400; k++) {
        String label = row("\"id\":\"" + id + "\"", "\"label\":\"c" + k % 5 + "\"");
        replies.add(threads.submit(() -> server.post("/v1/label", label).statusCode()));
      }
      int learned = 0;
      for (Future<Integer> reply : replies) {
        learned += reply.get() == 200 ? 1 : 0;
        assertTrue(List.of(200, 409).contains(reply.get()), "status " + reply.get());
      }
      assertEquals(1, learned);
      assertEquals(
          2, good(server.post("/v1/learn", "{\"a\":1,\"label\":\"x\"}")).get("rows").asInt());
    } finally {
      threads.shutdown();
    }
    assertEquals(2, lines());
  }

  private long lines() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("loop"))) {
      Path journal = files.filter(f -> f.toString().endsWith(".jsonl")).findFirst().orElseThrow();
      return Files.readAllLines(journal).size();
    }
  }

  /** Ids are random, and only who has a prediction has its id; each may be labelled by teachers. */
  @Test
  void idsThatAreGuessedOrOfAnOpenPredictionLabelNothing() throws Exception {
    String[] teacher = {"authorization", "Bearer " + RunningServer.TOKEN};
    Path models = Files.createDirectory(folder.resolve("models"));
    try (RunningServer server = new RunningServer(models, "--learn=" + folder.resolve("loop"))) {
      String open = good(server.post("/v1/predict", "{\"a\":1}")).get("id").asText();
      List<String> ids = new ArrayList<>(List.of(open, "0", "", "../../lock"));
      for (int k = 0; k < 50; k++) {
        ids.add(UUID.randomUUID().toString());
      }
      for (String id : ids) {
        String label = row("\"id\":\"" + id + "\"", "\"label\":\"x\"");
        assertRefused(404, "no row waits", server.post("/v1/label", label, teacher));
      }
      assertEquals(0, metric(server, "avm_learn_rows_total"));
    }
    assertEquals(0, lines());
  }

  @Test
  void withoutThePermissionNothingChanges() throws Exception {
    Path tokens =
        Files.writeString(
            folder.resolve("tokens"), "a predicts-only-01234 predict,explain,inspect,metrics\n");
    try (RunningServer server = server("--token-file=" + tokens)) {
      String row = "{\"a\":1,\"label\":\"x\"}";
      for (String token : List.of("", "Bearer wrong", "Bearer predicts-only-01234")) {
        String[] headers = token.isEmpty() ? new String[0] : new String[] {"authorization", token};
        HttpResponse<String> predicted = server.post("/v1/predict", "{\"a\":1}", headers);
        assertEquals(token.endsWith("wrong") ? 401 : 200, predicted.statusCode(), token);
        String id = predicted.statusCode() == 200 ? good(predicted).get("id").asText() : "i";
        int status = token.endsWith("01234") ? 403 : 401;
        String label = row("\"id\":\"" + id + "\"", "\"label\":\"x\"");
        assertEquals(status, server.post("/v1/label", label, headers).statusCode(), token);
        assertEquals(status, server.post("/v1/learn", row, headers).statusCode(), token);
      }
      assertEquals(0, metric(server, "avm_learn_waiting"));
      assertEquals(0, metric(server, "avm_learn_rows_total"));
    }
    assertEquals(0, lines());
  }

  @Test
  void aClockThatJumpsEndsNobodysTime() throws Exception {
    AtomicLong millis = new AtomicLong(Instant.parse("2026-06-01T00:00:00Z").toEpochMilli());
    Clock jumping =
        new Clock() {
          @Override
          public ZoneId getZone() {
            return ZoneOffset.UTC;
          }

          @Override
          public Clock withZone(ZoneId zone) {
            return this;
          }

          @Override
          public Instant instant() {
            return Instant.ofEpochMilli(millis.get());
          }
        };
    String learn = "--learn=" + folder.resolve("loop");
    try (RunningServer server = new RunningServer(jumping, null, learn)) {
      for (Duration jump : List.of(Duration.ofHours(2), Duration.ofDays(-900))) {
        String id = good(server.post("/v1/predict", "{\"a\":1}")).get("id").asText();
        millis.addAndGet(jump.toMillis());
        good(server.post("/v1/label", row("\"id\":\"" + id + "\"", "\"label\":\"x\"")));
      }
    }
  }
}
