// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;

/**
 * An ONNX graph being written: every node names its output itself, every constant is an
 * initializer. A graph may contain the body of a loop, whose constants are those of the whole.
 * Numbers are those of onnx.proto; opset {@value #OPSET}, IR version {@value #IR_VERSION}.
 */
final class OnnxGraph {
  /** The first in which Equal compares texts. */
  static final int OPSET = 19;

  static final int IR_VERSION = 9;

  static final int INT64 = 7;
  static final int STRING = 8;

  private static final int ATTRIBUTE_INT = 2;
  private static final int ATTRIBUTE_GRAPH = 5;

  /** The operators that ONNX Runtime has beside ONNX's own. */
  private static final String RUNTIME = "com.microsoft";

  private final ProtoMessage graph = new ProtoMessage();

  /** The graph that holds the constants and counts the names; this one unless it is a body. */
  private final OnnxGraph whole;

  private boolean hashes;
  private int made;

  /** An empty graph. */
  OnnxGraph() {
    this.whole = this;
  }

  private OnnxGraph(OnnxGraph whole) {
    this.whole = whole;
  }

  /** An empty body of a loop in this graph. Nodes of it may use names of this graph. */
  OnnxGraph body() {
    return new OnnxGraph(whole);
  }

  /** Declares the body's input: one row of so many numbers. Returns its name. */
  String bodyInput(int type, int width) {
    String name = nextName();
    graph.message(11, value(name, type, List.of(new ProtoMessage().number(1, width)), ""));
    return name;
  }

  /** Declares an output of the body: so many numbers per row. */
  void bodyOutput(String source, int type, int width) {
    graph.message(12, value(source, type, List.of(new ProtoMessage().number(1, width)), ""));
  }

  /**
   * Runs a body with one input and two outputs for each row. Returns the names of the outputs of
   * all rows.
   */
  List<String> scan(OnnxGraph body, String rows) {
    List<String> outputs = List.of(nextName(), nextName());
    body.graph.text(2, outputs.get(0) + "/row");
    ProtoMessage node = new ProtoMessage().text(1, rows);
    outputs.forEach(output -> node.text(2, output));
    node.text(3, outputs.get(0)).text(4, "Scan");
    node.message(
        5, new ProtoMessage().text(1, "body").message(6, body.graph).number(20, ATTRIBUTE_GRAPH));
    node.message(5, attribute("num_scan_inputs", 1));
    graph.message(1, node);
    return outputs;
  }

  private static ProtoMessage attribute(String name, int value) {
    return new ProtoMessage().text(1, name).number(3, value).number(20, ATTRIBUTE_INT);
  }

  /** Adds a node with one output and returns the output's name. */
  String node(String operator, String... inputs) {
    return add(operator, nextName(), Map.of(), inputs);
  }

  /** The same with whole-number attributes. */
  String node(String operator, Map<String, Integer> attributes, String... inputs) {
    return add(operator, nextName(), attributes, inputs);
  }

  private String add(
      String operator, String output, Map<String, Integer> attributes, String... inputs) {
    ProtoMessage node = new ProtoMessage();
    for (String input : inputs) {
      node.text(1, input);
    }
    node.text(2, output).text(3, output).text(4, operator);
    attributes.forEach((name, value) -> node.message(5, attribute(name, value)));
    graph.message(1, node);
    return output;
  }

  /** MurmurHash3 of texts, 32 bits without a sign; an operator of ONNX Runtime's own. */
  String hash(String texts) {
    whole.hashes = true;
    String output = nextName();
    graph.message(
        1,
        new ProtoMessage()
            .text(1, texts)
            .text(2, output)
            .text(3, output)
            .text(4, "MurmurHash3")
            .text(7, RUNTIME));
    return output;
  }

  private String nextName() {
    return "avm4j/" + whole.made++;
  }

  /** A constant tensor of numbers. */
  String constant(Precision precision, double[] values, int... shape) {
    ByteBuffer raw = ByteBuffer.allocate(values.length * (precision == Precision.FLOAT ? 4 : 8));
    raw.order(ByteOrder.LITTLE_ENDIAN);
    for (double value : values) {
      if (precision == Precision.FLOAT) {
        raw.putFloat((float) value);
      } else {
        raw.putDouble(value);
      }
    }
    return initializer(tensor(precision.code, shape).bytes(9, raw.array()));
  }

  /** A constant number. */
  String constant(Precision precision, double value) {
    return constant(precision, new double[] {value}, 1);
  }

  /** A constant tensor of whole numbers. */
  String integers(long... values) {
    ByteBuffer raw = ByteBuffer.allocate(8 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    for (long value : values) {
      raw.putLong(value);
    }
    return initializer(tensor(INT64, values.length).bytes(9, raw.array()));
  }

  /** A constant tensor of texts. */
  String texts(List<String> values, int... shape) {
    ProtoMessage tensor = tensor(STRING, shape);
    values.forEach(value -> tensor.text(6, value));
    return initializer(tensor);
  }

  private static ProtoMessage tensor(int type, int... shape) {
    ProtoMessage tensor = new ProtoMessage();
    for (int size : shape) {
      tensor.number(1, size);
    }
    return tensor.number(2, type);
  }

  private String initializer(ProtoMessage tensor) {
    String name = nextName();
    whole.graph.message(5, tensor.text(8, name));
    return name;
  }

  /** Declares an input of N rows and returns its name. */
  String input(String name, int type, int width, String meaning) {
    graph.message(11, value(name, type, width, meaning));
    return name;
  }

  /** Declares an output of N rows; {@code width} 0 is a plain list. */
  void output(String name, String source, int type, int width, String meaning) {
    add("Identity", name, Map.of(), source);
    graph.message(12, value(name, type, width, meaning));
  }

  private static ProtoMessage value(String name, int type, int width, String meaning) {
    ProtoMessage rows = new ProtoMessage().text(2, "N");
    return value(
        name,
        type,
        width == 0 ? List.of(rows) : List.of(rows, new ProtoMessage().number(1, width)),
        meaning);
  }

  private static ProtoMessage value(
      String name, int type, List<ProtoMessage> dimensions, String meaning) {
    ProtoMessage shape = new ProtoMessage();
    dimensions.forEach(dimension -> shape.message(1, dimension));
    ProtoMessage tensor = new ProtoMessage().number(1, type).message(2, shape);
    return new ProtoMessage()
        .text(1, name)
        .message(2, new ProtoMessage().message(1, tensor))
        .text(3, meaning);
  }

  /** The whole file. */
  byte[] model(String description, String version, Map<String, String> metadata) {
    graph.text(2, "avm4j").text(10, description);
    ProtoMessage model =
        new ProtoMessage()
            .number(1, IR_VERSION)
            .text(2, "avm4j")
            .text(3, version)
            .text(4, "io.github.avm4j")
            .number(5, 1)
            .text(6, description)
            .message(7, graph)
            .message(8, new ProtoMessage().text(1, "").number(2, OPSET));
    if (hashes) {
      model.message(8, new ProtoMessage().text(1, RUNTIME).number(2, 1));
    }
    metadata.forEach(
        (key, value) -> model.message(14, new ProtoMessage().text(1, key).text(2, value)));
    return model.toBytes();
  }
}
