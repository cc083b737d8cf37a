// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.tensor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.model.Interval;
import io.github.avm4j.model.Provenance;
import io.github.avm4j.pipeline.RowModel;
import io.github.avm4j.serve.RunningServer;
import io.github.avm4j.serve.TestModels;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every REST endpoint of the Open Inference Protocol, asked over a socket. */
class RestConformanceTest {
  @TempDir static Path folder;
  static RunningServer server;
  static final RowModel WAVES = TestModels.numbered(3, 30, 1);
  static final RowModel PEOPLE = TestModels.people(2);
  static final RowModel PAY = TestModels.numbers(3);

  @BeforeAll
  static void start() throws Exception {
    RunningServer.put(folder, "waves-7.avm", WAVES);
    RunningServer.put(folder, "waves-8.avm", TestModels.numbered(3, 30, 9));
    RunningServer.put(folder, "people.avm", PEOPLE);
    RunningServer.put(folder, "pay.avm", PAY);
    server = new RunningServer(folder);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void healthAndServerMetadata() throws Exception {
    assertEquals(200, server.get("/v2/health/live").statusCode());
    HttpResponse<String> ready = server.get("/v2/health/ready");
    assertEquals(200, ready.statusCode());
    assertTrue(RunningServer.json(ready).path("ready").asBoolean());
    JsonNode metadata = RunningServer.json(server.get("/v2"));
    assertEquals("avm4j", metadata.path("name").asText());
    assertEquals(Provenance.LIBRARY_VERSION, metadata.path("version").asText());
    assertEquals("binary_tensor_data", metadata.path("extensions").path(0).asText());
  }

  @Test
  void modelReadyWithAndWithoutVersion() throws Exception {
    assertEquals(200, server.get("/v2/models/waves/ready").statusCode());
    assertEquals(200, server.get("/v2/models/waves/versions/7/ready").statusCode());
    assertEquals(404, server.get("/v2/models/waves/versions/6/ready").statusCode());
    HttpResponse<String> none = server.get("/v2/models/nobody/ready");
    assertEquals(404, none.statusCode());
    assertTrue(RunningServer.json(none).path("error").asText().contains("nobody"), none.body());
  }

  @Test
  void modelMetadataNamesTensors() throws Exception {
    JsonNode waves = RunningServer.json(server.get("/v2/models/waves"));
    assertEquals("waves", waves.path("name").asText());
    assertEquals("[\"7\",\"8\"]", waves.path("versions").toString());
    assertFalse(waves.path("platform").asText().isEmpty());
    assertEquals(
        "[{\"name\":\"x\",\"datatype\":\"FP64\",\"shape\":[-1,3]}]",
        waves.path("inputs").toString());
    assertEquals("prediction", waves.path("outputs").path(0).path("name").asText());
    assertEquals("BYTES", waves.path("outputs").path(0).path("datatype").asText());
    JsonNode people = RunningServer.json(server.get("/v2/models/people/versions/1"));
    assertEquals("age", people.path("inputs").path(0).path("name").asText());
    assertEquals("FP64", people.path("inputs").path(0).path("datatype").asText());
    assertEquals("BYTES", people.path("inputs").path(1).path("datatype").asText());
    JsonNode pay = RunningServer.json(server.get("/v2/models/pay"));
    assertEquals("prediction", pay.path("outputs").path(0).path("name").asText());
  }

  @Test
  void inferGivesTheModelsOwnPredictions() throws Exception {
    String body =
        """
        {"id": "q-1", "parameters": {"some": 1},
         "inputs": [{"data": [[0.5, -1, 2], [1, 1, 1]], "name": "x", "shape": [2, 3], "datatype": "FP64"}]}
        """;
    JsonNode reply = infer("/v2/models/waves/versions/7/infer", body);
    assertEquals("waves", reply.path("model_name").asText());
    assertEquals("7", reply.path("model_version").asText());
    assertEquals("q-1", reply.path("id").asText());
    double[][] rows = {{0.5, -1, 2}, {1, 1, 1}};
    for (int r = 0; r < 2; r++) {
      FeatureVector x = FeatureVector.dense(rows[r]);
      assertEquals(
          WAVES.name(WAVES.model().predict(x)),
          output(reply, "prediction").path("data").path(r).asText());
      assertEquals(
          WAVES.model().score(x), output(reply, "score").path("data").path(r).asDouble(), 1e-12);
      double[] probabilities = new double[2];
      WAVES.model().probabilities(x, probabilities);
      JsonNode given = output(reply, "probabilities");
      assertEquals("[2,2]", given.path("shape").toString());
      assertEquals(probabilities[0], given.path("data").path(2 * r).asDouble(), 1e-12);
      assertEquals(probabilities[1], given.path("data").path(2 * r + 1).asDouble(), 1e-12);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "FP32,'[1.5, 0, 2]'",
    "FP64,'[1.5, 0, 2]'",
    "INT8,'[1, 0, -2]'",
    "INT64,'[1, 0, 2]'",
    "UINT16,'[1, 0, 2]'",
    "BOOL,'[true, false, true]'"
  })
  void everyTypeOfNumberIsTaken(String type, String data) throws Exception {
    JsonNode reply =
        infer(
            "/v2/models/waves/versions/7/infer",
            "{\"inputs\":[{\"name\":\"x\",\"datatype\":\"%s\",\"shape\":[1,3],\"data\":%s}]}"
                .formatted(type, data));
    JsonNode numbers = new ObjectMapper().readTree(data.replace("true", "1").replace("false", "0"));
    double[] x = new double[3];
    java.util.Arrays.setAll(x, j -> numbers.path(j).asDouble());
    assertEquals(
        WAVES.model().score(FeatureVector.dense(x)),
        output(reply, "score").path("data").path(0).asDouble(),
        1e-12);
  }

  @Test
  void columnsComeByName() throws Exception {
    JsonNode reply =
        infer(
            "/v2/models/people/infer",
            """
            {"inputs": [
              {"name": "job", "datatype": "BYTES", "shape": [3], "data": ["pilot", "cook", ""]},
              {"name": "age", "datatype": "INT32", "shape": [3, 1], "data": [55, 21, 30]}],
             "outputs": [{"name": "prediction"}]}
            """);
    assertEquals(1, reply.path("outputs").size());
    JsonNode rows =
        RunningServer.json(
            server.post(
                "/v1/predict?model=people",
                "[{\"age\":55,\"job\":\"pilot\"},{\"age\":21,\"job\":\"cook\"},{\"age\":30}]"));
    for (int r = 0; r < 3; r++) {
      assertEquals(
          rows.path("predictions").path(r).path("prediction").asText(),
          output(reply, "prediction").path("data").path(r).asText());
    }
  }

  private static String age(String... outputs) {
    List<String> names = new ArrayList<>();
    for (String output : outputs) {
      names.add("{\"name\": \"" + output + "\"}");
    }
    return "{\"inputs\": [{\"name\": \"age\", \"datatype\": \"FP64\", \"shape\": [1], \"data\":"
        + " [33]}],\"outputs\": "
        + names
        + "}";
  }

  @Test
  void intervalsAndSetsAreThereIfAskedFor() throws Exception {
    JsonNode pay = infer("/v2/models/pay/infer", age("prediction", "interval-0.9"));
    double prediction = output(pay, "prediction").path("data").path(0).asDouble();
    JsonNode ends = output(pay, "interval-0.9");
    assertEquals("[1,2]", ends.path("shape").toString());
    Interval interval = PAY.model().calibration().interval(prediction, 0.9);
    assertEquals(interval.lower(), ends.path("data").path(0).asDouble());
    assertEquals(interval.upper(), ends.path("data").path(1).asDouble());
    assertEquals(1, infer("/v2/models/pay/infer", age()).path("outputs").size(), "not unasked");

    JsonNode people = infer("/v2/models/people/infer", age("probabilities", "set-0.95"));
    JsonNode shares = output(people, "probabilities").path("data");
    JsonNode members = output(people, "set-0.95").path("data");
    int likeliest = 0;
    for (int j = 1; j < shares.size(); j++) {
      likeliest = shares.path(j).asDouble() > shares.path(likeliest).asDouble() ? j : likeliest;
    }
    assertEquals(shares.size(), members.size());
    assertEquals(1, members.path(likeliest).asDouble());
    assertEquals(400, server.post("/v2/models/pay/infer", age("interval-0.7")).statusCode());
    assertEquals(400, server.post("/v2/models/pay/infer", age("set-0.9")).statusCode());
  }

  @Test
  void binaryTensorsBothWays() throws Exception {
    String json =
        """
        {"inputs": [{"name": "x", "datatype": "FP32", "shape": [2, 3],
                     "parameters": {"binary_data_size": 24}}],
         "outputs": [{"name": "prediction", "parameters": {"binary_data": true}},
                     {"name": "score", "parameters": {"binary_data": true}},
                     {"name": "probabilities"}]}
        """;
    byte[] head = json.getBytes(StandardCharsets.UTF_8);
    ByteBuffer body = ByteBuffer.allocate(head.length + 24).order(ByteOrder.LITTLE_ENDIAN);
    body.put(head);
    for (float v : new float[] {0.5f, -1, 2, 1, 1, 1}) {
      body.putFloat(v);
    }
    HttpResponse<byte[]> reply =
        server.postBytes(
            "/v2/models/waves/versions/7/infer",
            body.array(),
            "Inference-Header-Content-Length",
            Integer.toString(head.length));
    assertEquals(200, reply.statusCode(), new String(reply.body(), StandardCharsets.UTF_8));
    assertEquals("application/octet-stream", reply.headers().firstValue("content-type").orElse(""));
    int length =
        Integer.parseInt(
            reply.headers().firstValue("inference-header-content-length").orElseThrow());
    JsonNode described =
        new ObjectMapper().readTree(new String(reply.body(), 0, length, StandardCharsets.UTF_8));
    int labels =
        described.path("outputs").path(0).path("parameters").path("binary_data_size").asInt();
    assertEquals(
        16, described.path("outputs").path(1).path("parameters").path("binary_data_size").asInt());
    assertTrue(described.path("outputs").path(2).path("data").isArray());
    ByteBuffer tail =
        ByteBuffer.wrap(reply.body(), length, reply.body().length - length)
            .order(ByteOrder.LITTLE_ENDIAN);
    byte[] first = new byte[tail.getInt()];
    tail.get(first);
    FeatureVector x = FeatureVector.dense(0.5, -1, 2);
    assertEquals(WAVES.name(WAVES.model().predict(x)), new String(first, StandardCharsets.UTF_8));
    tail.position(length + labels);
    assertEquals(WAVES.model().score(x), tail.getDouble(), 1e-12);
    tail.getDouble();
    assertFalse(tail.hasRemaining());
  }

  @Test
  void binaryOutputForAllByOneParameter() throws Exception {
    byte[] body =
        ("{\"parameters\":{\"binary_data_output\":true},\"inputs\":[{\"name\":\"x\","
                + "\"datatype\":\"FP64\",\"shape\":[1,3],\"data\":[1,2,3]}]}")
            .getBytes(StandardCharsets.UTF_8);
    HttpResponse<byte[]> reply = server.postBytes("/v2/models/waves/infer", body);
    assertTrue(reply.headers().firstValue("inference-header-content-length").isPresent());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|no inputs",
        "[1]|an object with inputs",
        "{\"inputs\":[{\"name\":\"x\",\"datatype\":\"FP64\",\"shape\":[1,3],\"data\":[1,2]}]}|needs"
            + " 3 elements",
        "{\"inputs\":[{\"name\":\"x\",\"datatype\":\"FP64\",\"shape\":[1,2],\"data\":[1,2]}]}|x has"
            + " 2 features",
        "{\"inputs\":[{\"name\":\"x\",\"datatype\":\"FP63\",\"shape\":[1,3],\"data\":[1,2,3]}]}|FP63",
        "{\"inputs\":[{\"name\":\"y\",\"datatype\":\"FP64\",\"shape\":[1,3],\"data\":[1,2,3]}]}|takes"
            + " one input",
        "{\"inputs\":[{\"name\":\"x\",\"datatype\":\"FP64\",\"shape\":[-1,3],\"data\":[1,2,3]}]}|cannot"
            + " have the shape",
        "{\"inputs\":[{\"name\":\"x\",\"datatype\":\"FP64\",\"shape\":[9999999999,9999999999],\"data\":[1]}]}|cannot"
            + " have the shape",
        "{\"inputs\":[{\"name\":\"x\",\"datatype\":\"UINT8\",\"shape\":[1,3],\"data\":[1,2,300]}]}|300.0"
            + " is no UINT8",
        "{\"inputs\":[{\"name\":\"x\",\"datatype\":\"FP64\",\"shape\":[1,3],\"data\":[1,null,3]}]}|features"
            + " must be finite",
        "{\"inputs\":[{\"name\":\"x\",\"datatype\":\"FP64\",\"shape\":[1,3],\"data\":[1,2,3]}],\"outputs\":[{\"name\":\"z\"}]}|no"
            + " output 'z'",
        "{\"inputs\":[{\"name\":\"x\",\"datatype\":\"FP64\",\"shape\":[1,3],\"parameters\":{\"binary_data_size\":24}}]}|only"
            + " 0 are left",
        "{\"inputs\":|not JSON",
      })
  void whatIsWrongIsSaid(String body, String words) throws Exception {
    HttpResponse<String> reply = server.post("/v2/models/waves/infer", body);
    assertEquals(400, reply.statusCode(), reply.body());
    String error = RunningServer.json(reply).path("error").asText();
    assertTrue(error.contains(words), error);
    assertFalse(error.contains("Exception"), error);
  }

