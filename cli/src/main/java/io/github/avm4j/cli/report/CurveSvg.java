// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.report;

import io.github.avm4j.baselines.comparison.ComparisonChart;
import io.github.avm4j.cli.run.Evaluation;
import io.github.avm4j.evaluation.ClassificationFigures;
import io.github.avm4j.evaluation.CurvePoint;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Learning curves as SVG, for HTML pages and files. */
public final class CurveSvg {
  private static final double SETTLED = 0.02;
  private static final double ROOM = 1.12;

  private CurveSvg() {}

  /** Chart without title and style, for a page with its own style sheet. */
  static SvgChart chart(Evaluation evaluation, double width, double height) {
    List<CurvePoint> points = evaluation.points();
    double[] x = series(points, CurvePoint::instances);
    double top = top(points);
    return new SvgChart(name(evaluation), width, height, 0, evaluation.end().instances(), 0, top)
        .xLabel("instances")
        .line("window", x, series(points, p -> p.window().error()))
        .line("baseline", x, series(points, CurvePoint::baseline))
        .line("learner", x, series(points, CurvePoint::error));
  }

  /** Upper end of the vertical scale: slightly above all points but the first instances. */
  private static double top(List<CurvePoint> points) {
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

  private static double[] series(List<CurvePoint> points, ToDoubleFunction<CurvePoint> figure) {
    return points.stream().mapToDouble(figure).toArray();
  }

  /** Name of the measure. */
  static String name(Evaluation evaluation) {
    boolean classes = evaluation.end().cumulative() instanceof ClassificationFigures;
    return classes ? "Mistakes, percent" : "Root mean squared error";
  }

  /** SVG file with title and legend. */
  public static String file(Evaluation evaluation, String title, int window) {
    List<CurvePoint> points = evaluation.points();
    double[] x = series(points, CurvePoint::instances);
    return new ComparisonChart(title, "instances", name(evaluation), false)
        .add("avm so far", x, series(points, CurvePoint::error), 0)
        .add("avm, last " + window, x, series(points, p -> p.window().error()), 1)
        .add("better baseline", x, series(points, CurvePoint::baseline), 2)
        .toSvg();
  }
}
