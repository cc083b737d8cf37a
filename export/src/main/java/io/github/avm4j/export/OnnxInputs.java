// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import io.github.avm4j.feature.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The inputs of an ONNX graph and their encoding into features, as {@code RowEncoder} does it; all
 * in double. A row of numbers alone is one tensor {@code features}; otherwise every column is an
 * input of its own.
 */
final class OnnxInputs {
  /** The name of the one input of a model of numbers. */
  static final String FEATURES = "features";

  private static final Precision WIDE = Precision.DOUBLE;
  private static final double DAY = 86_400;

  private final OnnxGraph graph;
  private final Exportable source;
  private final Precision precision;

  OnnxInputs(OnnxGraph graph, Exportable source, Precision precision) {
    this.graph = graph;
    this.source = source;
    this.precision = precision;
  }

  /** Declares the inputs and returns the name of the N×d doubles they become. */
  String features() {
    if (source.schema.isNumbered()) {
      return widened(
          FEATURES, source.dimension, "feature j in column j - 1; what a file leaves out is 0");
    }
    List<Column> columns = source.usedColumns();
    if (source.isNumeric()) {
      List<String> names = columns.stream().map(Column::name).toList();
      double[] fills = columns.stream().mapToDouble(Column::fill).toArray();
      String raw = widened(FEATURES, fills.length, "in this order: " + names + "; NaN is missing");
      return filled(raw, graph.constant(WIDE, fills, fills.length));
    }
    List<String> parts = new ArrayList<>();
    for (Column column : columns) {
      parts.add(encoded(column));
    }
    return graph.node("Concat", Map.of("axis", 1), parts.toArray(String[]::new));
  }

  private String widened(String name, int width, String meaning) {
    String input = graph.input(name, precision.code, width, meaning);
    return precision == WIDE ? input : graph.node("Cast", Map.of("to", WIDE.code), input);
  }

  /** x where it is finite, else the fill: x − x is 0 only then. */
  private String filled(String x, String fill) {
    return graph.node("Where", isFinite(x), x, fill);
  }

  private String isFinite(String x) {
    return graph.node("Equal", graph.node("Sub", x, x), graph.constant(WIDE, 0));
  }

  private String encoded(Column column) {
    return switch (column.kind()) {
      case NUMERIC ->
          filled(
              widened(column.name(), 1, "a number; NaN is missing"),
              graph.constant(WIDE, column.fill()));
      case CATEGORICAL -> oneHot(column);
      case TEMPORAL -> time(column);
      case HASHED ->
          throw new NotExpressibleException(
              "column '"
                  + column.name()
                  + "' is hashed, and ONNX has no hash of texts: train with the column ignored, or"
                  + " as categorical");
      case DROPPED -> throw new AssertionError("a dropped column has no features");
    };
  }

  private String oneHot(Column column) {
    String input =
        graph.input(
            column.name(),
            OnnxGraph.STRING,
            1,
            "one of "
                + column.categories()
                + "; any other text counts as missing. Numbers in their shortest form: 1, not 1.0");
    String known = graph.texts(column.categories(), 1, column.categories().size());
    return graph.node("Cast", Map.of("to", WIDE.code), graph.node("Equal", input, known));
  }

  /** Days, and sine and cosine of the hour and of the weekday, from seconds; missing is zeros. */
  private String time(Column column) {
    String seconds =
        graph.input(
            column.name(),
            WIDE.code,
            1,
            "the time as written, without its zone, in seconds since 1970-01-01T00:00; NaN is"
                + " missing");
    String whole = graph.node("Floor", filled(seconds, graph.constant(WIDE, 0)));
    String day = graph.node("Floor", graph.node("Div", whole, graph.constant(WIDE, DAY)));
    String share =
        graph.node(
            "Sub", graph.node("Div", whole, graph.constant(WIDE, DAY)), day); // of the day gone
    String sinceMonday = graph.node("Add", day, graph.constant(WIDE, 3)); // day 0 is a Thursday
    String week = graph.constant(WIDE, 7);
    String weeks = graph.node("Floor", graph.node("Div", sinceMonday, week));
    String weekday = graph.node("Sub", sinceMonday, graph.node("Mul", weeks, week));
    String weekShare = graph.node("Div", graph.node("Add", weekday, share), week);
    String all =
        graph.node(
            "Concat",
            Map.of("axis", 1),
            graph.node("Add", day, share),
            sine(share, 0),
            sine(share, Math.PI / 2),
            sine(weekShare, 0),
            sine(weekShare, Math.PI / 2));
    return graph.node("Where", isFinite(seconds), all, graph.constant(WIDE, 0));
  }

  /** sin(2π·x + phase): cosines too, for not every runtime has Cos in double. */
  private String sine(String x, double phase) {
    String angle = graph.node("Mul", x, graph.constant(WIDE, 2 * Math.PI));
    return graph.node("Sin", graph.node("Add", angle, graph.constant(WIDE, phase)));
  }
}
