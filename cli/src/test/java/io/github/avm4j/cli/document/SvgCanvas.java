// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.document;

import java.util.Locale;

/** A drawing on white ground, written as SVG. Lengths are pixels, y points down. */
final class SvgCanvas {
  private final StringBuilder marks = new StringBuilder();
  private final double width;
  private final double height;
  private final String title;

  SvgCanvas(double width, double height, String title) {
    this.width = width;
    this.height = height;
    this.title = title;
  }

  void add(String mark) {
    marks.append(mark);
  }

  void area(String path, String fill) {
    add("<path d=\"%s\" fill=\"%s\" shape-rendering=\"crispEdges\"/>\n".formatted(path, fill));
  }

  static String circle(double x, double y, double radius, String fill, String stroke) {
    String line = stroke.isEmpty() ? "" : " stroke=\"%s\" stroke-width=\"1.4\"".formatted(stroke);
    return "<circle cx=\"%s\" cy=\"%s\" r=\"%s\" fill=\"%s\"%s/>\n"
        .formatted(number(x), number(y), number(radius), fill, line);
  }

  void line(double x1, double y1, double x2, double y2, String stroke, String dashes) {
    String dashed = dashes.isEmpty() ? "" : " stroke-dasharray=\"%s\"".formatted(dashes);
    add(
        "<line x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\" stroke=\"%s\"%s/>\n"
            .formatted(number(x1), number(y1), number(x2), number(y2), stroke, dashed));
  }

  void curve(String points, String stroke) {
    add(
        "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2.2\"/>\n"
            .formatted(points.strip(), stroke));
  }

  void text(double x, double y, String anchor, String fill, String text) {
    add(
        "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\" fill=\"%s\">%s</text>\n"
            .formatted(number(x), number(y), anchor, fill, text));
  }

  static String number(double value) {
    String text = String.format(Locale.ROOT, "%.1f", value);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }

  @Override
  public String toString() {
    return """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %s %s" width="%s" height="%s" \
        font-family="system-ui, sans-serif" font-size="13" role="img">
        <title>%s</title>
        <rect width="100%%" height="100%%" fill="#ffffff"/>
        %s</svg>
        """
        .formatted(number(width), number(height), number(width), number(height), title, marks);
  }
}
