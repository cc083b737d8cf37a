// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.baselines.comparison;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Lines or points of several methods in one SVG file of its own, with a legend. Each method has a
 * colour and a dash that depend on its place alone, so charts of the same methods look alike.
 */
public final class ComparisonChart {
  private static final int WIDTH = 760;
  private static final int HEIGHT = 446;
  private static final int LEFT = 64;
  private static final int RIGHT = 170;
  private static final int TOP = 60;
  private static final int BOTTOM = 52;
  private static final String[] COLOURS = {
    "#1d5fd1", "#c2410c", "#15803d", "#7e22ce", "#b08a1e", "#0e7490", "#be185d", "#4d7c0f",
    "#475569", "#92400e", "#1e3a8a", "#dc2626", "#0f766e", "#a16207"
  };
  private static final String[] DASHES = {"", "7 3", "2 3"};
  private static final float BOLD = 3.2f;
  private static final float THIN = 1.8f;

  private record Series(String name, List<Double> x, List<Double> y, int place) {}

  private final String title;
  private final String xLabel;
  private final String yLabel;
  private final boolean logX;
  private final List<Series> series = new ArrayList<>();
  private boolean whole;

  /**
   * An empty chart; {@code logX} for an axis of powers of ten.
   *
   * @param title title of the chart
   * @param xLabel title of the horizontal axis
   * @param yLabel title of the vertical axis
   * @param logX whether the horizontal axis is of powers of ten
   */
  public ComparisonChart(String title, String xLabel, String yLabel, boolean logX) {
    this.title = title;
    this.xLabel = xLabel;
    this.yLabel = yLabel;
    this.logX = logX;
  }

  /**
   * Shows every value; otherwise high beginnings are cut, as those of learning curves are.
   *
   * @return this chart
   */
  public ComparisonChart whole() {
    whole = true;
    return this;
  }

  /**
   * Adds a line, or a dot if it is one point. What is not finite is left out.
   *
   * @param name name of the line
   * @param x horizontal values, rising
   * @param y vertical values
   * @param place number of its colour, from 0
   * @return this chart
   */
  public ComparisonChart add(String name, double[] x, double[] y, int place) {
    List<Double> xs = new ArrayList<>();
    List<Double> ys = new ArrayList<>();
    for (int i = 0; i < x.length; i++) {
      if (Double.isFinite(x[i]) && Double.isFinite(y[i]) && (!logX || x[i] > 0)) {
        xs.add(logX ? Math.log10(x[i]) : x[i]);
        ys.add(y[i]);
      }
    }
    series.add(new Series(name, xs, ys, place));
    return this;
  }

  /** {@return the number of lines so far: the place of the next} */
  public int size() {
    return series.size();
  }

