// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.predict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.model.Model;
import io.github.avm4j.pipeline.RowModel;
import io.github.avm4j.serve.RunningServer;
import io.github.avm4j.serve.TestModels;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PredictTest {
  @TempDir static Path folder;
  static RunningServer server;
  static final RowModel WAVES = TestModels.numbered(3, 30, 1);
  static final RowModel BOARD = TestModels.checkerboard();

  @BeforeAll
  static void start() throws Exception {
    RunningServer.put(folder, "waves.avm", WAVES);
    RunningServer.put(folder, "board.avm", BOARD);
    RunningServer.put(folder, "people-41.avm", TestModels.people(2));
    RunningServer.put(folder, "pay.avm", TestModels.numbers(3));
    RunningServer.put(folder, "words.avm", TestModels.sparse(4));
    server =
        new RunningServer(
            folder,
            "--open=health,predict,explain,inspect,metrics",
            "--max-rows=50",
            "--max-body=20000");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static JsonNode ok(String path, String body, String... headers) throws Exception {
    HttpResponse<String> reply = server.post(path, body, headers);
    assertEquals(200, reply.statusCode(), reply.body());
    return RunningServer.json(reply);
  }

  @Test
  void anIntervalOrASetIsThereIfAskedFor() throws Exception {
    String row = "{\"age\": 33, \"job\": \"cook\"}";
    JsonNode pay = ok("/v1/predict?model=pay&level=0.9", row);
    double prediction = pay.path("prediction").asDouble();
    assertTrue(pay.path("interval").path(0).asDouble() < prediction, pay.toString());
    assertTrue(pay.path("interval").path(1).asDouble() > prediction, pay.toString());
    JsonNode people = ok("/v1/predict?model=people&level=0.95", "[" + row + "]");
    JsonNode first = people.path("predictions").path(0);
    assertTrue(first.path("set").toString().contains(first.path("prediction").toString()));
    assertFalse(ok("/v1/predict?model=pay", row).has("interval"));
    for (String level : new String[] {"0.99", "x", ""}) {
      HttpResponse<String> reply = server.post("/v1/predict?model=pay&level=" + level, row);
      assertEquals(400, reply.statusCode());
      assertTrue(reply.body().contains("one of [0.8, 0.9, 0.95]"), reply.body());
    }
  }

  @Test
  void aRawRowGetsLabelScoreProbabilitiesAndVersion() throws Exception {
    JsonNode reply = ok("/v1/predict?model=people", "{\"age\": 33, \"job\": \"cook\"}");
    assertEquals("people", reply.path("model").asText());
    assertEquals("41", reply.path("version").asText());
    double sum = 0;
    for (String name : new String[] {"low", "middle", "high"}) {
      sum += reply.path("probabilities").path(name).asDouble();
    }
    assertEquals(1, sum, 1e-12);
    String label = reply.path("prediction").asText();
    for (JsonNode p : reply.path("probabilities")) {
      assertTrue(reply.path("probabilities").path(label).asDouble() >= p.asDouble());
    }
    assertFalse(reply.path("id").asText().isEmpty());
    assertFalse(reply.has("unknown_columns"));
  }

  @Test
  void rowsOfNumberedFeaturesComeAsArrayOrByNumber() throws Exception {
    double score = WAVES.model().score(FeatureVector.dense(1, 0, -2));
    assertEquals(
        score, ok("/v1/predict?model=waves", "[1, 0, -2]").path("score").asDouble(), 1e-12);
    assertEquals(
        score,
        ok("/v1/predict?model=waves", "{\"3\": -2, \"1\": 1}").path("score").asDouble(),
        1e-12);
    JsonNode many = ok("/v1/predict?model=waves", "[[1, 0, -2], {\"1\": 1, \"3\": -2}]");
    assertEquals(score, many.path("predictions").path(1).path("score").asDouble(), 1e-12);
    assertTrue(many.path("predictions").path(1).path("id").asText().endsWith("/1"));
    assertEquals(
        0, ok("/v1/predict?model=waves", "[[]]".replace("[]", "")).path("predictions").size());
  }

  @Test
  void rowsArePredictedByTheModelOfTheirCell() throws Exception {
    Model model = BOARD.model();
    Set<Model> predicting = new HashSet<>();
    double[] own = new double[2];
    Random random = new Random(3);
    for (int i = 0; i < 40; i++) {
      double[] x = {12 * random.nextDouble(), 12 * random.nextDouble()};
      FeatureVector vector = FeatureVector.dense(x);
      predicting.add(model.local(vector));
      JsonNode reply = ok("/v1/predict?model=board", "[" + x[0] + ", " + x[1] + "]");
      assertEquals(BOARD.name(model.predict(vector)), reply.path("prediction").asText());
      assertEquals(model.score(vector), reply.path("score").asDouble(), 1e-12);
      model.probabilities(vector, own);
      assertEquals(own[1], reply.path("probabilities").path("white").asDouble(), 1e-12);
      JsonNode why = ok("/v1/explain?model=board&points=3", "[" + x[0] + ", " + x[1] + "]");
      double sum = why.path("intercept").asDouble() + why.path("rest").asDouble();
      for (JsonNode point : why.path("points")) {
        sum += point.path("contribution").asDouble();
      }
      assertEquals(model.score(vector), sum, 1e-9);
      assertEquals(reply.path("prediction").asText(), why.path("prediction").asText());
    }
    assertTrue(predicting.size() > 2, "too few cells predict: " + predicting.size());
    String list = server.get("/v1/models").body();
    int cells = model.parts().size();
    assertTrue(list.contains("\"core_points\":" + model.size() + ",\"cells\":" + cells), list);
  }

  @Test
  void aNumberIsAPrediction() throws Exception {
    JsonNode reply = ok("/v1/predict?model=pay", "{\"age\": 33, \"job\": \"cook\"}");
    assertTrue(reply.path("prediction").isDouble());
    assertFalse(reply.has("label"));
  }

  @Test
  void misspeltColumnsAreSaid() throws Exception {
    JsonNode reply = ok("/v1/predict?model=pay", "{\"age\": 33, \"jop\": \"cook\"}");
    assertEquals("[\"jop\"]", reply.path("unknown_columns").toString());
    HttpResponse<String> none = server.post("/v1/predict?model=pay", "{\"agee\": 33}");
    assertEquals(400, none.statusCode());
    assertTrue(none.body().contains("none of the model's columns"), none.body());
  }

  @Test
  void cellsTakenAsMissingAreSaid() throws Exception {
    JsonNode reply =
        ok("/v1/predict?model=people", "{\"age\": \"abc\", \"job\": \"cook\", \"since\": 7}");
    JsonNode cells = reply.path("unusable_cells");
    assertEquals(
        "{\"row\":0,\"column\":\"age\",\"value\":\"abc\",\"problem\":\"not a number\"}",
        cells.path(0).toString());
    assertEquals("not a date", cells.path(1).path("problem").asText());
    assertEquals(2, cells.size());
    double missing = ok("/v1/predict?model=people", "{\"job\": \"cook\"}").path("score").asDouble();
    assertEquals(missing, reply.path("score").asDouble());

    JsonNode many =
        ok("/v1/predict?model=pay", "[{\"age\": true}, {\"age\": 3, \"job\": \"king\"}]");
    assertEquals(
        "[{\"row\":1,\"column\":\"job\",\"value\":\"king\","
            + "\"problem\":\"not a known category\"}]",
        many.path("unusable_cells").toString());
    JsonNode why = ok("/v1/explain?model=pay", "{\"age\": \"x\"}");
    assertEquals("age", why.path("unusable_cells").path(0).path("column").asText());
    assertFalse(ok("/v1/predict?model=pay", "{\"age\": null}").has("unusable_cells"));
  }

  @Test
  void numberedFeaturesTheModelLacksAreSaid() throws Exception {
    JsonNode reply = ok("/v1/predict?model=words", "{\"10\": 1, \"9999\": 1, \"77\": 0}");
    assertEquals("[\"9999\"]", reply.path("unknown_columns").toString());
    JsonNode array = ok("/v1/predict?model=words", "[0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 4]");
    assertEquals("[\"12\"]", array.path("unknown_columns").toString());
    assertFalse(ok("/v1/predict?model=words", "{\"1\": 1}").has("unknown_columns"));
    String none = "none of the model's 10 features, only [9999]";
    check(400, "/v1/predict?model=words", "{\"9999\": 1}", none);
    String zeros = "[" + "0, ".repeat(200) + "1]";
    check(400, "/v1/predict?model=words", zeros, "none of the model's 10 features, only [201]");
    check(400, "/v1/predict?model=waves", zeros, "x has 201 features, this model has 3");
  }

  @Test
  void wrongRequestsAreNamed() throws Exception {
    check(400, "/v1/predict", "[1]", "several models are loaded; add ?model=NAME");
    check(404, "/v1/predict?model=x", "[1]", "there is no model 'x'");
    check(404, "/v1/predict?model=pay&version=9", "{}", "there is no version '9'");
    check(400, "/v1/predict?model=waves", "[1, 2]", "x has 2 features, this model has 3");
    check(400, "/v1/predict?model=waves", "[1, \"a\", 2]", "feature 2 is no number");
    check(400, "/v1/predict?model=waves", "{\"0\": 1}", "numbered from 1");
    check(400, "/v1/predict?model=waves", "{\"9\": 1}", "feature 9");
    check(400, "/v1/predict?model=waves", "[1, 1e999, 2]", "too large");
    check(400, "/v1/predict?model=pay", "{\"age\": [1]}", "a cell is a number");
    check(400, "/v1/predict?model=pay", "", "empty");
    check(400, "/v1/predict?model=pay", "{} {}", "more after");
    check(413, "/v1/predict?model=pay", "[" + "{},".repeat(50) + "{}]", "rows are too many");
    check(413, "/v1/predict?model=pay", " ".repeat(20_001), "larger than 20000 bytes");
    check(400, "/v1/explain?model=pay", "[{}]", "one row");
    check(400, "/v1/explain?model=pay&points=x", "{}", "points must be");
  }

  private static void check(int status, String path, String body, String words) throws Exception {
    HttpResponse<String> reply = server.post(path, body);
    assertEquals(status, reply.statusCode(), reply.body());
    assertTrue(reply.body().contains(words), reply.body());
  }

  @Test
  void explanationsAddUp() throws Exception {
    for (String path : new String[] {"people", "pay"}) {
      JsonNode all =
          ok("/v1/explain?points=1000&model=" + path, "{\"age\": 33, \"job\": \"cook\"}");
      double sum = all.path("intercept").asDouble() + all.path("rest").asDouble();
      double shares = 0;
      double last = Double.POSITIVE_INFINITY;
      for (JsonNode point : all.path("points")) {
        sum += point.path("contribution").asDouble();
        shares += point.path("share").asDouble();
        assertTrue(point.path("share").asDouble() <= last);
        last = point.path("share").asDouble();
        assertEquals(
            point.path("contribution").asDouble(),
            point.path("weight").asDouble()
                * (point.path("score").asDouble() - all.path("intercept").asDouble()),
            1e-9);
        assertTrue(point.path("at").size() > 0, "the example itself");
        boolean speaksFor = point.has("towards");
        assertEquals(
            path.equals("people"), speaksFor || point.has("against"), "regression has no sides");
        if (path.equals("people")) {
          String side = point.path(speaksFor ? "towards" : "against").asText();
          assertEquals(all.path("prediction").asText(), side);
          assertEquals(speaksFor, point.path("contribution").asDouble() > 0);
        }
        assertEquals(path.equals("people"), point.has("prediction"));
      }
      assertEquals(all.path("explained_score").asDouble(), sum, 1e-9);
      assertEquals(1, shares, 1e-9);
      JsonNode few = ok("/v1/explain?points=3&model=" + path, "{\"age\": 33, \"job\": \"cook\"}");
      assertEquals(3, few.path("points").size());
      assertTrue(few.path("rest").asDouble() != 0);
    }
  }

  @Test
  void idsAndTracesArePassedOn() throws Exception {
    String trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    HttpResponse<String> reply =
        server.post("/v1/predict?model=pay", "{}", "x-request-id", "my-7", "traceparent", trace);
    assertEquals("my-7", reply.headers().firstValue("x-request-id").orElse(""));
    assertEquals(trace, reply.headers().firstValue("traceparent").orElse(""));
    String id = RunningServer.json(reply).path("id").asText();
    assertTrue(id.length() >= 16 && !id.equals("my-7"), id);
    HttpResponse<String> bad =
        server.post("/v1/predict?model=pay", "{}", "x-request-id", "a\"b", "traceparent", "zz");
    assertFalse(bad.body().contains("a\\\"b"), bad.body());
    assertTrue(bad.headers().firstValue("traceparent").isEmpty());
  }

  @Test
  void metricsCount() throws Exception {
    ok("/v1/predict?model=waves", "[1, 0, -2]");
    String text = server.get("/metrics").body();
    assertTrue(
        text.contains("avm_request_seconds_bucket{endpoint=\"predict\",status=\"200\""), text);
    assertTrue(text.contains("avm_model_version{model=\"people\"} 41"), text);
    assertTrue(text.contains("avm_model_predictions_total{model=\"waves\"}"), text);
    assertTrue(text.contains("avm_models_loaded_total 5"), text);
    assertTrue(text.contains("avm_source_up"), text);
  }

  @Test
  void thePageComesWithAPolicy() throws Exception {
    HttpResponse<String> page = server.get("/");
    assertEquals(200, page.statusCode());
    assertTrue(page.headers().firstValue("content-security-policy").orElse("").contains("'none'"));
  }
}
