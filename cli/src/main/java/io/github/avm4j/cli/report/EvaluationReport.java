// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.report;

import io.github.avm4j.cli.run.Evaluation;
import io.github.avm4j.cli.run.Spread;
import io.github.avm4j.cli.text.Html;
import io.github.avm4j.evaluation.ClassificationScore;
import io.github.avm4j.evaluation.CurvePoint;
import io.github.avm4j.evaluation.Figures;
import io.github.avm4j.model.Provenance;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Evaluation as a self-contained HTML page without scripts. */
public final class EvaluationReport {
  private final Evaluation first;
  private final List<Evaluation> all;
  private final EvaluationContext context;
  private final List<CurvePoint> points;
  private final boolean classes;

  private EvaluationReport(List<Evaluation> all, EvaluationContext context) {
    this.all = all;
    this.first = all.get(0);
    this.context = context;
    this.points = first.points();
    this.classes = first.score() instanceof ClassificationScore;
  }

  /** Creates the page; plots and tables are of the first run. */
  public static String of(List<Evaluation> evaluations, EvaluationContext context)
      throws IOException {
    return new EvaluationReport(evaluations, context).page();
  }

  private String page() throws IOException {
    String title = "Evaluation of " + String.join(", ", names(context.files()));
    return page(
        title,
        "<p>"
            + Html.escape(context.inferred() + "; " + method())
            + "</p>\n"
            + ReportTables.headline(first)
            + warning()
            + repeats()
            + learningCurve()
            + "<section class=\"plots\">\n"
            + corePoints()
            + throughput()
            + (classes
                ? ""
                : ReportTables.predictions(first.pairs()) + ReportTables.residuals(first.pairs()))
            + "</section>\n"
            + IntervalSection.of(first.coverage(), classes)
            + (classes ? ReportTables.confusion((ClassificationScore) first.score(), context) : "")
            + "<section class=\"plots\">\n<div><h2>Configuration</h2>\n"
            + Html.pairs(configuration())
            + "</div>\n<div><h2>Provenance</h2>\n"
            + Html.pairs(provenance())
            + "</div></section>\n");
  }

  /** Page of this title and body, with the style of all reports. */
  static String page(String title, String body) throws IOException {
    return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\n"
        + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
        + "<title>"
        + Html.escape(title)
        + "</title>\n<style>\n"
        + style()
        + "</style></head>\n<body><main>\n<h1>"
        + Html.escape(title)
        + "</h1>\n"
        + body
        + "</main></body></html>\n";
  }

  private static List<String> names(List<String> files) {
    return files.stream().map(file -> file.replaceAll(".*[/\\\\]", "")).toList();
  }

  private String method() {
    String order = context.shuffled() ? ", rows shuffled with seed " + context.seed() : "";
    return first.test() == null
        ? "prequential evaluation: each row is predicted before it is learned from" + order
        : "hold-out evaluation on " + String.join(", ", names(context.testFiles())) + order;
  }

  private static String style() throws IOException {
    try (InputStream css = EvaluationReport.class.getResourceAsStream("report.css")) {
      if (css == null) {
        throw new IllegalStateException("report.css is not in the jar");
      }
      return new String(css.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private String warning() {
    String warning = EvaluationText.warning(first);
    return warning.isEmpty() ? "" : "<p class=\"warning\">" + Html.escape(warning) + "</p>\n";
  }

  private String repeats() {
    if (all.size() == 1) {
      return "";
    }
    Spread error = Spread.of(all, e -> e.score().cumulative().error());
    Figures kind = first.score().cumulative();
    return "<p>Over "
        + all.size()
        + " shuffles: "
        + EvaluationText.error(kind, error.mean())
        + " ± "
        + EvaluationText.error(kind, error.deviation())
        + (classes ? " % mistakes" : " RMSE")
        + ". The rest of this page shows the first run.</p>\n";
  }

  private double[] series(ToDoubleFunction<CurvePoint> figure) {
    return points.stream().mapToDouble(figure).toArray();
  }

  private String learningCurve() {
    String legend =
        Html.key("learner", "avm so far")
            + Html.key("window", "avm, last " + context.window())
            + Html.key("baseline", "better baseline so far");
    String heading = CurveSvg.name(first) + (first.test() == null ? "" : ", while learning");
    String both =
        "<div class=\"if-wide\">"
            + CurveSvg.chart(first, SvgChart.WIDE, SvgChart.HIGH).toSvg("wide-curve")
            + "</div><div class=\"if-narrow\">"
            + CurveSvg.chart(first, SvgChart.NARROW, SvgChart.LOW).toSvg("curve")
            + "</div>";
    return Html.figure(heading, legend, both);
  }

  private String corePoints() {
    double top = points.stream().mapToInt(CurvePoint::corePoints).max().orElse(1);
    String svg =
        new SvgChart("Core points", 0, first.end().instances(), 0, 1.12 * top)
            .xLabel("instances")
            .line("learner", series(CurvePoint::instances), series(CurvePoint::corePoints))
            .toSvg("core");
    return Html.figure("Core points", "stored in the model", svg);
  }

  private String throughput() {
    double[] x = series(CurvePoint::instances);
    double[] speed = new double[x.length];
    int apart = Math.max(1, x.length / 20);
    for (int i = 0; i < x.length; i++) {
      double since = i < apart ? 0 : points.get(i - apart).wallSeconds();
      double before = i < apart ? 0 : x[i - apart];
      speed[i] = (x[i] - before) / Math.max(1e-9, points.get(i).wallSeconds() - since);
    }
    double top = java.util.Arrays.stream(speed).max().orElse(1);
    String svg =
        new SvgChart("Instances per second", 0, first.end().instances(), 0, 1.12 * top)
            .xLabel("instances")
            .line("learner", x, speed)
            .toSvg("speed");
    String mean =
        String.format(
            Locale.ROOT,
            "mean %,.0f, %s; %.1f µs processor time per instance",
            first.instancesPerSecond(),
            context.shuffled() ? "without reading" : "with reading",
            first.cpuMicros());
    return Html.figure("Instances per second", mean, svg);
  }

  private Map<String, Object> configuration() {
    Map<String, Object> rows = new LinkedHashMap<>();
    rows.put("learner", context.note());
    rows.putAll(EvaluationContext.configuration(first.learner()));
    rows.values().removeIf(value -> value.equals("") || value.equals(0));
    return rows;
  }

  private Map<String, Object> provenance() {
    Provenance here = Provenance.here(first.end().instances());
    Map<String, Object> rows = new LinkedHashMap<>();
    rows.put("files", String.join(", ", context.files()));
    if (first.test() != null) {
      rows.put("held out", String.join(", ", context.testFiles()));
    }
    rows.put("label", context.target().isEmpty() ? "first value of each row" : context.target());
    rows.put("seed", context.seed());
    rows.put("avm4j", here.library());
    rows.put("Java", here.jdk());
    rows.put("machine", here.architecture() + ", inner loops " + here.simd());
    rows.put("made", Instant.now().truncatedTo(ChronoUnit.SECONDS));
    return rows;
  }
}
