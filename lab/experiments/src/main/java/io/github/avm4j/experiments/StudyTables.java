// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.avm4j.baselines.Knob;
import io.github.avm4j.baselines.Methods;
import java.util.List;
import java.util.Locale;

/** Tables that are no table of the paper: what changed, the studies of γ and δ, and sources. */
final class StudyTables {
  private static final String FILE = "lab/results/reproduction.jsonl";

  private final Results results;
  private final JsonNode paper;

  StudyTables(Results results, JsonNode paper) {
    this.results = results;
    this.paper = paper;
  }

  /** The paper's learner before and after λ was used as found; empty if nothing was run again. */
  String artefacts() {
    StringBuilder rows = new StringBuilder();
    for (String study : List.of(Plan.ONLINE_CLASSES, Plan.ONLINE_NUMBERS, Plan.BATCH)) {
      for (ExperimentData data : ExperimentData.ALL) {
        for (String method : Plan.methods(study, data)) {
          if (Methods.isPaper(method)) {
            rows.append(beforeAndAfter(study, data, method));
          }
        }
      }
    }
    if (rows.isEmpty()) {
      return "";
    }
    return "## Before and after λ was used as found\n\n"
        + "λ used to be rescaled by the rows of the search over the rows of the stream, which is"
        + " not in the paper. Mistakes %, RMSE, or accuracy % in the batch table:\n\n"
        + "| table | data | method | paper | λ rescaled | λ as found |\n"
        + "|---|---|---|--:|--:|--:|\n"
        + rows
        + "\n";
  }

  private String beforeAndAfter(String study, ExperimentData data, String method) {
    Runs before = Runs.of(results.earlier(), study, data.name(), method, "");
    Runs now = Runs.of(results, study, data.name(), method, "");
    if (before.isEmpty() || now.isEmpty()) {
      return "";
    }
    JsonNode theirs = paper.path(study).path(data.name()).path(method).path(0);
    boolean accuracy = study.equals(Plan.BATCH);
    return String.format(
        Locale.ROOT,
        "| %s | %s | %s | %s | %s | %s |%n",
        study,
        data.name(),
        Plan.title(method, data.task()),
        number(data, theirs.asDouble()),
        error(data, before, accuracy),
        error(data, now, accuracy));
  }

  private static String number(ExperimentData data, double value) {
    return String.format(Locale.ROOT, ReportTable.format(data), value);
  }

  private static String error(ExperimentData data, Runs runs, boolean accuracy) {
    double mean = runs.mean("error");
    return number(data, accuracy ? 100 - mean : mean);
  }

  /** Errors of methods that have no parameter but γ, over the paper's range of it. */
  String gamma() {
    StringBuilder rows = new StringBuilder();
    double[] range = Knob.GAMMA.range(1);
    for (ExperimentData data : ExperimentData.ALL) {
      for (String method : List.of("perceptron", "rbp", "forgetron", "projectron")) {
        StringBuilder row = new StringBuilder();
        for (double gamma : range) {
          String variant = String.format(Locale.ROOT, "gamma=%.5g", gamma);
          Runs runs = Runs.of(results, Plan.GAMMA, data.name(), method, variant);
          row.append(runs.isEmpty() ? "" : " " + error(data, runs, false) + " |");
        }
        if (!row.isEmpty()) {
          JsonNode theirs = paper.path(Plan.ONLINE_CLASSES).path(data.name()).path(method).path(0);
          rows.append("| ").append(data.name()).append(" | ");
          rows.append(Plan.title(method, data.task())).append(" | ");
          rows.append(number(data, theirs.asDouble())).append(" |").append(row).append('\n');
        }
      }
    }
    if (rows.isEmpty()) {
      return "";
    }
    return "| data | method | paper | γ = 2⁻⁸ | 2⁻⁴ | 2⁻² | 1 | 2² | 2⁴ | 2⁸ |\n"
        + "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|\n"
        + rows
        + "\n"
        + source(Plan.GAMMA, "")
        + "\n";
  }

  /** Mistakes and core points over δ, with no limit of core points and with the earlier 500. */
  String delta() {
    StringBuilder text = new StringBuilder();
    for (String name : List.of("a9a", "cod-rna")) {
      ExperimentData data = ExperimentData.of(name);
      StringBuilder rows = new StringBuilder();
      for (double delta : Plan.deltas(data)) {
        String variant = Plan.deltaVariant(delta);
        Runs now = Runs.of(results, Plan.DELTA, name, "avm-hinge", variant);
        Runs before = Runs.of(results.earlier(), Plan.DELTA, name, "avm-hinge", variant);
        if (!now.isEmpty()) {
          rows.append(
              String.format(
                  Locale.ROOT,
                  "| %s | %.2f | %s | %.0f | %s |%n",
                  name,
                  delta,
                  error(data, now, false) + (now.isEarlier() ? " †" : ""),
                  now.mean("size"),
                  before.isEmpty() ? "" : error(data, before, false)));
        }
      }
      text.append(rows);
    }
    return text.isEmpty()
        ? ""
        : "| data | δ | mistakes % | core points | before, at most 500 |\n|---|--:|--:|--:|--:|\n"
            + text
            + (text.indexOf("†") < 0
                ? "\n"
                : "\n† Of an earlier version, with at most 500 core points and λ rescaled.\n\n");
  }

  /** Where a table's results are and what they cost. */
  String source(String study, String data) {
    double runs = 0;
    double searches = 0;
    int count = 0;
    for (JsonNode node : results.all()) {
      boolean ofData = data.isEmpty() || node.get("data").asText().equals(data);
      if (ofData && node.get("study").asText().equals(study)) {
        runs += node.path("cpuSeconds").asDouble() + node.path("testSeconds").asDouble();
        count++;
      } else if (ofData && node.get("study").asText().equals("search")) {
        searches += isSearchOf(node, study) ? node.path("wallSeconds").asDouble() : 0;
      }
    }
    return String.format(
        Locale.ROOT,
        "Raw results: `%s`, keys that begin with `%s`. %d runs%s%s."
            + " To run it again, add `--studies %s%s`.%n",
        FILE,
        study + "|" + mode(study) + (data.isEmpty() ? "" : "|" + data + "|"),
        count,
        runs > 0
            ? String.format(Locale.ROOT, " took %,.0f s of processor time", runs)
            : ", whose time was not recorded",
        searches > 0 ? String.format(Locale.ROOT, ", their searches %,.0f s", searches) : "",
        study,
        data.isEmpty() ? "" : " --only " + data);
  }

  private static String mode(String study) {
    return study.equals(Plan.BATCH) ? "BATCH" : "ONLINE";
  }

  private static boolean isSearchOf(JsonNode search, String study) {
    boolean table = List.of(Plan.ONLINE_CLASSES, Plan.ONLINE_NUMBERS, Plan.BATCH).contains(study);
    String variant = study.equals(Plan.BATCH) ? Plan.BY_HELD_OUT : Plan.BY_ONLINE;
    return table && search.get("variant").asText().equals(variant);
  }
}
