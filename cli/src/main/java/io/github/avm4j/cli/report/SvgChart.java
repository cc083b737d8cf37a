// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.report;

import io.github.avm4j.cli.text.Html;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Builder of a small inline SVG chart with axes, lines and boxes. Colours come from the page's CSS
 * classes, so the chart follows its light or dark scheme.
 */
final class SvgChart {
  static final double NARROW = 460;
  static final double WIDE = 960;
  static final double LOW = 250;
  static final double HIGH = 330;

  private static final double LEFT = 54;
  private static final double RIGHT = 14;
  private static final double TOP = 10;
  private static final double BOTTOM = 40;

  private final String title;
  private final double xLow;
  private final double xHigh;
  private final double yLow;
  private final double yHigh;
  private final double width;
  private final double height;
  private final StringBuilder marks = new StringBuilder();
  private String xLabel = "";

  SvgChart(String title, double xLow, double xHigh, double yLow, double yHigh) {
    this(title, NARROW, LOW, xLow, xHigh, yLow, yHigh);
  }

  SvgChart(
      String title,
      double width,
      double height,
      double xLow,
      double xHigh,
      double yLow,
      double yHigh) {
    this.title = title;
    this.width = width;
    this.xLow = xLow;
    this.xHigh = xHigh > xLow ? xHigh : xLow + 1;
    this.yLow = yLow;
    this.yHigh = yHigh > yLow ? yHigh : yLow + 1;
    this.height = height;
  }

  SvgChart xLabel(String text) {
    xLabel = text;
    return this;
  }

  /** Adds a line through points; values that are not finite are gaps. */
  SvgChart line(String cssClass, double[] x, double[] y) {
    StringBuilder path = new StringBuilder();
    boolean gap = true;
    for (int i = 0; i < x.length; i++) {
      if (Double.isFinite(y[i])) {
        path.append(gap ? 'M' : 'L').append(number(px(x[i]))).append(' ').append(number(py(y[i])));
      }
      gap = !Double.isFinite(y[i]);
    }
    marks.append("<path class=\"").append(cssClass).append("\" d=\"").append(path).append("\"/>\n");
    return this;
  }

  /** Adds a box with an opacity in 0..1. */
  SvgChart box(double x0, double x1, double y0, double y1, double opacity) {
    marks
        .append("<rect class=\"box\" x=\"")
        .append(number(px(x0)))
        .append("\" y=\"")
        .append(number(py(y1)))
        .append("\" width=\"")
        .append(number(px(x1) - px(x0)))
        .append("\" height=\"")
        .append(number(py(y0) - py(y1)))
        .append("\" fill-opacity=\"")
        .append(number(opacity))
        .append("\"/>\n");
    return this;
  }

  private double px(double x) {
    return LEFT + (x - xLow) / (xHigh - xLow) * (width - LEFT - RIGHT);
  }

  private double py(double y) {
    return height - BOTTOM - (y - yLow) / (yHigh - yLow) * (height - TOP - BOTTOM);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value).replace(".0", "");
  }

  /** SVG element; {@code id} must be unique on the page. */
  String toSvg(String id) {
    StringBuilder svg = new StringBuilder();
    svg.append("<svg viewBox=\"0 0 ")
        .append(number(width))
        .append(' ')
        .append(number(height))
        .append("\" role=\"img\">");
    svg.append("<title>").append(Html.escape(title)).append("</title>\n");
    svg.append("<clipPath id=\"").append(id).append("\"><rect x=\"").append(number(LEFT));
    svg.append("\" y=\"").append(number(TOP)).append("\" width=\"");
    svg.append(number(width - LEFT - RIGHT)).append("\" height=\"");
    svg.append(number(height - TOP - BOTTOM)).append("\"/></clipPath>\n");
    axes(svg);
    svg.append("<g clip-path=\"url(#").append(id).append(")\">\n").append(marks).append("</g>\n");
    return svg.append("</svg>").toString();
  }

  private void axes(StringBuilder svg) {
    for (double y : ticks(yLow, yHigh, 5)) {
      svg.append("<line class=\"grid\" x1=\"").append(number(LEFT)).append("\" x2=\"");
      svg.append(number(width - RIGHT)).append("\" y1=\"").append(number(py(y)));
      svg.append("\" y2=\"").append(number(py(y))).append("\"/>");
      text(svg, "end", LEFT - 6, py(y) + 4, label(y));
    }
    for (double x : ticks(xLow, xHigh, width > NARROW ? 10 : 5)) {
      text(svg, "middle", Math.min(px(x), width - 18), height - BOTTOM + 17, label(x));
    }
    text(svg, "middle", (LEFT + width - RIGHT) / 2, height - 6, xLabel);
  }

  private static void text(StringBuilder svg, String anchor, double x, double y, String text) {
    svg.append("<text text-anchor=\"").append(anchor).append("\" x=\"").append(number(x));
    svg.append("\" y=\"").append(number(y)).append("\">").append(Html.escape(text));
    svg.append("</text>\n");
  }

  /** Ticks at multiples of 1, 2 or 5 times a power of ten. */
  static List<Double> ticks(double low, double high, int about) {
    double raw = (high - low) / about;
    double power = Math.pow(10, Math.floor(Math.log10(raw)));
    double step = raw / power > 7 ? 10 : raw / power > 3 ? 5 : raw / power > 1.4 ? 2 : 1;
    step *= power;
    List<Double> ticks = new ArrayList<>();
    for (long k = (long) Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) {
      ticks.add(k * step);
    }
    return ticks;
  }

  /** Short form of a number: 250k, 1.5M, 0.02. */
  static String label(double value) {
    double size = Math.abs(value);
    if (size >= 1e6) {
      return trimmed(value / 1e6) + "M";
    }
    if (size >= 1e4) {
      return trimmed(value / 1e3) + "k";
    }
    return trimmed(value);
  }

  private static String trimmed(double value) {
    if (value != 0 && Math.abs(value) < 1e-3) {
      return String.format(Locale.ROOT, "%.0e", value);
    }
    String text = String.format(Locale.ROOT, "%.3f", value);
    return text.replaceAll("\\.?0+$", "").replaceAll("^-?$", "0");
  }
}
