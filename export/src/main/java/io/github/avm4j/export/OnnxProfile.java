// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.export;

import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.kernel.Laplacian;
import io.github.avm4j.kernel.Matern32;
import io.github.avm4j.kernel.Matern52;
import io.github.avm4j.kernel.RationalQuadratic;

/** Kernel values of squared distances, in operators of ONNX's basic set. */
final class OnnxProfile {
  private OnnxProfile() {}

  /**
   * What multiplies the squared distances, or for kernels of the distance itself the distances.
   *
   * @throws NotExpressibleException if no ONNX form of the kernel is known
   */
  static double factor(Kernel kernel) {
    if (kernel instanceof Gaussian || kernel instanceof Laplacian) {
      return -kernel.gamma();
    }
    if (kernel instanceof RationalQuadratic rational) {
      return rational.gamma() / rational.alpha();
    }
    if (kernel instanceof Matern52 || kernel instanceof Matern32) {
      return Math.sqrt(kernel instanceof Matern52 ? 5 : 3) * kernel.gamma();
    }
    throw new NotExpressibleException("no ONNX form is known of the kernel " + kernel);
  }

  /** Whether the two differ in their width alone. */
  static boolean isSameKind(Kernel a, Kernel b) {
    if (a instanceof RationalQuadratic one && b instanceof RationalQuadratic other) {
      return one.alpha() == other.alpha();
    }
    return a.getClass() == b.getClass();
  }

  /**
   * K(x, c_i) of ‖x − c_i‖².
   *
   * @param kernel one of the kind
   * @param factor name of the {@link #factor}
   */
  static String values(
      OnnxGraph graph, Precision precision, Kernel kernel, String squared, String factor) {
    if (kernel instanceof Gaussian) {
      return graph.node("Exp", graph.node("Mul", squared, factor));
    }
    String one = graph.constant(precision, 1);
    if (kernel instanceof RationalQuadratic rational) {
      String base = graph.node("Add", graph.node("Mul", squared, factor), one);
      return graph.node("Pow", base, graph.constant(precision, -rational.alpha()));
    }
    String a = graph.node("Mul", graph.node("Sqrt", squared), factor);
    if (kernel instanceof Laplacian) {
      return graph.node("Exp", a);
    }
    String line = graph.node("Add", a, one);
    String third = graph.constant(precision, 1.0 / 3);
    String polynomial =
        kernel instanceof Matern52
            ? graph.node("Add", line, graph.node("Mul", graph.node("Mul", a, a), third))
            : line;
    String falling = graph.node("Exp", graph.node("Mul", a, graph.constant(precision, -1)));
    return graph.node("Mul", polynomial, falling);
  }
}
