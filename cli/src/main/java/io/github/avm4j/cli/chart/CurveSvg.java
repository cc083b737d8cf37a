// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.chart;

import io.github.avm4j.cli.run.Evaluation;
import io.github.avm4j.cli.text.Html;
import io.github.avm4j.evaluation.ClassificationFigures;
import io.github.avm4j.evaluation.CurvePoint;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Learning curves as SVG, for HTML pages and files. */
public final class CurveSvg {
  private static final String STYLE =
      """
      <style>
      text { font: 14px sans-serif; fill: #4b5563; }
      .title { font-weight: bold; font-size: 16px; fill: #111827; }
      .grid { stroke: #e5e7eb; }
      path { fill: none; stroke-linejoin: round; }
      .learner { stroke: #1d5fd1; stroke-width: 2.4; }
      .window { stroke: #a9c3f2; stroke-width: 1.4; }
      .baseline { stroke: #b08a1e; stroke-width: 2; stroke-dasharray: 6 4; }
      </style>
      """;

  private static final double SETTLED = 0.02;
  private static final double ROOM = 1.12;

  private CurveSvg() {}

  /** Chart without title and style, for a page with its own style sheet. */
  public static SvgChart chart(Evaluation evaluation, double width, double height) {
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
  public static String name(Evaluation evaluation) {
    boolean classes = evaluation.end().cumulative() instanceof ClassificationFigures;
    return classes ? "Mistakes, percent" : "Root mean squared error";
  }

  /** SVG file with title and legend. */
  public static String of(Evaluation evaluation, String title, int window) {
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"960\" height=\"420\""
        + " viewBox=\"0 0 960 420\">\n"
        + STYLE
        + "<rect width=\"960\" height=\"420\" fill=\"#ffffff\"/>\n"
        + "<text class=\"title\" x=\"54\" y=\"28\">"
        + Html.escape(title)
        + "</text>\n<text x=\"54\" y=\"54\">"
        + name(evaluation)
        + "</text>\n"
        + key(480, "learner", "avm so far")
        + key(610, "window", "avm, last " + window)
        + key(760, "baseline", "better baseline")
        + "<g transform=\"translate(0 70)\"><svg width=\"960\" height=\"340\">"
        + chart(evaluation, SvgChart.WIDE, 340).toSvg("curve")
        + "</svg></g>\n</svg>\n";
  }

  private static String key(int x, String cssClass, String name) {
    return "<path class=\"%s\" d=\"M%d 49h24\"/><text x=\"%d\" y=\"54\">%s</text>\n"
        .formatted(cssClass, x, x + 30, name);
  }
}
