// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.arena;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.avm4j.config.Task;
import io.github.avm4j.experiments.arena.Standings.Block;
import io.github.avm4j.experiments.arena.Standings.Learner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The results as Markdown tables and pictures of ranks. They are written into {@code arena.md}
 * between two marks; the text around them stays.
 */
final class ArenaReport {
  static final String BEGIN = "<!-- results: written by the arena, do not edit -->";
  static final String END = "<!-- end of results -->";
  private static final double LEVEL = 0.05;

  /** How many learners are shown beside one that did not come to the end, the default first. */
  private static final int MOST_OTHERS = 5;

  private final Standings standings;

  ArenaReport(Standings standings) {
    this.standings = standings;
  }

  /** Writes the page and its pictures; returns the page's path. */
  Path write(Path folder) throws IOException {
    Path images = Files.createDirectories(folder.resolve("images"));
    StringBuilder text = new StringBuilder();
    least(text);
    for (Task task : Task.values()) {
      boolean classes = task == Task.CLASSIFICATION;
      text.append(classes ? "## Classification\n\n" : "## Regression\n\n");
      tables(text, task);
      early(text, task);
      ranks(text, task, images);
      missing(text, task);
    }
    Path page = folder.resolve("arena.md");
    String old = Files.exists(page) ? Files.readString(page) : "# Arena\n\n" + BEGIN + END + "\n";
    int from = old.indexOf(BEGIN);
    int to = old.indexOf(END);
    if (from < 0 || to < from) {
      throw new IllegalArgumentException(page + " needs the lines " + BEGIN + " and " + END);
    }
    String all = old.substring(0, from) + BEGIN + "\n\n" + text + old.substring(to);
    Files.writeString(page, all);
    return page;
  }

  /** On how many streams each learner has the least error of what was run. */
  private void least(StringBuilder text) {
    Map<String, Integer> firsts = new LinkedHashMap<>();
    int streams = 0;
    for (Task task : Task.values()) {
      for (String stream : Standings.streams(task)) {
        Optional<JsonNode> best = standings.best(stream, standings.learners(task));
        streams += best.isPresent() ? 1 : 0;
        best.ifPresent(node -> firsts.merge(node.get("title").asText(), 1, Integer::sum));
      }
    }
    if (streams > 0) {
      text.append("## Least error\n\n| learner | streams |\n|---|--:|\n");
      text.append(row("all", streams));
      firsts.entrySet().stream()
          .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
          .forEach(e -> text.append(row(e.getKey(), e.getValue())));
      text.append('\n');
    }
  }

  private static String row(String learner, int streams) {
    return String.format(Locale.ROOT, "| %s | %d |%n", learner, streams);
  }

  private static String measure(Task task) {
    return task == Task.CLASSIFICATION ? "Mistakes in %" : "Root of the mean squared error";
  }

  private void tables(StringBuilder text, Task task) {
    List<Learner> all = standings.learners(task);
    List<Learner> others = group(all, Entrant.Group.OTHERS);
    text.append(measure(task))
        .append(" · processor time in µs per instance. Bold: least error of what was run.\n\n");
    table(text, task, "Beside the learners of other libraries", others);
    List<Learner> own = new ArrayList<>(group(all, Entrant.Group.SIMPLE));
    own.addAll(group(all, Entrant.Group.PAPER));
    table(text, task, "Beside the paper's method, its competitors and the baselines", own);
  }

  private static List<Learner> group(List<Learner> all, Entrant.Group group) {
    return all.stream().filter(learner -> learner.group() == group).toList();
  }

  /** A row per stream: the default learner, then those of these that have results. */
  private void table(StringBuilder text, Task task, String title, List<Learner> shown) {
    List<Learner> all = standings.learners(task);
    List<Learner> columns = new ArrayList<>(group(all, Entrant.Group.OURS));
    shown.stream().filter(one -> standings.hasResults(task, one.name())).forEach(columns::add);
    if (columns.size() == 1) {
      return;
    }
    text.append("**").append(title).append("**\n\n| stream | rows |");
    columns.forEach(learner -> text.append(' ').append(learner.title()).append(" |"));
    text.append("\n|---|--:|").append("--:|".repeat(columns.size())).append('\n');
    for (String stream : Standings.streams(task)) {
      Optional<JsonNode> any =
          columns.stream().flatMap(l -> standings.of(stream, l.name()).stream()).findFirst();
      if (any.isPresent()) {
        Optional<JsonNode> best = standings.best(stream, all);
        int rows = any.get().get("instances").asInt();
        text.append(String.format(Locale.ROOT, "| %s | %,d |", stream, rows));
        for (Learner learner : columns) {
          Optional<JsonNode> node = standings.of(stream, learner.name());
          boolean first = node.isPresent() && best.isPresent() && same(node.get(), best.get());
          text.append(' ').append(node.map(n -> cell(n, first)).orElse("–")).append(" |");
        }
        text.append('\n');
      }
    }
    text.append('\n');
  }

  private static boolean same(JsonNode one, JsonNode other) {
    return Standings.isDone(one) && one.get("error").equals(other.get("error"));
  }

