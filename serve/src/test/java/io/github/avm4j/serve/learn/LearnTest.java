// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.learn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.pipeline.RowLearner;
import io.github.avm4j.serve.RunningServer;
import io.github.avm4j.serve.operate.Settings;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The loop from a prediction to its label to learning, over HTTP. */
class LearnTest {
  @TempDir Path temporary;

  private RunningServer server(String... flags) throws Exception {
    return server(temporary, flags);
  }

  /** One that learns in the folder {@code loop} of a folder. */
  static RunningServer server(Path folder, String... flags) throws Exception {
    String[] all =
        Stream.concat(Stream.of("--learn=" + folder.resolve("loop")), Stream.of(flags))
            .toArray(String[]::new);
    return new RunningServer((Path) null, all);
  }

  private Path file() {
    return temporary.resolve("loop").resolve("learner.avm");
  }

  private Path journal() throws IOException {
    try (Stream<Path> files = Files.list(temporary.resolve("loop"))) {
      List<Path> found = files.filter(path -> path.toString().endsWith(".jsonl")).toList();
      assertEquals(1, found.size(), found.toString());
      return found.get(0);
    }
  }

  static JsonNode good(HttpResponse<String> response) throws Exception {
    assertEquals(200, response.statusCode(), response.body());
    return RunningServer.json(response);
  }

  static void assertRefused(int status, String words, HttpResponse<String> response) {
    assertEquals(status, response.statusCode(), response.body());
    assertTrue(response.body().contains(words), response.body());
  }

  /** Predicts a row and labels it; the reply to the label. */
  private static JsonNode teach(RunningServer server, TaughtRows rows) throws Exception {
    Map<String, Object> row = rows.next();
    String id = good(server.post("/v1/predict", TaughtRows.json(row))).get("id").asText();
    String label = "{\"id\":\"%s\",\"label\":\"%s\"}".formatted(id, TaughtRows.label(row));
    JsonNode learned = good(server.post("/v1/label", label));
    rows.acknowledged(row);
    return learned;
  }

