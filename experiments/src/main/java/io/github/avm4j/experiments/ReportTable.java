// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.avm4j.baselines.Methods;
import io.github.avm4j.config.Task;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** One of the paper's tables for one data set, beside ours, as Markdown. */
final class ReportTable {
  /** How far a mean may lie from the paper's, in the paper's deviations. */
  private static final double DEVIATIONS = 3;

  private record Line(String method, String title, Runs runs, JsonNode paper) {}

  private final String study;
  private final ExperimentData data;
  private final boolean accuracy;
  private final List<Line> lines = new ArrayList<>();

  ReportTable(Results results, String study, ExperimentData data, JsonNode paper) {
    this.study = study;
    this.data = data;
    this.accuracy = study.equals(Plan.BATCH);
    for (String method : Plan.methods(study, data)) {
      Runs runs = Runs.of(results, study, data.name(), method, "");
      lines.add(
          new Line(
              method,
              Plan.title(method, data.task()),
              runs,
              paper.path(study).path(data.name()).path(method)));
    }
  }

  boolean isEmpty() {
    return lines.stream().allMatch(line -> line.runs.isEmpty());
  }

  private double value(double error) {
    return accuracy ? 100 - error : error;
  }

  private String number(double value) {
    String format =
        data.task() == Task.CLASSIFICATION ? "%.2f" : data.scalesTarget() ? "%.4f" : "%.3f";
    return String.format(Locale.ROOT, format, value);
  }

  private String measure() {
    return accuracy ? "accuracy %" : data.task() == Task.CLASSIFICATION ? "mistakes %" : "RMSE";
  }

  String markdown() {
    StringBuilder text = new StringBuilder();
    text.append("| method | paper: ").append(measure()).append(" | ours: ").append(measure());
    text.append(" | within 3 dev. | paper: s | ours: s | size | runs |\n");
    text.append("|---|--:|--:|:-:|--:|--:|--:|--:|\n");
    for (Line line : lines) {
      text.append(row(line));
    }
    double trivial =
        lines.stream()
            .filter(line -> !line.runs.isEmpty())
            .mapToDouble(line -> line.runs.mean("trivial"))
            .findFirst()
            .orElse(Double.NaN);
    text.append("| *trivial answer* | | ").append(number(value(trivial))).append(" | | | | | |\n");
    return text.toString();
  }

  private String row(Line line) {
    String paper =
        line.paper.isMissingNode()
            ? ""
            : number(line.paper.get(0).asDouble()) + " ± " + number(line.paper.get(1).asDouble());
    String paperTime =
        line.paper.isMissingNode()
            ? ""
            : String.format(Locale.ROOT, "%,.2f", line.paper.get(2).asDouble());
    String name = Methods.OURS.contains(line.method) ? "**" + line.title + "**" : line.title;
    if (line.runs.isEmpty()) {
      return "| " + name + " | " + paper + " | " + why(line) + " | | " + paperTime + " | | | 0 |\n";
    }
    return String.format(
        Locale.ROOT,
        "| %s | %s | %s ± %s | %s | %s | %.2f | %.0f | %d%s |%n",
        name,
        paper,
        number(value(line.runs.mean("error"))),
        number(line.runs.deviation("error")),
        line.paper.isMissingNode() ? "" : isWithin(line) ? "yes" : "no",
        paperTime,
        line.runs.mean("cpuSeconds"),
        line.runs.mean("size"),
        line.runs.runs().size(),
        line.runs.unfinished().isEmpty()
            ? ""
            : ", " + line.runs.unfinished().size() + " unfinished");
  }

  private static String why(Line line) {
    return line.runs.unfinished().stream()
        .map(node -> node.get("status").asText())
        .findFirst()
        .orElse("not run");
  }

  private boolean isWithin(Line line) {
    double difference = Math.abs(value(line.runs.mean("error")) - line.paper.get(0).asDouble());
    return difference <= DEVIATIONS * line.paper.get(1).asDouble();
  }

  /** What the numbers say, in words. */
  String paragraph() {
    List<Line> run = lines.stream().filter(line -> !line.runs.isEmpty()).toList();
    List<Line> compared = run.stream().filter(line -> !line.paper.isMissingNode()).toList();
    long within = compared.stream().filter(this::isWithin).count();
    List<Line> ranked =
        run.stream().sorted(Comparator.comparingDouble(line -> line.runs.mean("error"))).toList();
    List<String> outside = new ArrayList<>();
    for (Line line : compared) {
      if (!isWithin(line)) {
        double theirs = line.paper.get(0).asDouble();
        boolean better = (value(line.runs.mean("error")) < theirs) != accuracy;
        outside.add(line.title + (better ? " (better)" : " (worse)"));
      }
    }
    return within
        + " of "
        + compared.size()
        + " methods lie within the paper's mean ± 3 deviations"
        + (outside.isEmpty() ? "" : "; outside: " + String.join(", ", outside))
        + ". Of "
        + ranked.size()
        + " methods the default learner is number "
        + rank(ranked, "avm")
        + ", with the others' budget number "
        + rank(ranked, "avm-budget")
        + "; first is "
        + ranked.get(0).title
        + ".";
  }

  private static String rank(List<Line> ranked, String method) {
    for (int i = 0; i < ranked.size(); i++) {
      if (ranked.get(i).method.equals(method)) {
        return Integer.toString(i + 1);
      }
    }
    return "– (not run)";
  }

  List<String> methods() {
    return lines.stream().filter(line -> !line.runs.isEmpty()).map(Line::method).toList();
  }

  Runs runs(String method) {
    return lines.stream()
        .filter(line -> line.method.equals(method))
        .map(Line::runs)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(study + " has no " + method));
  }
}
