// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.defaults;

import java.util.List;
import java.util.Locale;

/**
 * How much more error a fifth of the labels leaves, a line per stream and a dot per rule, as SVG.
 */
final class LabelPicture {
  private static final int WIDTH = 860;
  private static final int LEFT = 150;
  private static final int RIGHT = 60;
  private static final int TOP = 74;
  private static final int LINE = 26;

  /** Ends of the axis, in %; dots beyond are drawn at the end with their value. */
  private static final int FROM = -20;

  private static final int TO = 60;

  private final List<LabelTable.Row> rows;
  private final StringBuilder svg = new StringBuilder();

  LabelPicture(List<LabelTable.Row> rows) {
    this.rows = rows;
  }

  String svg() {
    int height = TOP + LINE * rows.size() + 44;
    add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
            + " font-family=\"sans-serif\" font-size=\"13\">",
        WIDTH, height, WIDTH, height);
    add("<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>");
    legend();
    axis(height - 40);
    for (int i = 0; i < rows.size(); i++) {
      LabelTable.Row row = rows.get(i);
      double y = TOP + LINE * (i + 0.5);
      text(LEFT - 12, y + 4, "end", row.name() + (row.flat() ? "" : " *"));
      add(
          "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#eee\"/>",
          LEFT, y, WIDTH - RIGHT, y);
      dot(row.random(), y, "#999", -10);
      dot(row.entropy(), y, "#2c7fb8", -66);
      dot(row.budget(), y, "#c0392b", 8);
    }
    return svg.append("</svg>\n").toString();
  }

  private void legend() {
    text(LEFT, 22, "start", "Error with 20 % of the labels, relative to that with all of them");
    String[] names = {"label budget", "at random", "River's entropy rule"};
    String[] colours = {"#c0392b", "#999", "#2c7fb8"};
    for (int i = 0; i < names.length; i++) {
      double x = LEFT + 150.0 * i;
      add("<circle cx=\"%.1f\" cy=\"42\" r=\"5\" fill=\"%s\"/>", x + 5, colours[i]);
      text(x + 16, 46, "start", names[i]);
    }
    text(LEFT + 480, 46, "start", "* not flat at the end");
  }

  private void axis(int bottom) {
    for (int percent = FROM; percent <= TO; percent += 10) {
      double x = x(percent);
      String colour = percent == 0 ? "#444" : "#ddd";
      add(
          "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"%s\"/>",
          x, TOP - 8, x, bottom, colour);
      text(x, bottom + 18, "middle", (percent > 0 ? "+" : "") + percent + " %");
    }
    add(
        "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#444\" stroke-dasharray=\"4"
            + " 4\"/>",
        x(5), TOP - 8, x(5), bottom);
  }

  private static double x(double percent) {
    return LEFT + (percent - FROM) / (TO - FROM) * (WIDTH - LEFT - RIGHT);
  }

  /** A dot; one beyond the axis with its value, {@code shift} beside it. */
  private void dot(double ratio, double y, String colour, int shift) {
    double percent = 100 * (ratio - 1);
    if (Double.isNaN(percent)) {
      return;
    }
    double x = x(Math.max(FROM, Math.min(TO, percent)));
    add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" fill=\"%s\"/>", x, y, colour);
    if (percent > TO) {
      String value = String.format(Locale.ROOT, "%+.0f %%", percent);
      text(x + shift, y + 4, shift < 0 ? "end" : "start", value);
    }
  }

  private void text(double x, double y, String anchor, String words) {
    add(
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"#222\">%s</text>",
        x, y, anchor, words.replace("&", "&amp;").replace("<", "&lt;"));
  }

  private void add(String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
