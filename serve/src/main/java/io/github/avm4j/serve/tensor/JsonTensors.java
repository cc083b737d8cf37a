// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.serve.tensor;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.github.avm4j.serve.http.Json;
import io.github.avm4j.serve.http.Limits;
import io.github.avm4j.serve.http.Problem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the inference request of REST: JSON, followed by the bytes of those tensors that have a
 * {@code binary_data_size}, in the order of the inputs.
 */
final class JsonTensors {
  private static final int MOST_INPUTS = 10_000;
  private static final int MOST_DIMENSIONS = 16;
  private static final int LONGEST_ID = 1_000;

  private final Limits limits;
  private final ByteBuffer tail;

  /** Elements that the JSON can hold: each takes a digit and a comma. */
  private final int most;

  private long elements;

  private String id = "";
  private boolean binary;
  private final List<Tensor> inputs = new ArrayList<>();
  private final List<InferRequest.Output> outputs = new ArrayList<>();

  /** Outputs that do not say whether they are binary; they follow the request's parameter. */
  private final List<Integer> undecided = new ArrayList<>();

  private JsonTensors(Limits limits, int jsonLength, ByteBuffer tail) {
    this.limits = limits;
    this.tail = tail;
    this.most = Math.min(limits.elements(), jsonLength / 2);
  }

  /** The request in a body whose first {@code jsonLength} bytes are JSON. */
  static InferRequest read(byte[] body, int jsonLength, Limits limits) {
    ByteBuffer tail = ByteBuffer.wrap(body, jsonLength, body.length - jsonLength).slice();
    JsonTensors reader = new JsonTensors(limits, jsonLength, tail);
    Json.read(
        body,
        0,
        jsonLength,
        parser -> {
          reader.request(parser);
          return true;
        });
    if (tail.hasRemaining()) {
      throw Problem.badRequest(
          tail.remaining() + " bytes after the JSON belong to no input (binary_data_size)");
    }
    for (int k : reader.undecided) {
      reader.outputs.set(k, new InferRequest.Output(reader.outputs.get(k).name(), reader.binary));
    }
    return new InferRequest(reader.id, reader.inputs, reader.outputs, reader.binary);
  }

  private void request(JsonParser parser) throws IOException {
    Json.expect(parser, JsonToken.START_OBJECT, "an object with inputs");
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      switch (name) {
        case "id" -> id = text(parser, "id");
        case "parameters" -> {
          Parameters found = parameters(parser);
          binary = Boolean.TRUE.equals(found.binaryDataOutput);
        }
        case "inputs" -> each(parser, "inputs", () -> inputs.add(input(parser)));
        case "outputs" -> each(parser, "outputs", () -> output(parser));
        default -> parser.skipChildren();
      }
    }
    if (inputs.isEmpty()) {
      throw Problem.badRequest("there are no inputs");
    }
  }

  private interface Element {
    void read() throws IOException;
  }

  private static void each(JsonParser parser, String what, Element element) throws IOException {
    Json.expect(parser, JsonToken.START_ARRAY, "an array of " + what);
    int count = 0;
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (++count > MOST_INPUTS) {
        throw Problem.tooLarge("more than " + MOST_INPUTS + " " + what);
      }
      Json.expect(parser, JsonToken.START_OBJECT, "an object in " + what);
      element.read();
    }
  }

  private static String text(JsonParser parser, String what) throws IOException {
    Json.expect(parser, JsonToken.VALUE_STRING, "a text for " + what);
    String text = parser.getText();
    if (text.length() > LONGEST_ID) {
      throw Problem.badRequest(what + " is longer than " + LONGEST_ID + " characters");
    }
    return text;
  }

  /** The parameters of the binary extension; others are passed over. */
  private record Parameters(
      long binaryDataSize, @Nullable Boolean binaryData, @Nullable Boolean binaryDataOutput) {}

  private static Parameters parameters(JsonParser parser) throws IOException {
    Json.expect(parser, JsonToken.START_OBJECT, "an object of parameters");
    long size = -1;
    Boolean data = null;
    Boolean output = null;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      JsonToken value = parser.nextToken();
      switch (name) {
        case "binary_data_size" -> {
          Json.expect(parser, JsonToken.VALUE_NUMBER_INT, "a whole number of bytes");
          size = parser.getLongValue();
        }
        case "binary_data" -> data = value == JsonToken.VALUE_TRUE;
        case "binary_data_output" -> output = value == JsonToken.VALUE_TRUE;
        default -> parser.skipChildren();
      }
    }
    return new Parameters(size, data, output);
  }

  private void output(JsonParser parser) throws IOException {
    String name = "";
    Boolean asBytes = null;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String field = parser.currentName();
      parser.nextToken();
      switch (field) {
        case "name" -> name = text(parser, "an output's name");
        case "parameters" -> asBytes = parameters(parser).binaryData;
        default -> parser.skipChildren();
      }
    }
    if (asBytes == null) {
      undecided.add(outputs.size());
    }
    outputs.add(new InferRequest.Output(name, Boolean.TRUE.equals(asBytes)));
  }

  private Tensor input(JsonParser parser) throws IOException {
    String name = "";
    DataType type = null;
    long[] shape = new long[0];
    JsonElements data = null;
    long size = -1;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String field = parser.currentName();
      parser.nextToken();
      switch (field) {
        case "name" -> name = text(parser, "an input's name");
        case "datatype" -> type = DataType.named(text(parser, "datatype"));
        case "shape" -> shape = shape(parser);
        case "parameters" -> size = parameters(parser).binaryDataSize;
        case "data" -> {
          long expected = shape.length == 0 ? 0 : Tensor.count(name, shape);
          data = new JsonElements(limits, elements, expected, most);
          data.read(parser);
          elements = data.total();
        }
        default -> parser.skipChildren();
      }
    }
    if (type == null || shape.length == 0 || (data == null) == (size < 0)) {
      throw Problem.badRequest(
          "input '" + name + "' needs name, datatype, shape and either data or binary_data_size");
    }
    return data == null ? binary(name, type, shape, size) : data.tensor(name, type, shape);
  }

  private Tensor binary(String name, DataType type, long[] shape, long size) {
    if (size > tail.remaining()) {
      throw Problem.badRequest(
          "input '"
              + name
              + "' has "
              + size
              + " bytes, only "
              + tail.remaining()
              + " are left after the JSON (is inference-header-content-length set?)");
    }
    ByteBuffer mine = tail.slice(tail.position(), (int) size);
    tail.position(tail.position() + (int) size);
    Tensor tensor = BinaryTensor.read(name, type, shape, mine, limits);
    elements += Tensor.count(name, shape);
    limits.checkElements(elements);
    return tensor;
  }

  private static long[] shape(JsonParser parser) throws IOException {
    Json.expect(parser, JsonToken.START_ARRAY, "a shape as an array");
    long[] shape = new long[MOST_DIMENSIONS];
    int count = 0;
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      Json.expect(parser, JsonToken.VALUE_NUMBER_INT, "a whole number in the shape");
      if (count == MOST_DIMENSIONS) {
        throw Problem.badRequest("a shape of more than " + MOST_DIMENSIONS + " dimensions");
      }
      shape[count++] = parser.getLongValue();
    }
    return Arrays.copyOf(shape, count);
  }
}
