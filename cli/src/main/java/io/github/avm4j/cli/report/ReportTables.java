// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.report;

import io.github.avm4j.cli.run.Evaluation;
import io.github.avm4j.cli.run.PairSample;
import io.github.avm4j.cli.text.Html;
import io.github.avm4j.evaluation.ClassificationFigures;
import io.github.avm4j.evaluation.ClassificationScore;
import io.github.avm4j.evaluation.RegressionFigures;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Parts of a report on predictions: headline, confusion matrix, residuals. */
final class ReportTables {
  private static final int MOST_CLASSES = 16;
  private static final int CELLS = 40;
  private static final int BARS = 41;
  private static final double TAIL = 0.005;

  private ReportTables() {}

  /** Headline: the score beside the baselines, and its cost. */
  static String headline(Evaluation evaluation) {
    StringBuilder html = new StringBuilder("<section class=\"cards\">\n");
    if (evaluation.score().cumulative() instanceof ClassificationFigures figures) {
      ClassificationScore score = (ClassificationScore) evaluation.score();
      card(html, "first", "mistakes", format("%.2f %%", figures.mistakeRate()));
      card(html, "plain", "majority", format("%.2f %%", figures.majority()));
      if (evaluation.test() == null) {
        card(html, "plain", "no-change", format("%.2f %%", figures.noChange()));
      }
      card(html, "", "κ", format("%.1f %%", figures.kappa()));
      card(html, "", "κ-M", format("%.1f %%", figures.kappaM()));
      if (evaluation.test() == null) {
        card(html, "", "κ-T", format("%.1f %%", figures.kappaT()));
      }
      card(html, "", "balanced accuracy", format("%.1f %%", ClassTable.balancedAccuracy(score)));
      card(html, "", "log loss", format("%.4f", score.logLoss()));
      if (!Double.isNaN(score.auc())) {
        card(html, "", "AUC", format("%.4f", score.auc()));
      }
    } else if (evaluation.score().cumulative() instanceof RegressionFigures figures) {
      card(html, "first", "RMSE", format("%.5g", figures.rmse()));
      card(html, "plain", "mean", format("%.5g", figures.mean()));
      if (evaluation.test() == null) {
        card(html, "plain", "no-change", format("%.5g", figures.noChange()));
      }
      card(html, "", "MAE", format("%.5g", figures.mae()));
      card(html, "", "R²", format("%.4f", figures.r2()));
      card(html, "", "bias", format("%.3g", figures.bias()));
    }
    card(html, "", "instances", format("%,d", evaluation.instances()));
    card(html, "", "core points", format("%,d", evaluation.end().corePoints()));
    card(html, "", "instances/s", format("%,.0f", evaluation.instancesPerSecond()));
    return html.append("</section>\n").toString();
  }

  private static void card(StringBuilder html, String cssClass, String name, String value) {
    html.append("<div class=\"card ").append(cssClass).append("\"><span>").append(name);
    html.append("</span><b>").append(Html.escape(value)).append("</b></div>\n");
  }

  private static String format(String format, Object value) {
    boolean undefined = value instanceof Double number && number.isNaN();
    return undefined ? "–" : String.format(Locale.ROOT, format, value);
  }

  /** Confusion matrix with recall and precision, of the most frequent classes. */
  static String confusion(ClassificationScore score, EvaluationContext context) {
    double[][] cells = score.confusion();
    List<Integer> shown =
        cells.length == 0
            ? List.of()
            : ClassTable.byFrequency(score).stream().limit(MOST_CLASSES).toList();
    if (shown.isEmpty()) {
      return "";
    }
    StringBuilder html = new StringBuilder("<section><h2>Predictions by class</h2>\n<p>");
    html.append("Rows are true labels, columns are predictions; percent of the row.");
    if (shown.size() < score.classes()) {
      html.append(" The ").append(shown.size()).append(" most frequent of ");
      html.append(score.classes()).append(" classes.");
    }
    html.append("</p>\n<div class=\"wide\"><table class=\"confusion\">\n<tr><th></th>");
    for (int c : shown) {
      html.append("<th>").append(name(score, context, c)).append("</th>");
    }
    html.append("<th>instances</th><th>recall</th><th>precision</th></tr>\n");
    for (int r : shown) {
      row(html, score, cells[r], shown, r, name(score, context, r));
    }
    return html.append("</table></div></section>\n").toString();
  }

