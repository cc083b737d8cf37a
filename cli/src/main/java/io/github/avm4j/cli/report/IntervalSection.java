// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.report;

import io.github.avm4j.cli.text.Html;
import io.github.avm4j.evaluation.CoverageScore;
import io.github.avm4j.model.Interval;
import java.util.List;
import java.util.Locale;

/**
 * The part of a report on intervals and prediction sets: how often they held the target, how large
 * they were, and a picture of the last intervals of a regression.
 */
final class IntervalSection {
  /** Half of what a target takes of the width of its interval, and of the height of the chart. */
  private static final double HALF_WIDTH = 0.4;

  private static final double HALF_HEIGHT = 0.009;

  private IntervalSection() {}

  /** Empty if the learner keeps no levels. */
  static String of(CoverageScore coverage, boolean classes) {
    if (coverage.figures().isEmpty()) {
      return "";
    }
    return "<section><h2>"
        + (classes ? "Prediction sets" : "Intervals")
        + "</h2>\n"
        + table(coverage.figures(), classes)
        + picture(coverage.last())
        + "</section>\n";
  }

  private static String table(List<CoverageScore.Figures> levels, boolean classes) {
    StringBuilder html = new StringBuilder("<div class=\"wide\"><table class=\"confusion\">\n");
    html.append("<tr><th>level</th><th>held</th><th>worst 2,000</th><th>");
    html.append(classes ? "mean number of classes" : "mean width").append("</th></tr>\n");
    for (CoverageScore.Figures level : levels) {
      html.append("<tr><th>").append(percent(level.level(), 0)).append("</th><td>");
      html.append(percent(level.coverage(), 2)).append("</td><td>");
      html.append(percent(level.worst(), 1)).append("</td><td>");
      html.append(String.format(Locale.ROOT, "%.4g", level.size())).append("</td></tr>\n");
    }
    return html.append("</table></div>\n").toString();
  }

  private static String percent(double share, int digits) {
    return Double.isNaN(share)
        ? "–"
        : String.format(Locale.ROOT, "%." + digits + "f %%", 100 * share);
  }

  private static String picture(List<CoverageScore.Held> last) {
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (CoverageScore.Held one : last) {
      Interval widest = one.intervals().get(one.intervals().size() - 1);
      if (Double.isFinite(widest.width())) {
        low = Math.min(low, Math.min(one.actual(), widest.lower()));
        high = Math.max(high, Math.max(one.actual(), widest.upper()));
      }
    }
    if (!(low < high)) {
      return "";
    }
    SvgChart chart =
        new SvgChart("The last intervals", SvgChart.WIDE, SvgChart.HIGH, -last.size(), 0, low, high)
            .xLabel("instances before the end");
    double mark = HALF_HEIGHT * (high - low);
    for (int i = 0; i < last.size(); i++) {
      CoverageScore.Held one = last.get(i);
      double at = i - last.size() + 0.5;
      double left = at - HALF_WIDTH;
      double right = at + HALF_WIDTH;
      for (Interval interval : one.intervals()) {
        if (Double.isFinite(interval.width())) {
          chart.box(left, right, interval.lower(), interval.upper(), 0.2);
        }
      }
      chart.box(left, right, one.actual() - mark, one.actual() + mark, 1);
    }
    return Html.figure(
        "The last intervals",
        "a bar per instance, darker where intervals of lower coverage are; the mark is the target",
        chart.toSvg("intervals"));
  }
}
