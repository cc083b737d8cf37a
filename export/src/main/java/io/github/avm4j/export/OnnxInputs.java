// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import io.github.avm4j.feature.Column;
import io.github.avm4j.feature.Standard;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

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
  private static final double YEAR = 365.2425;

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
      double[] fills = columns.stream().mapToDouble(c -> c.missing(0)).toArray();
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
    String features =
        switch (column.kind()) {
          case NUMBER ->
              standard(
                  column,
                  filled(
                      widened(column.name(), 1, "a number; NaN is missing"),
                      graph.constant(WIDE, column.missing(0))));
          case CATEGORY, HASHED -> new OnnxTexts(graph).features(column);
          case DATE -> time(column);
          case DROPPED -> throw new AssertionError("a dropped column has no features");
        };
    double unit = column.details().unit();
    return unit == 1 ? features : graph.node("Mul", features, graph.constant(WIDE, unit));
  }

  /** {@link Standard#apply}. */
  private String standard(Column column, String x) {
    Standard standard = column.details().standard();
    if (standard.isNone()) {
      return x;
    }
    String g = x;
    if (standard.logarithm()) {
      String one = graph.constant(WIDE, 1);
      String log = graph.node("Log", graph.node("Add", graph.node("Abs", x), one));
      g = graph.node("Mul", graph.node("Sign", x), log);
    }
    String shifted = graph.node("Sub", g, graph.constant(WIDE, standard.shift()));
    String z = graph.node("Mul", shifted, graph.constant(WIDE, standard.scale()));
    if (Double.isInfinite(standard.limit())) {
      return z;
    }
    String below = graph.node("Min", z, graph.constant(WIDE, standard.limit()));
    return graph.node("Max", below, graph.constant(WIDE, -standard.limit()));
  }

  /** Sine and cosine of hour, weekday and, if it has that, time of year, from seconds. */
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
    List<String> parts = new ArrayList<>();
    List<String> cycles = new ArrayList<>(List.of(share, weekShare));
    if (column.details().yearly()) {
      String days = graph.node("Add", day, share);
      cycles.add(graph.node("Div", days, graph.constant(WIDE, YEAR)));
    }
    for (String cycle : cycles) {
      parts.add(sine(cycle, 0));
      parts.add(sine(cycle, Math.PI / 2));
    }
    String all = graph.node("Concat", Map.of("axis", 1), parts.toArray(String[]::new));
    double[] fill = IntStream.range(0, column.width()).mapToDouble(column::missing).toArray();
    return graph.node("Where", isFinite(seconds), all, graph.constant(WIDE, fill, 1, fill.length));
  }

  /** sin(2π·x + phase): cosines too, for not every runtime has Cos in double. */
  private String sine(String x, double phase) {
    String angle = graph.node("Mul", x, graph.constant(WIDE, 2 * Math.PI));
    return graph.node("Sin", graph.node("Add", angle, graph.constant(WIDE, phase)));
  }
}
