// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.tensor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.avm4j.serve.Documents;
import io.github.avm4j.serve.http.Limits;
import io.github.avm4j.serve.http.Problem;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tensors read from bytes without a token per number, beside those read from a tree. */
class JsonTensorsTest {
  private static final Limits LIMITS = new Limits(1 << 20, 1000, 10_000, 10, 10);

  @Test
  void numbersAreThoseOfTheTree() {
    Random random = new Random(Long.getLong("avm4j.seed", 15));
    int read = 0;
    for (int n = 0; n < 4_000; n++) {
      byte[] document = Documents.perhapsDamaged(random, document(random));
      List<Double> expected = expected(document);
      List<Double> found = found(document);
      assertEquals(expected, found, () -> new String(document, StandardCharsets.UTF_8));
      read += found == null ? 0 : 1;
    }
    assertTrue(read > 1_000 && read < 3_900, "documents that could be read: " + read);
  }

  @Test
  void aNumberTooLargeForADoubleIsRefused() {
    String document =
        "{\"inputs\":[{\"name\":\"x\",\"datatype\":\"FP64\",\"shape\":[1],\"data\":[1e999]}]}";
    byte[] bytes = document.getBytes(StandardCharsets.UTF_8);
    Problem problem =
        assertThrows(Problem.class, () -> JsonTensors.read(bytes, bytes.length, LIMITS));
    assertTrue(problem.text().contains("too large"), problem.text());
  }

  private static String document(Random random) {
    int rows = 1 + random.nextInt(4);
    int columns = 1 + random.nextInt(6);
    boolean nested = random.nextBoolean();
    StringBuilder data = new StringBuilder("[");
    for (int r = 0; r < rows; r++) {
      data.append(r == 0 ? "" : Documents.mark(random, ",")).append(nested ? "[" : "");
      for (int c = 0; c < columns; c++) {
        data.append(c == 0 ? "" : Documents.mark(random, ","));
        data.append(random.nextInt(60) == 0 ? "null" : Documents.number(random));
      }
      data.append(nested ? "]" : "");
    }
    data.append("]");
    String shape = "\"shape\":[" + rows + "," + columns + "]";
    String values = "\"data\":" + data;
    boolean shapeFirst = random.nextBoolean();
    return "{\"inputs\":[{\"name\":\"x\",\"datatype\":\"FP64\","
        + (shapeFirst ? shape + "," + values : values + "," + shape)
        + "}]}"
        + " ".repeat(random.nextInt(2) * 40);
  }

  private static @Nullable List<Double> found(byte[] document) {
    try {
      List<Tensor> inputs = JsonTensors.read(document, document.length, LIMITS).inputs();
      List<Double> numbers = new ArrayList<>();
      for (double number : inputs.get(0).numbers()) {
        numbers.add(number + 0.0); // −0 is 0
      }
      return inputs.size() == 1 && inputs.get(0).name().equals("x") ? numbers : null;
    } catch (Problem e) {
      return null;
    }
  }

  private static @Nullable List<Double> expected(byte[] document) {
    JsonNode tree = Documents.tree(document);
    JsonNode inputs = tree == null ? null : tree.get("inputs");
    JsonNode input = inputs == null || !inputs.isArray() ? null : inputs.get(0);
    if (input == null || inputs.size() != 1 || !input.isObject()) {
      return null;
    }
    boolean named =
        input.path("name").asText().equals("x")
            && input.path("name").isTextual()
            && input.path("datatype").asText().equals("FP64");
    JsonNode shape = input.path("shape");
    if (!named || !shape.isArray() || shape.isEmpty() || !input.path("data").isArray()) {
      return null;
    }
    double count = 1;
    for (JsonNode extent : shape) {
      if (!extent.isIntegralNumber() || extent.doubleValue() < 0) {
        return null;
      }
      count *= extent.doubleValue();
    }
    List<Double> numbers = new ArrayList<>();
    return flatten(input.get("data"), numbers) && numbers.size() == count ? numbers : null;
  }

  private static boolean flatten(JsonNode node, List<Double> into) {
    if (node.isArray()) {
      for (JsonNode element : node) {
        if (!flatten(element, into)) {
          return false;
        }
      }
      return true;
    }
    into.add(node.isNull() ? Double.NaN : node.doubleValue() + 0.0);
    return (node.isNumber() && Double.isFinite(node.doubleValue())) || node.isNull();
  }
}
