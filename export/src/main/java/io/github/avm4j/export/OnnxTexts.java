// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.TextHash;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * Columns of texts in an ONNX graph: one feature per known value, and one of several for a value's
 * hash. Hashes need {@code MurmurHash3}, an operator that ONNX Runtime has and ONNX itself has not.
 */
final class OnnxTexts {
  private static final Precision WIDE = Precision.DOUBLE;

  private final OnnxGraph graph;

  OnnxTexts(OnnxGraph graph) {
    this.graph = graph;
  }

  /** Declares the column's input and returns its features. */
  String features(Column column) {
    List<String> known = column.categories();
    String meaning =
        known.isEmpty()
            ? "any text; the empty one is missing. Numbers in their shortest form: 1, not 1.0"
            : "one of "
                + known
                + (column.buckets() > 0
                    ? "; other texts are hashed, the empty one is missing."
                    : "; any other text counts as missing.")
                + " Numbers in their shortest form: 1, not 1.0";
    String input = graph.input(column.name(), OnnxGraph.STRING, 1, meaning);
    if (column.buckets() == 0) {
      return oneHot(input, known);
    }
    if (column.details().hash() != TextHash.MURMUR3) {
      throw new NotExpressibleException(
          "column '"
              + column.name()
              + "' is hashed as the first models were, which no runtime can: train again, or with"
              + " the column as categorical");
    }
    String missing = toDouble(graph.node("Equal", input, graph.texts(List.of(""), 1, 1)));
    if (known.isEmpty()) {
      return graph.node("Mul", hashed(input, column.buckets()), not(missing));
    }
    String values = oneHot(input, known);
    String met = graph.node("ReduceSum", Map.of("keepdims", 1), values, graph.integers(1));
    String other = graph.node("Mul", not(met), not(missing));
    String hashed = graph.node("Mul", hashed(input, column.buckets()), other);
    return graph.node("Concat", Map.of("axis", 1), values, hashed);
  }

  private String oneHot(String input, List<String> known) {
    return toDouble(graph.node("Equal", input, graph.texts(known, 1, known.size())));
  }

  private String hashed(String input, int buckets) {
    String hash = graph.node("Cast", Map.of("to", OnnxGraph.INT64), graph.hash(input));
    String bucket = graph.node("Mod", hash, graph.integers(buckets));
    String all = graph.integers(LongStream.range(0, buckets).toArray());
    return toDouble(graph.node("Equal", bucket, all));
  }

  private String not(String x) {
    return graph.node("Sub", graph.constant(WIDE, 1), x);
  }

  private String toDouble(String x) {
    return graph.node("Cast", Map.of("to", WIDE.code), x);
  }
}
