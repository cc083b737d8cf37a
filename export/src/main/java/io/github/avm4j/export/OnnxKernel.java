// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import io.github.avm4j.feature.Scaling;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.kernel.Laplacian;
import io.github.avm4j.kernel.Matern32;
import io.github.avm4j.kernel.Matern52;
import io.github.avm4j.kernel.RationalQuadratic;
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
    String squared = stretched(squaredDistances(scaled(features)));
    Kernel kernel = source.model.config().kernel();
    if (kernel instanceof Gaussian) {
      return graph.node("Exp", times(squared, -kernel.gamma()));
    }
    if (kernel instanceof RationalQuadratic rational) {
      String base = plus(times(squared, rational.gamma() / rational.alpha()), 1);
      return graph.node("Pow", base, number(-rational.alpha()));
    }
    String distance = graph.node("Sqrt", squared);
    if (kernel instanceof Laplacian) {
      return graph.node("Exp", times(distance, -kernel.gamma()));
    }
    boolean smoother = kernel instanceof Matern52;
    if (!smoother && !(kernel instanceof Matern32)) {
      throw new NotExpressibleException("no ONNX form is known of the kernel " + kernel);
    }
    String a = times(distance, Math.sqrt(smoother ? 5 : 3) * kernel.gamma());
    String line = plus(a, 1);
    String factor =
        smoother ? graph.node("Add", line, times(graph.node("Mul", a, a), 1.0 / 3)) : line;
    return graph.node("Mul", factor, graph.node("Exp", times(a, -1)));
  }

  /** Squared distances as the kernel counts them; a model without fine points gets no node. */
  private String stretched(String squared) {
    int s = source.model.size();
    if (source.model.fine() == 0) {
      return squared;
    }
    double[] factors = new double[s];
    for (int i = 0; i < s; i++) {
      factors[i] = source.stretch(i);
    }
    return graph.node("Mul", squared, graph.constant(options.precision(), factors, s));
  }

  /** {@link Scaling#apply} on every feature; those beyond the fitted ones stay as they are. */
  private String scaled(String x) {
    Scaling scaling = source.scaling;
    if (scaling.isIdentity()) {
      return x;
    }
    int d = source.dimension;
    double[] shift = new double[d];
    double[] scale = new double[d];
    double[] limit = new double[d];
    double[] lower = new double[d];
    double[] logarithm = new double[d];
    boolean anyLogarithm = false;
    for (int j = 0; j < d; j++) {
      boolean fitted = j < scaling.dimension();
      shift[j] = fitted ? scaling.shift(j) : 0;
      scale[j] = fitted ? scaling.scale(j) : 1;
      limit[j] = fitted ? Scaling.LIMIT : Double.POSITIVE_INFINITY;
      lower[j] = -limit[j];
      logarithm[j] = fitted && scaling.isLogarithmic(j) ? 1 : 0;
      anyLogarithm |= logarithm[j] == 1;
    }
    String g = anyLogarithm ? logarithms(x, logarithm) : x;
    String shifted = graph.node("Sub", g, row(shift));
    String z = graph.node("Mul", shifted, row(scale));
    return graph.node("Max", graph.node("Min", z, row(limit)), row(lower));
  }

  /** sign(x)·log(1 + |x|) where the mask is 1. */
  private String logarithms(String x, double[] mask) {
    String one = graph.constant(WIDE, 1);
    String log = graph.node("Log", graph.node("Add", graph.node("Abs", x), one));
    String signed = graph.node("Mul", graph.node("Sign", x), log);
    return graph.node("Where", graph.node("Equal", row(mask), one), signed, x);
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
      largest = Math.max(largest, source.stretch(i) * norm);
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

  private String times(String x, double factor) {
    return graph.node("Mul", x, number(factor));
  }

  private String plus(String x, double term) {
    return graph.node("Add", x, number(term));
  }
}