  private static String name(ClassificationScore score, EvaluationContext context, int c) {
    return Html.escape(context.names().nameOf(score.label(c)));
  }

  private static void row(
      StringBuilder html,
      ClassificationScore score,
      double[] cells,
      List<Integer> shown,
      int r,
      String name) {
    html.append("<tr><th>").append(name).append("</th>");
    for (int c : shown) {
      double share = score.weight(r) == 0 ? 0 : cells[c] / score.weight(r);
      html.append(format("<td class=\"%s\" ", c == r ? "right" : "wrong"));
      html.append(format("style=\"--share:%.0f%%\" ", 100 * Math.sqrt(share)));
      html.append(format("title=\"%,.0f\">", cells[c]));
      html.append(cells[c] == 0 ? "" : format("%.1f", 100 * share)).append("</td>");
    }
    html.append(format("<td>%,.0f</td>", score.weight(r)));
    html.append("<td>").append(format("%.1f %%", score.recall(r))).append("</td>");
    html.append("<td>").append(format("%.1f %%", score.precision(r))).append("</td></tr>\n");
  }

  /** Predictions against targets as a shaded grid, without the extreme 1 % of targets. */
  static String predictions(PairSample pairs) {
    double[] sorted = pairs.sortedTargets();
    double low = quantile(sorted, TAIL);
    double high = quantile(sorted, 1 - TAIL);
    double cell = (high - low) / CELLS;
    int[][] counts = new int[CELLS][CELLS];
    int most = 1;
    for (int i = 0; cell > 0 && i < pairs.size(); i++) {
      int x = (int) Math.floor((pairs.actual(i) - low) / cell);
      int y = (int) Math.floor((pairs.prediction(i) - low) / cell);
      if (x >= 0 && x < CELLS && y >= 0 && y < CELLS) {
        most = Math.max(most, ++counts[x][y]);
      }
    }
    SvgChart chart =
        new SvgChart(
            "Predictions against targets", SvgChart.NARROW, SvgChart.HIGH, low, high, low, high);
    for (int x = 0; x < CELLS; x++) {
      for (int y = 0; y < CELLS; y++) {
        if (counts[x][y] > 0) {
          double shade = Math.log1p(counts[x][y]) / Math.log1p(most);
          double left = low + x * cell;
          double below = low + y * cell;
          chart.box(left, left + cell, below, below + cell, Math.max(0.1, shade));
        }
      }
    }
    chart.line("baseline", new double[] {low, high}, new double[] {low, high}).xLabel("target");
    return Html.figure("Predictions against targets", sampled(pairs), chart.toSvg("predictions"));
  }

  /** Histogram of residuals, without the extreme 1 %. */
  static String residuals(PairSample pairs) {
    double[] sorted = pairs.sortedResiduals();
    double span = Math.max(-quantile(sorted, TAIL), quantile(sorted, 1 - TAIL));
    double bar = 2 * span / BARS;
    int[] counts = new int[BARS];
    for (double residual : sorted) {
      int b = bar > 0 ? (int) Math.floor((residual + span) / bar) : 0;
      if (b >= 0 && b < BARS) {
        counts[b]++;
      }
    }
    double total = Math.max(1, sorted.length);
    double most = IntStream.of(counts).max().orElse(1) / total;
    SvgChart chart =
        new SvgChart(
                "Prediction − target", SvgChart.NARROW, SvgChart.HIGH, -span, span, 0, 112 * most)
            .xLabel("prediction − target");
    for (int b = 0; b < BARS; b++) {
      double left = -span + b * bar;
      chart.box(left, left + 0.92 * bar, 0, 100 * counts[b] / total, 0.85);
    }
    return Html.figure("Prediction − target", "percent of instances", chart.toSvg("residuals"));
  }

  private static String sampled(PairSample pairs) {
    return format("%,d instances; a stronger colour means more of them", pairs.size());
  }

  private static double quantile(double[] sorted, double share) {
    return sorted.length == 0 ? 0 : sorted[(int) Math.round(share * (sorted.length - 1))];
  }
}