  private static String cell(JsonNode node, boolean first) {
    String error = number(node.get("error").asDouble());
    String text = first ? "**" + error + "**" : error;
    if (node.has("micros")) {
      text += " · " + micros(node.get("micros").asDouble());
    }
    return Standings.isDone(node) ? text : text + " (" + percent(node) + ")";
  }

  private static String micros(double value) {
    return String.format(Locale.ROOT, value < 999.5 ? "%.3g" : "%,.0f", value);
  }

  private static String percent(JsonNode node) {
    double share = 100.0 * node.get("seen").asInt() / node.get("instances").asInt();
    return String.format(Locale.ROOT, "%.0f %%", share);
  }

  static String number(double value) {
    return String.format(Locale.ROOT, value < 1 ? "%.4f" : value < 1000 ? "%.2f" : "%.0f", value);
  }

  /** Entries that did not come to the end, beside the others' error at the same row. */
  private void early(StringBuilder text, Task task) {
    List<String> lines = new ArrayList<>();
    List<Learner> all = standings.learners(task);
    for (String stream : Standings.streams(task)) {
      for (Learner learner : all) {
        standings
            .of(stream, learner.name())
            .filter(node -> !Standings.isDone(node))
            .ifPresent(node -> lines.add(early(stream, learner, node, all)));
      }
    }
    if (!lines.isEmpty()) {
      text.append(
          "**Not to the end.** In the tables with the share of the rows that was reached.\n\n");
      lines.forEach(line -> text.append("- ").append(line).append('\n'));
      text.append('\n');
    }
  }

  private String early(String stream, Learner learner, JsonNode node, List<Learner> all) {
    StringBuilder line = new StringBuilder();
    line.append(
        String.format(
            Locale.ROOT,
            "%s, %s: %s after %,d of %,d rows",
            stream,
            learner.title(),
            node.get("status").asText(),
            node.get("seen").asInt(),
            node.get("instances").asInt()));
    int reached = node.get("parts").size();
    if (reached == 0) {
      return line.append('.').toString();
    }
    List<JsonNode> others =
        all.stream()
            .filter(other -> !other.equals(learner))
            .flatMap(other -> standings.of(stream, other.name()).stream())
            .filter(other -> other.get("parts").size() >= reached)
            .sorted(
                Comparator.comparing(
                        (JsonNode other) -> !other.get("learner").asText().equals(Entrant.DEFAULT))
                    .thenComparingDouble(other -> part(other, reached)))
            .limit(MOST_OTHERS)
            .toList();
    line.append(
        String.format(
            Locale.ROOT,
            ". At %d %%: %s",
            100 * reached / Pass.PARTS,
            number(part(node, reached))));
    for (JsonNode other : others) {
      line.append("; ").append(other.get("title").asText()).append(' ');
      line.append(number(part(other, reached)));
    }
    return line.append('.').toString();
  }

  private static double part(JsonNode node, int reached) {
    return node.get("parts").get(reached - 1).asDouble();
  }

  private void ranks(StringBuilder text, Task task, Path images) throws IOException {
    Block block = standings.block(task);
    if (!block.canBeRanked()) {
      return;
    }
    Friedman friedman = standings.rank(block);
    double difference = friedman.criticalDifference(LEVEL);
    List<String> titles = block.learners().stream().map(Learner::title).toList();
    text.append(
        String.format(
            Locale.ROOT,
            "**Mean ranks** of %d learners on %d streams (%s). An entry that did not come to the"
                + " end has the last rank. Friedman's χ² is %.1f with %d degrees of freedom,"
                + " F is %.2f; mean ranks differ at the level 0.05 if they are %.2f apart"
                + " (Nemenyi).%n%n",
            titles.size(),
            block.streams().size(),
            String.join(", ", block.streams()),
            friedman.chiSquared(),
            titles.size() - 1,
            friedman.f(),
            difference));
    text.append("| learner | mean rank |\n|---|--:|\n");
    IntStream.range(0, titles.size())
        .boxed()
        .sorted(Comparator.comparingDouble(j -> friedman.rank(j)))
        .forEach(
            j ->
                text.append(
                    String.format(
                        Locale.ROOT, "| %s | %.2f |%n", titles.get(j), friedman.rank(j))));
    String file = "arena-" + task.name().toLowerCase(Locale.ROOT) + ".svg";
    String ours = block.learners().get(0).name().equals(Entrant.DEFAULT) ? titles.get(0) : "";
    Files.writeString(images.resolve(file), RankPicture.svg(titles, friedman, difference, ours));
    text.append("\n![Mean ranks and critical difference](images/").append(file).append(")\n\n");
  }

  private void missing(StringBuilder text, Task task) {
    List<String> lines = new ArrayList<>();
    List<String> never = new ArrayList<>();
    for (Learner learner : standings.learners(task)) {
      List<String> streams =
          Standings.streams(task).stream()
              .filter(stream -> standings.of(stream, learner.name()).isEmpty())
              .toList();
      if (!standings.hasResults(task, learner.name())) {
        never.add(learner.title());
      } else if (!streams.isEmpty()) {
        lines.add("- " + learner.title() + " on " + String.join(", ", streams));
      }
    }
    if (!never.isEmpty()) {
      lines.add("- on any stream: " + String.join(", ", never));
    }
    if (!lines.isEmpty()) {
      text.append("**Not run yet**\n\n").append(String.join("\n", lines)).append("\n\n");
    }
  }
}