  /** {@return the chart as SVG} */
  public String toSvg() {
    double[] x = series.stream().flatMap(s -> s.x.stream()).mapToDouble(v -> v).toArray();
    double xLow = Arrays.stream(x).min().orElse(0);
    double xHigh = Arrays.stream(x).max().orElse(1);
    double top = top();
    double yHigh = top > 0 ? top : 1;
    double yLow = bottom(yHigh);
    Axes axes = new Axes(xLow, xHigh > xLow ? xHigh : xLow + 1, yLow, yHigh);
    StringBuilder svg = new StringBuilder();
    svg.append(
        String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d"
                + " %d\">\n",
            WIDTH,
            HEIGHT,
            WIDTH,
            HEIGHT));
    svg.append("<style>text{font-family:sans-serif;font-size:13px;fill:#374151}</style>\n");
    svg.append(
        String.format(
            Locale.ROOT, "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n", WIDTH, HEIGHT));
    text(svg, "start", LEFT, 24, title, "font-weight=\"bold\"");
    grid(svg, axes);
    svg.append(
        String.format(
            Locale.ROOT,
            "<clipPath id=\"plot\"><rect x=\"%d\" y=\"%d\" width=\"%d\""
                + " height=\"%d\"/></clipPath>\n",
            LEFT,
            TOP - 6,
            WIDTH - LEFT - RIGHT + 6,
            HEIGHT - TOP - BOTTOM + 12));
    for (int i = 0; i < series.size(); i++) {
      mark(svg, axes, series.get(i));
      legend(svg, series.get(i), i);
    }
    return svg.append("</svg>\n").toString();
  }

  /** Upper end of the vertical axis: above the ends of the lines and most of their way. */
  private double top() {
    if (whole) {
      return 1.05 * series.stream().flatMap(s -> s.y.stream()).mapToDouble(v -> v).max().orElse(1);
    }
    double[] late =
        series.stream()
            .flatMap(s -> s.y.stream().skip(s.y.size() / 10))
            .mapToDouble(v -> v)
            .sorted()
            .toArray();
    double most = late.length == 0 ? 1 : late[late.length - 1];
    double ends =
        series.stream()
            .filter(s -> !s.y.isEmpty())
            .mapToDouble(s -> s.y.get(s.y.size() - 1))
            .max()
            .orElse(most);
    return 1.05 * Math.min(most, 1.6 * ends);
  }

  private double bottom(double top) {
    double least = series.stream().flatMap(s -> s.y.stream()).mapToDouble(v -> v).min().orElse(0);
    return least > 0.35 * top ? 0.9 * least : 0;
  }

  private record Axes(double xLow, double xHigh, double yLow, double yHigh) {
    double x(double value) {
      return LEFT + (value - xLow) / (xHigh - xLow) * (WIDTH - LEFT - RIGHT);
    }

    double y(double value) {
      return HEIGHT - BOTTOM - (value - yLow) / (yHigh - yLow) * (HEIGHT - TOP - BOTTOM);
    }
  }

  private void grid(StringBuilder svg, Axes axes) {
    for (double y : ticks(axes.yLow, axes.yHigh)) {
      svg.append(
          String.format(
              Locale.ROOT,
              "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#e5e7eb\"/>\n",
              LEFT,
              WIDTH - RIGHT,
              axes.y(y),
              axes.y(y)));
      text(svg, "end", LEFT - 6, axes.y(y) + 4, label(y), "");
    }
    for (double x : logX ? logTicks(axes.xLow, axes.xHigh) : ticks(axes.xLow, axes.xHigh)) {
      String label = logX ? label(Math.pow(10, x)) : label(x);
      text(svg, "middle", axes.x(x), HEIGHT - BOTTOM + 18, label, "");
    }
    text(svg, "middle", (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 10, xLabel, "");
    text(svg, "start", 8, TOP - 12, yLabel, "");
  }

  private static void mark(StringBuilder svg, Axes axes, Series line) {
    String colour = COLOURS[line.place % COLOURS.length];
    if (line.x.size() == 1) {
      svg.append(
          String.format(
              Locale.ROOT,
              "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"6\" fill=\"%s\"/>\n",
              axes.x(line.x.get(0)),
              axes.y(line.y.get(0)),
              colour));
      return;
    }
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < line.x.size(); i++) {
      path.append(i == 0 ? 'M' : 'L');
      path.append(
          String.format(Locale.ROOT, "%.1f %.1f", axes.x(line.x.get(i)), axes.y(line.y.get(i))));
    }
    svg.append(
        String.format(
            Locale.ROOT,
            "<path clip-path=\"url(#plot)\" d=\"%s\" fill=\"none\" stroke=\"%s\""
                + " stroke-width=\"%s\" stroke-dasharray=\"%s\"/>\n",
            path,
            colour,
            line.place == 0 ? BOLD : THIN,
            dash(line.place)));
  }

  private static String dash(int place) {
    return DASHES[place % DASHES.length];
  }

  private static void legend(StringBuilder svg, Series line, int row) {
    int x = WIDTH - RIGHT + 14;
    int y = TOP + 8 + 20 * row;
    svg.append(
        String.format(
            Locale.ROOT,
            "<path d=\"M%d %dh22\" fill=\"none\" stroke=\"%s\" stroke-width=\"3\""
                + " stroke-dasharray=\"%s\"/>\n",
            x,
            y,
            COLOURS[line.place % COLOURS.length],
            dash(line.place)));
    text(svg, "start", x + 28, y + 4, line.name, "");
  }

  private static void text(
      StringBuilder svg, String anchor, double x, double y, String text, String more) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<text text-anchor=\"%s\" x=\"%.1f\" y=\"%.1f\" %s>%s</text>\n",
            anchor,
            x,
            y,
            more,
            escape(text)));
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** About six round numbers. */
  static List<Double> ticks(double low, double high) {
    double raw = (high - low) / 6;
    double power = Math.pow(10, Math.floor(Math.log10(raw)));
    double share = raw / power;
    double step = power * (share > 5 ? 10 : share > 2 ? 5 : share > 1 ? 2 : 1);
    List<Double> ticks = new ArrayList<>();
    for (long k = (long) Math.ceil(low / step); k * step <= high; k++) {
      ticks.add(k * step);
    }
    return ticks;
  }

  /** Logarithms of powers of ten, of twice and five times them too where there are few. */
  static List<Double> logTicks(double low, double high) {
    double[] digits = high - low > 2 ? new double[] {1} : new double[] {1, 2, 5};
    long every = (long) Math.max(1, Math.ceil((high - low) / 8));
    List<Double> ticks = new ArrayList<>();
    for (long k = (long) Math.floor(low); k <= high; k++) {
      for (double digit : digits) {
        double tick = k + Math.log10(digit);
        if (k % every == 0 && tick >= low && tick <= high) {
          ticks.add(tick);
        }
      }
    }
    return ticks.size() < 2 ? ticks(low, high) : ticks;
  }

  private static String label(double value) {
    double size = Math.abs(value);
    if (size >= 1e6) {
      return String.format(Locale.ROOT, "%.3gM", value / 1e6)
          .replace(".00M", "M")
          .replace(".0M", "M");
    }
    if (size >= 1e4) {
      return String.format(Locale.ROOT, "%.0fk", value / 1e3);
    }
    String text = String.format(Locale.ROOT, size >= 100 ? "%.0f" : "%.3g", value);
    return text.contains(".") ? text.replaceAll("0+$", "").replaceAll("\\.$", "") : text;
  }
}
