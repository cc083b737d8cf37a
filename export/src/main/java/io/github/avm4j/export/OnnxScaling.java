// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import io.github.avm4j.feature.Scaling;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@link Scaling#apply} in an ONNX graph, for one scaling or for one of several; in double. */
final class OnnxScaling {
  private static final Precision WIDE = Precision.DOUBLE;

  private final int dimension;

  /** Each different scaling and its index. */
  private final Map<Scaling, Integer> indices = new LinkedHashMap<>();

  /** Names of the constants once they are written: one row per scaling. */
  private @Nullable Tables tables;

  private record Tables(
      String shift, String scale, String limit, String lower, @Nullable String logarithm) {}

  /** For vectors of so many features. */
  OnnxScaling(int dimension) {
    this.dimension = dimension;
  }

  /**
   * The index of a scaling, which is added if it is new; before the first {@link #apply}.
   *
   * @param scaling of all features, or the identity
   */
  int add(Scaling scaling) {
    return indices.computeIfAbsent(scaling, same -> indices.size());
  }

  /** Whether every vector stays as it is. */
  private boolean isIdentity() {
    return indices.keySet().stream().allMatch(Scaling::isIdentity);
  }

  /**
   * The scaled {@code x}, one row or several.
   *
   * @param index name of a tensor with the index of the scaling; not used if there is only one
   */
  String apply(OnnxGraph graph, String x, String index) {
    if (isIdentity()) {
      return x;
    }
    if (tables == null) {
      tables = tables(graph);
    }
    String g = x;
    if (tables.logarithm != null) {
      String one = graph.constant(WIDE, 1);
      String log = graph.node("Log", graph.node("Add", graph.node("Abs", x), one));
      String signed = graph.node("Mul", graph.node("Sign", x), log);
      String mask = row(graph, tables.logarithm, index);
      g = graph.node("Where", graph.node("Equal", mask, one), signed, x);
    }
    String shifted = graph.node("Sub", g, row(graph, tables.shift, index));
    String z = graph.node("Mul", shifted, row(graph, tables.scale, index));
    String below = graph.node("Min", z, row(graph, tables.limit, index));
    return graph.node("Max", below, row(graph, tables.lower, index));
  }

  private String row(OnnxGraph graph, String table, String index) {
    return indices.size() == 1 ? table : graph.node("Gather", table, index);
  }

  private Tables tables(OnnxGraph graph) {
    int d = dimension;
    List<Scaling> all = new ArrayList<>(indices.keySet());
    double[] shift = new double[all.size() * d];
    double[] scale = new double[all.size() * d];
    double[] limit = new double[all.size()];
    double[] lower = new double[all.size()];
    double[] logarithm = new double[all.size() * d];
    boolean anyLogarithm = false;
    for (int q = 0; q < all.size(); q++) {
      Scaling scaling = all.get(q);
      limit[q] = scaling.isIdentity() ? Double.POSITIVE_INFINITY : Scaling.LIMIT;
      lower[q] = -limit[q];
      for (int j = 0; j < d; j++) {
        shift[q * d + j] = scaling.isIdentity() ? 0 : scaling.shift(j);
        scale[q * d + j] = scaling.isIdentity() ? 1 : scaling.scale(j);
        logarithm[q * d + j] = !scaling.isIdentity() && scaling.isLogarithmic(j) ? 1 : 0;
        anyLogarithm |= logarithm[q * d + j] == 1;
      }
    }
    int n = all.size();
    return new Tables(
        graph.constant(WIDE, shift, n, d),
        graph.constant(WIDE, scale, n, d),
        graph.constant(WIDE, limit, n, 1),
        graph.constant(WIDE, lower, n, 1),
        anyLogarithm ? graph.constant(WIDE, logarithm, n, d) : null);
  }
}
