// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.tensor;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.github.avm4j.serve.http.Json;
import io.github.avm4j.serve.http.Limits;
import io.github.avm4j.serve.http.Problem;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads the {@code data} of a tensor in JSON, flat or nested, possibly before its type and shape:
 * members of JSON objects have no order. Numbers and truth values are kept as doubles, null as NaN.
 */
final class JsonElements {
  private static final int LEAST = 32;

  private final Limits limits;
  private final long before;
  private double[] numbers;
  private int count;
  private final List<String> texts = new ArrayList<>();

  /**
   * With room for what is expected.
   *
   * @param before elements of the tensors before
   * @param expected elements that the shape declares, 0 if it is not known yet
   * @param most elements that the body can hold at most
   */
  JsonElements(Limits limits, long before, long expected, int most) {
    this.limits = limits;
    this.before = before;
    numbers = new double[(int) Math.max(LEAST, Math.min(expected, most))];
  }

  /** Elements so far, with those of the tensors before. */
  long total() {
    return before + count + texts.size();
  }

  void read(JsonParser parser) throws IOException {
    Json.expect(parser, JsonToken.START_ARRAY, "data as an array");
    int depth = 1;
    while (depth > 0) {
      JsonToken token = parser.nextToken();
      switch (token) {
        case START_ARRAY -> depth++;
        case END_ARRAY -> depth--;
        case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
          double number = parser.getDoubleValue();
          if (Double.isInfinite(number)) {
            throw Problem.badRequest("a number of data is too large" + Json.place(parser));
          }
          add(number);
        }
        case VALUE_TRUE -> add(1);
        case VALUE_FALSE -> add(0);
        case VALUE_NULL -> add(Double.NaN);
        case VALUE_STRING -> {
          texts.add(parser.getText());
          limits.checkElements(total());
        }
        default ->
            throw Problem.badRequest(
                "data holds numbers, texts, truth values or arrays of them" + Json.place(parser));
      }
    }
  }

  private void add(double number) {
    if (count == numbers.length) {
      limits.checkElements(total());
      numbers = Arrays.copyOf(numbers, 2 * count);
    }
    numbers[count++] = number;
  }

  Tensor tensor(String name, DataType type, long[] shape) {
    limits.checkElements(total());
    boolean text = type == DataType.BYTES;
    if (text ? count > 0 : !texts.isEmpty()) {
      throw Problem.badRequest(
          "input '" + name + "' of " + type + " holds " + (text ? "numbers" : "texts"));
    }
    if (text) {
      return Tensor.texts(name, shape, texts.toArray(new String[0]));
    }
    if (type == DataType.FP16) {
      throw Problem.badRequest("input '" + name + "': FP16 has no form in JSON, send it as bytes");
    }
    for (int k = 0; k < count && type.isWhole(); k++) {
      type.check(numbers[k]);
    }
    double[] all = count == numbers.length ? numbers : Arrays.copyOf(numbers, count);
    return Tensor.numbers(name, type, shape, all);
  }
}
