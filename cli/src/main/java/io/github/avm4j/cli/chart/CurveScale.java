// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.chart;

import io.github.avm4j.evaluation.CurvePoint;
import java.util.List;

/** Vertical scale of learning curves. */
final class CurveScale {
  private static final double SETTLED = 0.02;
  private static final double ROOM = 1.12;

  private CurveScale() {}

  /** Upper end of the scale: slightly above all points but the first instances. */
  static double top(List<CurvePoint> points) {
    long end = points.get(points.size() - 1).instances();
    double top = 0;
    for (CurvePoint point : points) {
      if (point.instances() >= SETTLED * end) {
        top = Math.max(top, finite(point.error()));
        top = Math.max(top, finite(point.window().error()));
        top = Math.max(top, finite(point.baseline()));
      }
    }
    return top == 0 ? 1 : ROOM * top;
  }

  private static double finite(double value) {
    return Double.isFinite(value) ? value : 0;
  }
}