  @Test
  void otherMethodsAndPathsAreJsonErrorsToo() throws Exception {
    HttpResponse<String> wrong = server.get("/v2/models/waves/infer");
    assertEquals(405, wrong.statusCode());
    String path = "/v2/models/:name/infer";
    assertEquals(path + " takes POST, not GET: send JSON", error(wrong));
    String row = "/v1/predict takes POST, not GET: send a row as JSON, such as {\"age\": 41}";
    assertTrue(error(server.get("/v1/predict")).startsWith(row), row);
    assertEquals("/metrics takes GET, not POST", error(server.post("/metrics", "{}")));
    HttpResponse<String> none = server.get("/nowhere");
    assertEquals(404, none.statusCode());
    assertTrue(RunningServer.json(none).has("error"), none.body());
  }

  private static String error(HttpResponse<String> response) throws Exception {
    return RunningServer.json(response).path("error").asText();
  }

  @Test
  void halvesAreRead() {
    short[] bits = {0x3C00, (short) 0xC000, 0x0001, 0x7BFF, 0x0000};
    double[] values = new double[bits.length];
    java.util.Arrays.setAll(values, k -> BinaryTensor.half(bits[k]));
    assertArrayEquals(new double[] {1, -2, 0x1p-24, 65504, 0}, values);
  }

  private static JsonNode infer(String path, String body) throws Exception {
    HttpResponse<String> reply = server.post(path, body);
    assertEquals(200, reply.statusCode(), reply.body());
    return RunningServer.json(reply);
  }

  private static JsonNode output(JsonNode reply, String name) {
    for (JsonNode output : reply.path("outputs")) {
      if (output.path("name").asText().equals(name)) {
        return output;
      }
    }
    throw new AssertionError("no output " + name + " in " + reply + List.of());
  }
}
