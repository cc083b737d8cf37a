// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.kernel.Laplacian;
import io.github.avm4j.kernel.Matern32;
import io.github.avm4j.kernel.Matern52;
import java.util.Map;

/** From N×d features to N×S kernel values, in operators of ONNX's basic set. */
final class OnnxKernel {
  private static final Precision WIDE = Precision.DOUBLE;

  /** Most units of a kernel value's last place that products may cost. */
  private static final double MOST_CANCELLED = 64;

  private final OnnxGraph graph;
  private final Exportable source;
  private final OnnxOptions options;
  private Distances form;

  OnnxKernel(OnnxGraph graph, Exportable source, OnnxOptions options) {
    this.graph = graph;
    this.source = source;
    this.options = options;
    this.form = options.distances();
  }

  /** The form of the distances, once {@link #values} has chosen. */
  Distances form() {
    return form;
  }

  /** K(x, c_i) for features in double. */
  String values(String features) {
    OnnxScaling scaling = new OnnxScaling(source.dimension);
    scaling.add(source.scaling);
    OnnxBounds bounds = new OnnxBounds(source.dimension);
    bounds.add(source.bounds(source.model.bounds()));
    String bounded = bounds.apply(graph, features, "");
    String squared = squaredDistances(scaling.apply(graph, bounded, ""));
    Kernel kernel = source.model.config().kernel();
    String factor = number(OnnxProfile.factor(kernel));
    return OnnxProfile.values(graph, options.precision(), kernel, squared, factor);
  }

  private String row(double[] values) {
    return graph.constant(WIDE, values, values.length);
  }

  /**
   * ‖x − c_i‖². Both are moved by the mean of the core points first, in double: the smaller the
   * norms, the fewer digits cancel.
   */
  private String squaredDistances(String x) {
    int s = source.model.size();
    int d = source.dimension;
    double[] mean = mean(s, d);
    double[] points = new double[s * d];
    double largest = 0;
    for (int i = 0; i < s; i++) {
      double[] point = source.point(i);
      double norm = 0;
      for (int j = 0; j < d; j++) {
        points[i * d + j] = rounded(point[j] - mean[j]);
        norm += points[i * d + j] * points[i * d + j];
      }
      largest = Math.max(largest, norm);
    }
    if (form == Distances.AUTOMATIC) {
      form = steepness() * largest > MOST_CANCELLED ? Distances.DIFFERENCES : Distances.PRODUCTS;
    }
    String centred = graph.node("Sub", x, row(mean));
    String narrow =
        options.precision() == WIDE
            ? centred
            : graph.node("Cast", Map.of("to", options.precision().code), centred);
    return form == Distances.DIFFERENCES
        ? differences(narrow, points, s, d)
        : products(narrow, points, s, d);
  }

  /** −k′(0): what an error of a squared distance does to a kernel value near 1. */
  private double steepness() {
    Kernel kernel = source.model.config().kernel();
    double gamma = kernel.gamma();
    if (kernel instanceof Laplacian) {
      return Double.POSITIVE_INFINITY;
    }
    if (kernel instanceof Matern32) {
      return 1.5 * gamma * gamma;
    }
    return kernel instanceof Matern52 ? gamma * gamma * 5 / 6 : gamma;
  }

  private double[] mean(int s, int d) {
    double[] mean = new double[d];
    for (int i = 0; i < s; i++) {
      double[] point = source.point(i);
      for (int j = 0; j < d; j++) {
        mean[j] += point[j] / s;
      }
    }
    return mean;
  }

  private double rounded(double value) {
    return options.precision() == Precision.FLOAT ? (float) value : value;
  }

  private String differences(String x, double[] points, int s, int d) {
    String rows = graph.node("Unsqueeze", x, graph.integers(1));
    String difference =
        graph.node("Sub", rows, graph.constant(options.precision(), points, 1, s, d));
    String square = graph.node("Mul", difference, difference);
    return graph.node("ReduceSum", Map.of("keepdims", 0), square, graph.integers(2));
  }

  private String products(String x, double[] points, int s, int d) {
    double[] transposed = new double[s * d];
    double[] norms = new double[s];
    for (int i = 0; i < s; i++) {
      for (int j = 0; j < d; j++) {
        double value = points[i * d + j];
        transposed[j * s + i] = -2 * value;
        norms[i] += value * value;
      }
    }
    String square = graph.node("Mul", x, x);
    String norm = graph.node("ReduceSum", Map.of("keepdims", 1), square, graph.integers(1));
    String dots = graph.node("MatMul", x, graph.constant(options.precision(), transposed, d, s));
    String ends = graph.node("Add", norm, graph.constant(options.precision(), norms, s));
    return graph.node("Max", graph.node("Add", ends, dots), number(0));
  }

  private String number(double value) {
    return graph.constant(options.precision(), value);
  }
}
