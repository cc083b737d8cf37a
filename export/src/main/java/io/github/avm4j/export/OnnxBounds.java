// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import io.github.avm4j.feature.Bounds;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@link Bounds#apply} in an ONNX graph, for one model or for one of several; in double. */
final class OnnxBounds {
  private static final Precision WIDE = Precision.DOUBLE;

  private final int dimension;
  private final List<BoundTable> rows = new ArrayList<>();

  /** Names of the constants once they are written: one row per model. */
  private @Nullable Tables tables;

  private record Tables(String lower, String upper, String below, String above, String mean) {}

  /** For vectors of so many features. */
  OnnxBounds(int dimension) {
    this.dimension = dimension;
  }

  /** Adds the bounds of a model, whose index is the number of those before. */
  void add(BoundTable bounds) {
    rows.add(bounds);
  }

  /**
   * The bounded {@code x}, one row or several.
   *
   * @param index name of a tensor with the index of the model; not used if there is only one
   */
  String apply(OnnxGraph graph, String x, String index) {
    if (rows.stream().noneMatch(BoundTable::isAny)) {
      return x;
    }
    if (tables == null) {
      tables =
          new Tables(
              table(graph, rows.stream().map(BoundTable::lower).toList()),
              table(graph, rows.stream().map(BoundTable::upper).toList()),
              table(graph, rows.stream().map(BoundTable::below).toList()),
              table(graph, rows.stream().map(BoundTable::above).toList()),
              table(graph, rows.stream().map(BoundTable::mean).toList()));
    }
    String under = graph.node("Min", x, row(graph, tables.upper, index));
    String cut = graph.node("Max", under, row(graph, tables.lower, index));
    String low = graph.node("Less", x, row(graph, tables.below, index));
    String high = graph.node("Greater", x, row(graph, tables.above, index));
    return graph.node("Where", graph.node("Or", low, high), row(graph, tables.mean, index), cut);
  }

  private String row(OnnxGraph graph, String table, String index) {
    return rows.size() == 1 ? table : graph.node("Gather", table, index);
  }

  private String table(OnnxGraph graph, List<double[]> values) {
    double[] all = new double[values.size() * dimension];
    for (int i = 0; i < values.size(); i++) {
      System.arraycopy(values.get(i), 0, all, i * dimension, dimension);
    }
    return values.size() == 1
        ? graph.constant(WIDE, all, dimension)
        : graph.constant(WIDE, all, values.size(), dimension);
  }
}
