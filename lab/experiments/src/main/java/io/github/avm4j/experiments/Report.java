// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.avm4j.baselines.Knob;
import io.github.avm4j.config.Task;
import io.github.avm4j.lab.baselines.PaperMethods;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Writes reproduction.md and its figures from the raw results. */
final class Report {
  private static final String IMAGES = "images/reproduction";

  private final Results results;
  private final Path folder;
  private final JsonNode paper;
  private final JsonNode remarks;
  private final Figures figures;
  private final Sentences sentences;
  private final StudyTables studyTables;
  private final BestOfMoa moa;
  private final StringBuilder text = new StringBuilder();

  private Report(Results results, Path arena, Path folder, boolean quick) throws IOException {
    this.results = results;
    this.folder = folder;
    this.paper = resource("paper.json");
    this.remarks = quick ? resource("quick.json") : resource("remarks.json");
    this.figures = new Figures(results, folder.resolve(IMAGES));
    this.sentences = new Sentences(results, paper);
    this.studyTables = new StudyTables(results, paper);
    this.moa = new BestOfMoa(arena);
  }

  static JsonNode resource(String name) throws IOException {
    try (InputStream in = Report.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is not on the class path");
      }
      return new ObjectMapper().readTree(in);
    }
  }

  /**
   * Writes {@code folder}/reproduction.md.
   *
   * @param arena results of the arena, if there are any
   * @param quick whether the results are of a quick run: the remarks are about full ones
   */
  static Path write(Results results, Path arena, Path folder, boolean quick) throws IOException {
    return new Report(results, arena, folder, quick).write();
  }

  private Path write() throws IOException {
    remark("intro");
    remark("protocol");
    text.append(studyTables.artefacts());
    environments();
    dataSets();
    tables(Plan.ONLINE_CLASSES, "Online classification (the paper's Table 4)");
    tables(Plan.ONLINE_NUMBERS, "Online regression (the paper's Table 5)");
    tables(Plan.BATCH, "Batch classification (the paper's Table 3)");
    studies(Plan.BUDGET, "Mistakes and time against the budget");
    studies(Plan.DELTA, "The diameter δ");
    studies(Plan.BETA_RHO, "The policy's β and ρ");
    Path file = folder.resolve("reproduction.md");
    Files.writeString(file, text.toString());
    return file;
  }

  private void remark(String key) {
    JsonNode remark = remarks.path(key);
    if (remark.isArray()) {
      StringBuilder lines = new StringBuilder();
      remark.forEach(line -> lines.append(line.asText()).append('\n'));
      // A paragraph of which a number has no result is not said.
      boolean whole = true;
      for (String paragraph : lines.toString().split("\n\n", -1)) {
        Optional<String> filled = sentences.fill(paragraph);
        filled.ifPresent(t -> text.append(t.strip()).append("\n\n"));
        whole &= filled.isPresent();
      }
      if (!whole) {
        text.append("*Sentences on results that are still to be run again are left out here.*\n\n");
      }
    }
  }

  private void environments() {
    text.append("## Where it was run\n\n");
    results.environments().stream()
        .map(
            e ->
                String.format(
                    Locale.ROOT,
                    "- %s, %s, JDK %s, inner loops %s, 1 or 2 workers",
                    e.get("processor").asText(),
                    e.get("machine").asText(),
                    e.get("jdk").asText(),
                    e.get("simd").asText()))
        .distinct()
        .forEach(line -> text.append(line).append('\n'));
    text.append('\n');
  }

  /** The paper's Table 2 beside what there is. */
  private void dataSets() {
    text.append("## Data sets (the paper's Table 2)\n\n");
    text.append("| name | paper: training, test rows; features; classes | ours: rows | what it is");
    text.append(" | δ | B | D |\n|---|---|--:|---|--:|--:|--:|\n");
    for (ExperimentData data : ExperimentData.ALL) {
      JsonNode printed = paper.path("data").path(data.name());
      String rows =
          results.all().stream()
              .filter(n -> n.get("data").asText().equals(data.name()) && n.has("seen"))
              .filter(n -> !n.get("study").asText().equals(Plan.LENGTH))
              .map(n -> String.format(Locale.ROOT, "%,d", n.get("instances").asInt()))
              .findFirst()
              .orElse("");
      text.append(
          String.format(
              Locale.ROOT,
              "| %s | %s | %s | %s | %s | %d | %d |%n",
              data.name(),
              printed.asText(),
              rows,
              data.note(),
              data.delta(),
              data.budget(),
              data.randomFeatures()));
    }
    text.append('\n');
  }

  private void tables(String study, String heading) throws IOException {
    text.append("## ").append(heading).append("\n\n");
    remark(study);
    if (study.equals(Plan.ONLINE_CLASSES)) {
      text.append(studyTables.gamma());
      remark(Plan.GAMMA);
    }
    for (ExperimentData data : ExperimentData.ALL) {
      boolean inStudy = !paper.path(study).path(data.name()).isMissingNode();
      ReportTable table = new ReportTable(results, study, data, paper, moa);
      if (!inStudy || table.isEmpty()) {
        continue;
      }
      text.append("### ").append(data.name()).append("\n\n").append(table.markdown());
      text.append('\n').append(table.earlier().isEmpty() ? "" : table.earlier() + "\n");
      text.append(table.paragraph()).append("\n\n");
      text.append(studyTables.source(study, data.name())).append('\n');
      parameters(study, table, data.task());
      remark(study + "/" + data.name());
      if (!study.equals(Plan.BATCH)) {
        String measure = study.equals(Plan.ONLINE_CLASSES) ? "mistakes %" : "RMSE";
        images(data.name(), figures.online(data, table, measure));
      }
    }
  }

  private void parameters(String study, ReportTable table, Task task) {
    text.append("\nParameters found: ");
    String list =
        table.methods().stream()
            .filter(method -> !PaperMethods.OURS.contains(method))
            .map(
                method ->
                    Plan.title(method, task)
                        + " "
                        + chosen(table.runs(method), Plan.knobs(method, task)))
            .reduce((a, b) -> a + "; " + b)
            .orElse("none in " + study);
    text.append(list).append(".\n\n");
  }

  private static String chosen(Runs runs, Set<Knob> knobs) {
    JsonNode run = runs.runs().get(0);
    JsonNode s = run.get("settings");
    List<String> texts = new ArrayList<>();
    for (Knob knob : Knob.values()) {
      if (knobs.contains(knob)) {
        texts.add(
            switch (knob) {
              case GAMMA -> shown("γ ", s.get("gamma"), "");
              case ETA -> shown("η ", s.get("eta"), "");
              case LAMBDA -> shown("λ ", s.get("lambda"), "");
              case C -> shown("C ", s.get("c"), "");
            });
      }
    }
    return String.join(" ", texts);
  }

  private static String shown(String name, JsonNode value, String unit) {
    return name + String.format(Locale.ROOT, "%.4g", value.asDouble()) + unit;
  }

  private void images(String alt, List<String> files) {
    for (String file : files) {
      text.append("![").append(alt).append("](").append(IMAGES).append('/').append(file);
      text.append(")\n");
    }
    text.append('\n');
  }

  private void studies(String study, String heading) throws IOException {
    boolean any = results.all().stream().anyMatch(n -> n.get("study").asText().equals(study));
    if (!any) {
      return;
    }
    text.append("## ").append(heading).append("\n\n");
    remark(study);
    text.append(studyTables.source(study, "")).append('\n');
    if (study.equals(Plan.DELTA)) {
      text.append(studyTables.delta());
    }
    for (ExperimentData data : ExperimentData.ALL) {
      boolean has =
          results.all().stream()
              .anyMatch(
                  n ->
                      n.get("study").asText().equals(study)
                          && n.get("data").asText().equals(data.name()));
      if (has) {
        images(study + " on " + data.name(), figures.studied(study, data));
      }
    }
  }
}
