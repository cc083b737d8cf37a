// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.chart;

import io.github.avm4j.baselines.comparison.ComparisonChart;
import io.github.avm4j.cli.failure.UsageException;
import io.github.avm4j.cli.run.Evaluation;
import io.github.avm4j.evaluation.ClassificationFigures;
import io.github.avm4j.evaluation.CurvePoint;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws learning curves and comparisons into PNG and SVG files. */
public final class Charts {
  private static final Color BLUE = new Color(0x1D5FD1);
  private static final Color PALE = new Color(0xA9C3F2);
  private static final Color AMBER = new Color(0xB08A1E);
  private static final Color GRID = new Color(0xE5E7EB);

  private Charts() {}

  /**
   * Checks the file extension.
   *
   * @throws UsageException if it is neither .png nor .svg
   */
  public static void requireKnown(Path path) {
    if (!ends(path, ".png") && !ends(path, ".svg")) {
      throw new UsageException("--plot: " + path + " has an unknown extension: use .png or .svg");
    }
  }

  private static boolean ends(Path path, String ending) {
    return path.toString().toLowerCase(Locale.ROOT).endsWith(ending);
  }

  /** Draws a comparison. */
  public static void draw(ComparisonChart comparison, Path path) throws IOException {
    if (ends(path, ".svg")) {
      Files.writeString(path, comparison.toSvg());
    } else {
      png(chart(comparison), path);
    }
  }

  private static void png(XYChart chart, Path path) throws IOException {
    try (OutputStream out = Files.newOutputStream(path)) {
      ChartEncoder.saveChart(chart, out, "png");
    }
  }

  private static XYChart chart(ComparisonChart comparison) {
    System.setProperty("java.awt.headless", "true");
    XYChart chart =
        new XYChartBuilder()
            .title(comparison.title())
            .width(960)
            .height(540)
            .xAxisTitle(comparison.xLabel())
            .yAxisTitle(comparison.yLabel())
            .build();
    style(chart);
    double top = comparison.top();
    chart.getStyler().setXAxisMin(0.0);
    chart.getStyler().setYAxisMin(comparison.bottom());
    chart.getStyler().setYAxisMax(top);
    chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
    chart.getStyler().setLegendLayout(Styler.LegendLayout.Vertical);
    for (ComparisonChart.Line line : comparison.lines()) {
      double[] y = Arrays.stream(line.y()).map(value -> Math.min(top, value)).toArray();
      XYSeries series = chart.addSeries(line.name(), uneven(line.x()), y);
      series.setMarker(SeriesMarkers.NONE);
      series.setLineColor(Color.decode(line.colour()));
      series.setLineStyle(stroke(line));
    }
    return chart;
  }

  /** Chooses ticks; without this, evenly spaced values would get too many. */
  private static double[] uneven(double[] x) {
    double[] shifted = x.clone();
    if (x.length > 2) {
      shifted[1] += 0.1 * (x[2] - x[1]);
    }
    return shifted;
  }

  private static BasicStroke stroke(ComparisonChart.Line line) {
    float[] dash = line.dash().length == 0 ? null : line.dash();
    return new BasicStroke(line.width(), BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 10, dash, 0);
  }

  /** Draws a learning curve beside that of the better baseline. */
  public static void draw(Evaluation evaluation, String title, int window, Path path)
      throws IOException {
    if (ends(path, ".svg")) {
      Files.writeString(path, CurveSvg.of(evaluation, title, window));
      return;
    }
    System.setProperty("java.awt.headless", "true");
    png(chart(evaluation, title, window), path);
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
    series(chart, points, "baseline, so far", CurvePoint::baseline, AMBER, 2f);
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