  static double metric(RunningServer server, String name) throws Exception {
    return server
        .get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void fromNothingToAFallingError() throws Exception {
    TaughtRows rows = new TaughtRows(1);
    try (RunningServer server = server()) {
      JsonNode nothing = good(server.post("/v1/predict", TaughtRows.json(rows.next())));
      assertTrue(nothing.get("prediction").isNull(), nothing.toString());
      assertFalse(server.log().contains("learner_read"), server.log());
      teach(server, rows);
      JsonNode early = teach(server, rows);
      assertTrue(early.get("columns").asText().contains("2 rows"), early.toString());
      JsonNode predicted = good(server.post("/v1/predict", TaughtRows.json(rows.next())));
      assertFalse(predicted.get("prediction").asText().isEmpty(), predicted.toString());
      JsonNode last = early;
      while (rows.size() < 400) {
        last = teach(server, rows);
        assertEquals(rows.size() < 100, last.has("columns"), last.toString());
      }
      assertEquals(400, last.get("rows").asInt());
      assertTrue(last.get("error").asDouble() < 0.2, last.toString());
      assertTrue(last.get("baseline").asDouble() > 0.4, last.toString());
      JsonNode learning = good(server.get("/v1/models")).get("learning");
      assertEquals(400, learning.get("rows").asInt(), learning.toString());
      RunningServer.await(
          "the metrics of now", () -> metric(server, "avm_learn_rows_total") == 400);
      RunningServer.await(
          "a model of all rows", () -> metric(server, "avm_learn_model_lag_rows") == 0);
      assertEquals(1, metric(server, "avm_state_up"));
    }
    assertArrayEquals(rows.learned(), RowLearner.read(file()).toBytes());
    assertEquals(0, Files.size(journal()), "all is in the file");
  }

  @Test
  void itGoesOnWhereItStoppedAndWithWhatWaited() throws Exception {
    TaughtRows rows = new TaughtRows(2);
    Map<String, Object> waits = rows.next();
    for (int round = 0; round < 3; round++) {
      try (RunningServer server = server()) {
        while (rows.size() < 70 * (round + 1)) {
          teach(server, rows);
        }
      }
    }
    String id;
    try (RunningServer server = server()) {
      id = good(server.post("/v1/predict", TaughtRows.json(waits))).get("id").asText();
      JsonNode learning = good(server.get("/v1/models")).get("learning");
      assertEquals(210, learning.get("rows_before").asInt(), learning.toString());
      assertTrue(server.log().contains("\"event\":\"learner_read\""), server.log());
    }
    try (RunningServer server = server()) {
      String label = "{\"id\":\"%s\",\"label\":\"%s\"}".formatted(id, TaughtRows.label(waits));
      good(server.post("/v1/label", label));
      rows.acknowledged(waits);
      assertRefused(409, "learned once", server.post("/v1/label", label));
    }
    assertArrayEquals(rows.learned(), RowLearner.read(file()).toBytes());
  }

  @Test
  void whereNothingLearnsCallersReadWhatToDo() throws Exception {
    Path models = Files.createDirectory(temporary.resolve("models"));
    for (String flag : List.of("--open=health,predict", "--token-file=")) {
      try (RunningServer server = new RunningServer(models, flag)) {
        String label = "{\"id\": \"i\", \"label\": \"x\"}";
        assertRefused(404, "--learn FOLDER", server.post("/v1/label", label));
        assertRefused(404, "--learn FOLDER", server.post("/v1/learn", "{\"label\": \"x\"}"));
      }
    }
  }

  @Test
  void aTornLastLineIsDroppedAndCounted() throws Exception {
    TaughtRows rows = new TaughtRows(3);
    try (RunningServer server = server()) {
      while (rows.size() < 30) {
        teach(server, rows);
      }
    }
    Files.writeString(journal(), "{\"age\": 41, \"ci", StandardOpenOption.APPEND);
    try (RunningServer server = server()) {
      assertEquals(1, metric(server, "avm_learn_journal_lost_total"));
      assertEquals(30, metric(server, "avm_learn_rows_total"));
      assertTrue(server.log().contains("\"event\":\"journal_torn\""), server.log());
      while (rows.size() < 120) {
        teach(server, rows);
      }
    }
    assertArrayEquals(rows.learned(), RowLearner.read(file()).toBytes());
  }

  @Test
  void rowsComeWithTheirLabelsToo() throws Exception {
    TaughtRows rows = new TaughtRows(4);
    StringBuilder many = new StringBuilder("[");
    for (int k = 0; k < 250; k++) {
      Map<String, Object> row = rows.next();
      many.append(k == 0 ? "" : ",").append(TaughtRows.json(row, TaughtRows.label(row)));
      rows.acknowledged(row);
    }
    try (RunningServer server = server("--sync=true", "--save-every=100ms")) {
      JsonNode learned = good(server.post("/v1/learn", many.append(']').toString()));
      assertEquals(250, learned.get("learned").asInt());
      assertEquals(250, learned.get("rows").asInt());
      RunningServer.await("a save", () -> Files.exists(file()));
    }
    assertArrayEquals(rows.learned(), RowLearner.read(file()).toBytes());
  }

  @Test
  void numbersAreLearnedFromAGivenSchema() throws Exception {
    Path loop = Files.createDirectory(temporary.resolve("loop"));
    Files.writeString(
        loop.resolve("schema.json"),
        "{\"task\": \"regression\", \"columns\": {\"age\": \"number\", \"city\": \"category\"}}");
    RowLearner plain =
        RowLearner.regressor(Schema.builder().number("age").category("city").build())
            .build()
            .lenient();
    TaughtRows rows = new TaughtRows(5);
    try (RunningServer server = server()) {
      JsonNode learned = null;
      for (int k = 0; k < 150; k++) {
        Map<String, Object> row = rows.next();
        double target = (int) row.get("age") / 7.0 + (row.get("city").equals("Oslo") ? 5 : 0);
        String id = good(server.post("/v1/predict", TaughtRows.json(row))).get("id").asText();
        learned =
            good(server.post("/v1/label", "{\"id\":\"" + id + "\",\"target\":" + target + "}"));
        plain.learn(row, target);
      }
      assertFalse(learned.has("columns"), learned.toString());
      assertTrue(
          learned.get("error").asDouble() < learned.get("baseline").asDouble() / 2,
          learned.toString());
      String id = good(server.post("/v1/predict", "{\"age\": 3}")).get("id").asText();
      String label = "{\"id\":\"" + id + "\",\"label\":\"old\"}";
      assertRefused(400, "send \\\"target\\\"", server.post("/v1/label", label));
      String infinite = "{\"id\":\"" + id + "\",\"target\":\"x\"}";
      assertRefused(400, "finite number", server.post("/v1/label", infinite));
      assertEquals(
          200,
          server
              .post("/v1/label", label.replace("\"label\":\"old\"", "\"target\":1"))
              .statusCode());
      plain.learn(Map.of("age", 3), 1.0);
    }
    assertArrayEquals(plain.toBytes(), RowLearner.read(file()).toBytes());
  }

  @Test
  void aTrainedFileGoesOn() throws Exception {
    Path loop = Files.createDirectory(temporary.resolve("loop"));
    TaughtRows rows = new TaughtRows(6);
    RowLearner trained =
        RowLearner.classifier(Schema.builder().number("age").category("city").build())
            .build()
            .lenient();
    for (int k = 0; k < 150; k++) {
      Map<String, Object> row = rows.next();
      trained.learn(row, TaughtRows.label(row));
    }
    trained.save(loop.resolve("people.avm"));
    assertEquals(Task.CLASSIFICATION, trained.snapshot().model().task());
    try (RunningServer server = server()) {
      Map<String, Object> row = rows.next();
      JsonNode predicted = good(server.post("/v1/predict", TaughtRows.json(row)));
      assertEquals("people", predicted.get("model").asText());
      assertEquals(trained.predictClass(row).orElse(""), predicted.get("prediction").asText());
      assertEquals("150", predicted.get("version").asText());
      good(server.post("/v1/learn", TaughtRows.json(row, "yes")));
      trained.learn(row, "yes");
    }
    assertArrayEquals(trained.toBytes(), RowLearner.read(loop.resolve("people.avm")).toBytes());
  }

  @Test
  void refusalsSayWhatToDo() throws Exception {
    try (RunningServer server = server("--max-body=20000")) {
      String unknown = "{\"id\":\"none\",\"label\":\"yes\"}";
      assertRefused(404, "/v1/learn", server.post("/v1/label", unknown));
      assertRefused(400, "{\\\"id\\\": TEXT", server.post("/v1/label", "{\"id\": 3}"));
      assertRefused(400, "row 0 has no label", server.post("/v1/learn", "{\"age\": 3}"));
      assertRefused(400, "no cells", server.post("/v1/learn", "{\"label\": \"yes\"}"));
      assertRefused(400, "rename it", server.post("/v1/learn", "{\"_id\": 3, \"label\": \"y\"}"));
      assertRefused(
          400, "leave it out", server.post("/v1/predict", "{\"age\": 3, \"label\": \"yes\"}"));
      assertRefused(413, "larger than", server.post("/v1/learn", "[" + " ".repeat(30_000) + "]"));
      String many = "[" + "{\"a\":1},".repeat(1000) + "{\"a\":1}]";
      assertRefused(413, "at most 1000 rows", server.post("/v1/learn", many));
      assertRefused(
          403,
          "may not teach",
          server.post("/v1/learn", "{\"a\":1,\"label\":2}", "origin", "https://other.example"));
      String own = server.server().address();
      good(server.post("/v1/learn", "{\"a\":1,\"label\":2}", "origin", own));
      assertRefused(400, "send \\\"label\\\"", server.post("/v1/learn", "{\"a\":1,\"target\":2}"));
    }
    try (RunningServer server = server()) {
      IOException second = assertThrows(IOException.class, () -> server().close());
      assertTrue(String.valueOf(second.getMessage()).contains("another server"), second::toString);
      assertEquals(1, metric(server, "avm_learn_rows_total"));
    }
  }

  @Test
  void withTokensOnlyTheirHoldersTeach() throws Exception {
    Path models = Files.createDirectory(temporary.resolve("models"));
    String bearer = "Bearer " + RunningServer.TOKEN;
    String learn = "--learn=" + temporary.resolve("loop");
    try (RunningServer server = new RunningServer(models, learn)) {
      String row = "{\"a\": 1}";
      assertRefused(401, "Bearer", server.post("/v1/learn", "{\"a\": 1, \"label\": \"x\"}"));
      assertRefused(401, "Bearer", server.post("/v1/label", "{\"id\": \"i\", \"label\": \"x\"}"));
      assertRefused(
          401, "Bearer", server.post("/v1/predict", row, "authorization", "Bearer wrong"));
      String open = good(server.post("/v1/predict", row)).get("id").asText();
      String mine =
          good(server.post("/v1/predict", row, "authorization", bearer)).get("id").asText();
      assertRefused(
          404,
          "no row waits",
          server.post(
              "/v1/label",
              "{\"id\": \"" + open + "\", \"label\": \"x\"}",
              "authorization",
              bearer));
      good(
          server.post(
              "/v1/label",
              "{\"id\": \"" + mine + "\", \"label\": \"x\"}",
              "authorization",
              bearer));
    }
    IllegalArgumentException exposed =
        assertThrows(
            IllegalArgumentException.class,
            () -> Settings.read(List.of(learn, "--host=0.0.0.0"), Map.of()));
    assertTrue(String.valueOf(exposed.getMessage()).contains("set token-file"), exposed::toString);
  }

  @Test
  void rowsWithoutALabelInTimeGetTheDefault() throws Exception {
    try (RunningServer server = server("--labels-within=50ms", "--default-label=no")) {
      good(server.post("/v1/learn", "[{\"a\":1,\"label\":\"yes\"},{\"a\":2,\"label\":\"no\"}]"));
      String id = good(server.post("/v1/predict", "{\"a\": 3}")).get("id").asText();
      RunningServer.await("the default", () -> metric(server, "avm_learn_rows_total") == 3);
      assertRefused(
          404, "/v1/learn", server.post("/v1/label", "{\"id\":\"" + id + "\",\"label\":\"yes\"}"));
    }
    assertTrue(Files.readString(journal()).endsWith("{\"a\":3,\"label\":\"no\"}\n"));
  }
}
