// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli;

import io.github.avm4j.evaluation.ClassificationFigures;
import io.github.avm4j.evaluation.CurvePoint;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws learning curves into files, without a screen. */
final class Charts {
  private static final Color BLUE = new Color(0x1D5FD1);
  private static final Color PALE = new Color(0xA9C3F2);
  private static final Color AMBER = new Color(0xB08A1E);
  private static final Color GRID = new Color(0xE5E7EB);

  private Charts() {}

  /** Whether the name's ending is one that can be drawn. */
  static boolean canDraw(Path path) {
    return ends(path, ".png") || ends(path, ".svg");
  }

  private static boolean ends(Path path, String ending) {
    return path.toString().toLowerCase(Locale.ROOT).endsWith(ending);
  }

  /** Draws the learning curve of {@code evaluation} beside the trivial answer's. */
  static void draw(Evaluation evaluation, String title, int window, Path path) throws IOException {
    if (ends(path, ".svg")) {
      Files.writeString(path, CurveSvg.of(evaluation, title, window));
      return;
    }
    System.setProperty("java.awt.headless", "true");
    try (OutputStream out = Files.newOutputStream(path)) {
      ChartEncoder.saveChart(chart(evaluation, title, window), out, "png");
    }
  }

  private static XYChart chart(Evaluation evaluation, String title, int window) {
    List<CurvePoint> points = evaluation.points();
    boolean classes = evaluation.end().cumulative() instanceof ClassificationFigures;
    XYChart chart =
        new XYChartBuilder()
            .title(title)
            .width(960)
            .height(540)
            .xAxisTitle("instances")
            .yAxisTitle(classes ? "mistakes (percent)" : "root mean squared error")
            .build();
    style(chart);
    chart.getStyler().setYAxisMin(0.0);
    chart.getStyler().setYAxisMax(CurveScale.top(points));
    series(chart, points, "avm, last " + window, p -> p.window().error(), PALE, 1.5f);
    series(chart, points, "trivial, so far", CurvePoint::trivial, AMBER, 2f);
    series(chart, points, "avm, so far", CurvePoint::error, BLUE, 2.5f);
    return chart;
  }

  private static void style(XYChart chart) {
    Font font = new Font(Font.SANS_SERIF, Font.PLAIN, 14);
    chart
        .getStyler()
        .setLegendPosition(Styler.LegendPosition.OutsideS)
        .setLegendLayout(Styler.LegendLayout.Horizontal)
        .setLegendBorderColor(Color.WHITE)
        .setLegendPadding(12)
        .setLegendFont(font)
        .setChartBackgroundColor(Color.WHITE)
        .setPlotBackgroundColor(Color.WHITE)
        .setPlotBorderVisible(false);
    chart.getStyler().setPlotGridLinesColor(GRID);
    chart.getStyler().setPlotGridVerticalLinesVisible(false);
    chart.getStyler().setAxisTitleFont(font);
    chart.getStyler().setAxisTickLabelsFont(font);
    chart.getStyler().setChartTitleFont(font.deriveFont(Font.BOLD, 16f));
    chart.getStyler().setChartTitleBoxVisible(false);
    chart.getStyler().setXAxisTickMarkSpacingHint(120);
    chart.getStyler().setYAxisTickMarkSpacingHint(60);
    chart.getStyler().setXAxisDecimalPattern("#,###");
  }

  private static void series(
      XYChart chart,
      List<CurvePoint> points,
      String name,
      ToDoubleFunction<CurvePoint> figure,
      Color color,
      float width) {
    double top = CurveScale.top(points);
    double[] x = points.stream().mapToDouble(CurvePoint::instances).toArray();
    double[] y = points.stream().mapToDouble(p -> Math.min(top, figure.applyAsDouble(p))).toArray();
    XYSeries series = chart.addSeries(name, x, y);
    series.setMarker(SeriesMarkers.NONE);
    series.setLineColor(color);
    series.setLineWidth(width);
  }
}
