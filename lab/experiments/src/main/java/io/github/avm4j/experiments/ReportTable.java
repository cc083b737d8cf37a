// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.avm4j.baselines.Methods;
import io.github.avm4j.config.Task;
import io.github.avm4j.lab.baselines.PaperMethods;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** One of the paper's tables for one data set, beside ours, as Markdown. */
final class ReportTable {
  /** How far a mean may lie from the paper's, in the paper's deviations. */
  private static final double DEVIATIONS = 3;

  private record Line(PaperVariant.Line what, String title, Runs runs, JsonNode paper) {
    String method() {
      return what.method();
    }

    boolean isVariant() {
      return !what.variant().isEmpty();
    }
  }

  private final String study;
  private final ExperimentData data;
  private final boolean accuracy;
  private final int paperSize;
  private final BestOfMoa moa;
  private final List<Line> lines = new ArrayList<>();

  ReportTable(Results results, String study, ExperimentData data, JsonNode paper, BestOfMoa moa) {
    this.study = study;
    this.data = data;
    this.accuracy = study.equals(Plan.BATCH);
    this.moa = moa;
    JsonNode printed = paper.path(study).path(data.name());
    this.paperSize = printed.path("S").asInt();
    for (PaperVariant.Line line : PaperVariant.lines(study, data)) {
      Runs runs = Runs.of(results, study, data.name(), line.method(), line.variant());
      boolean beside = line.variant().isEmpty() || study.equals(Plan.BATCH);
      JsonNode theirs = printed.path(beside ? line.method() : "");
      lines.add(new Line(line, line.title(data), runs, theirs));
    }
    lines.removeIf(line -> line.isVariant() && line.runs.isEmpty());
  }

  boolean isEmpty() {
    return lines.stream().allMatch(line -> line.runs.isEmpty());
  }

  private double value(double error) {
    return accuracy ? 100 - error : error;
  }

  /** How errors of a data set are written. */
  static String format(ExperimentData data) {
    return data.task() == Task.CLASSIFICATION ? "%.2f" : data.scalesTarget() ? "%.4f" : "%.3f";
  }

  private String number(double value) {
    return String.format(Locale.ROOT, format(data), value);
  }

  /** Whether the paper prints a deviation: 0 without decimals stands for none. */
  private static boolean isCompared(Line line) {
    return !line.paper.isMissingNode() && !line.paper.get(1).isInt();
  }

  private String measure() {
    return accuracy ? "accuracy %" : data.task() == Task.CLASSIFICATION ? "mistakes %" : "RMSE";
  }

  String markdown() {
    StringBuilder text = new StringBuilder();
    text.append("| method | paper: ").append(measure()).append(" | ours: ").append(measure());
    String test = accuracy ? " (test)" : "";
    text.append(" | within 3 dev. | paper: s").append(test).append(" | ours: s").append(test);
    text.append(" | size (paper) | runs |\n");
    text.append("|---|--:|--:|:-:|--:|--:|--:|--:|\n");
    for (Line line : lines) {
      text.append(row(line));
    }
    Optional<Runs> any = lines.stream().map(Line::runs).filter(runs -> !runs.isEmpty()).findFirst();
    double trivial = any.map(runs -> runs.mean("trivial")).orElse(Double.NaN);
    if (!accuracy) {
      any.flatMap(runs -> moa.on(data.name(), Math.round(runs.mean("instances"))))
          .ifPresent(entry -> text.append(row(entry)));
    }
    text.append("| *trivial prediction* | | ")
        .append(number(value(trivial)))
        .append(" | | | | | |\n");
    return text.toString();
  }

  /** A result of the arena, in which each learner runs once. */
  private String row(JsonNode entry) {
    return String.format(
        Locale.ROOT,
        "| *best of MOA in the [arena](arena.md): %s* | | %s | | | %,.2f | | 1 |%n",
        entry.path("title").asText(),
        number(entry.path("error").asDouble()),
        entry.path("cpuSeconds").asDouble());
  }

  private String row(Line line) {
    boolean printed = !line.paper.isMissingNode();
    String paper = printed ? number(line.paper.get(0).asDouble()) : "";
    if (isCompared(line)) {
      paper += " ± " + number(line.paper.get(1).asDouble());
    }
    String paperTime =
        printed ? seconds(line.paper.get(2).asDouble(), line.paper.path(3).asDouble()) : "";
    String name = PaperMethods.OURS.contains(line.method()) ? "**" + line.title + "**" : line.title;
    if (line.runs.isEmpty()) {
      return "| " + name + " | " + paper + " | " + why(line) + " | | " + paperTime + " | | | 0 |\n";
    }
    boolean several = line.runs.runs().size() > 1;
    return String.format(
        Locale.ROOT,
        "| %s | %s | %s | %s | %s | %s | %.0f%s | %d%s |%n",
        name + (line.runs.isEarlier() ? " †" : ""),
        paper,
        number(value(line.runs.mean("error")))
            + (several ? " ± " + number(line.runs.deviation("error")) : ""),
        isCompared(line) ? (isWithin(line) ? "yes" : "no") : "",
        paperTime,
        seconds(
            line.runs.mean("cpuSeconds"),
            line.runs.mean(run -> run.path("testSeconds").asDouble())),
        line.runs.mean("size"),
        Methods.isPaper(line.method()) && !line.isVariant() ? " (" + paperSize + ")" : "",
        line.runs.runs().size(),
        line.runs.unfinished().isEmpty()
            ? ""
            : ", " + line.runs.unfinished().size() + " unfinished");
  }

  /** Seconds of learning; in the batch table those of testing, too. */
  private String seconds(double learning, double testing) {
    String text = String.format(Locale.ROOT, "%,.2f", learning);
    return accuracy ? text + String.format(Locale.ROOT, " (%,.2f)", testing) : text;
  }

  /** What is said below the table of results that are not of today's revision; may be empty. */
  String earlier() {
    List<String> learners = new ArrayList<>();
    List<String> others = new ArrayList<>();
    for (Line line : lines) {
      if (line.runs.isEarlier()) {
        (PaperMethods.OURS.contains(line.method()) ? learners : others).add(line.title);
      }
    }
    String text = "";
    if (!learners.isEmpty()) {
      text +=
          "† These rows are of an earlier version of the default learner: "
              + String.join(", ", learners)
              + ".\n";
    }
    if (!others.isEmpty()) {
      text +=
          "† These rows are of an earlier version of the protocol, which rescaled λ and searched on"
              + " rows that include the test rows: "
              + String.join(", ", others)
              + ".\n";
    }
    return text;
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
    List<Line> run =
        lines.stream().filter(line -> !line.runs.isEmpty() && !line.isVariant()).toList();
    List<Line> compared = run.stream().filter(ReportTable::isCompared).toList();
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
      if (ranked.get(i).method().equals(method)) {
        return Integer.toString(i + 1);
      }
    }
    return "– (not run)";
  }

  List<String> methods() {
    return lines.stream()
        .filter(line -> !line.runs.isEmpty() && !line.isVariant())
        .map(Line::method)
        .toList();
  }

  Runs runs(String method) {
    return lines.stream()
        .filter(line -> line.method().equals(method) && !line.isVariant())
        .map(Line::runs)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(study + " has no " + method));
  }
}
