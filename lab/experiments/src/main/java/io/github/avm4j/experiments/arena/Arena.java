// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.arena;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.avm4j.config.Task;
import io.github.avm4j.experiments.Environment;
import io.github.avm4j.experiments.Options;
import io.github.avm4j.experiments.Results;
import io.github.avm4j.experiments.WorkerProcess;
import io.github.avm4j.lab.baselines.LearnerProvider;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The command of the arena: runs the entries that are missing, each in a process of its own, and
 * writes the tables and the picture. An entry is a learner on a stream.
 */
public final class Arena {
  private static final String HELP =
      """
      The arena: the default learner, the paper's competitors and other libraries' learners on the
      same rows in the same order.
        --data FOLDER     public data sets, laid out as the catalogue says (needed to run)
        --only A,B        these streams
        --learners A,B    these learners
        --rows N          only the first N rows of each stream; kept apart from full results
        --seconds N       processor time of a pass (3600)
        --memory M        heap of a worker (5g)
        --results FILE    raw results, appended to (lab/results/arena.jsonl)
        --tables FOLDER   where arena.md is written (lab/results)
        --again           also entries that have a result
        --untimed         leave times out, as on a busy machine
        --report          only write the tables and pictures of the results there are
        --list            list streams and learners
      Learners of other libraries are used if their provider is on the class path.
      """;
  private static final Set<String> FLAGS =
      Set.of("--report", "--help", "--list", "--again", "--untimed");
  private static final Set<String> NAMED =
      Set.of(
          "--data",
          "--only",
          "--learners",
          "--rows",
          "--seconds",
          "--memory",
          "--results",
          "--tables");

  private static final List<String> TIMES = List.of("micros", "cpuSeconds", "processSeconds");

  /** What a process may take in units of the pass: reading, searching, collecting garbage. */
  private static final double PATIENCE = 2;

  private static final double READING_SECONDS = 1200;

  private final Options options;
  private final PrintStream progress;
  private final List<LearnerProvider> providers = LearnerProvider.found();

  private Arena(Options options, PrintStream progress) {
    this.options = options;
    this.progress = progress;
  }

  /** See the help text. */
  public static void main(String[] args) throws IOException, InterruptedException {
    System.exit(run(args, System.err));
  }

  static int run(String[] args, PrintStream progress) throws IOException, InterruptedException {
    try {
      Options options = new Options(args, FLAGS, NAMED, HELP);
      if (options.has("--help")) {
        progress.print(HELP);
        return 0;
      }
      return new Arena(options, progress).go();
    } catch (IllegalArgumentException e) {
      progress.println(e.getMessage());
      return 2;
    }
  }

  private int go() throws IOException, InterruptedException {
    if (options.has("--list")) {
      list();
      return 0;
    }
    int rows = options.has("--rows") ? options.number("--rows", 1) : 0;
    Path tables = Path.of(options.text("--tables", "lab/results"));
    Path file = Path.of(options.text("--results", "lab/results/arena.jsonl")).toAbsolutePath();
    Files.createDirectories(file.resolveSibling("."));
    Results results = new Results(file);
    boolean well = true;
    if (!options.has("--report")) {
      if (!options.has("--data")) {
        throw new IllegalArgumentException("--data is needed\n" + HELP);
      }
      well = run(results, rows);
    }
    Standings standings = new Standings(results, rows, providers);
    progress.println("written: " + new ArenaReport(standings).write(tables));
    return well ? 0 : 1;
  }

  private void list() {
    ArenaStream.ALL.forEach(stream -> progress.println(stream.name() + " " + stream.task()));
    for (Task task : Task.values()) {
      Entrant.all(task, providers)
          .forEach(one -> progress.println(task + " " + one.name() + " (" + one.title() + ")"));
    }
  }

  /** The key of an entry in the file of results. */
  static String key(String stream, String learner, int rows) {
    return String.join("|", stream, learner, Integer.toString(rows));
  }

  private List<ObjectNode> entries(Path data, int rows) {
    List<ObjectNode> entries = new ArrayList<>();
    Set<String> streams = options.names("--only", Set.of());
    streams.forEach(ArenaStream::of);
    Set<String> learners = new LinkedHashSet<>(options.names("--learners", Set.of()));
    Set<String> unknown = new LinkedHashSet<>(learners);
    for (ArenaStream stream : ArenaStream.ALL) {
      List<Entrant> entrants = Entrant.all(stream.task(), providers);
      entrants.forEach(one -> unknown.remove(one.name()));
      if (!streams.isEmpty() && !streams.contains(stream.name())) {
        continue;
      }
      if (!stream.isHere(data)) {
        progress.println(stream.name() + ": skipped, its files are not in " + data);
        continue;
      }
      for (Entrant one : entrants) {
        if (learners.isEmpty() || learners.contains(one.name())) {
          entries.add(entry(stream, one, rows));
        }
      }
    }
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException(
          "no learner is called " + String.join(", ", unknown) + "; --list lists them");
    }
    return entries;
  }

  private static ObjectNode entry(ArenaStream stream, Entrant one, int rows) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("key", key(stream.name(), one.name(), rows)).put("stream", stream.name());
    return node.put("learner", one.name()).put("title", one.title()).put("rows", rows);
  }

  private boolean run(Results results, int rows) throws IOException, InterruptedException {
    Path data = Path.of(options.text("--data", ""));
    double seconds = options.number("--seconds", 3600);
    String memory = options.text("--memory", "5g");
    if (providers.isEmpty()) {
      progress.println("MOA's learners are absent: avm4j-moa or MOA is not on the class path");
    }
    List<ObjectNode> missing = new ArrayList<>();
    for (ObjectNode entry : entries(data, rows)) {
      Optional<JsonNode> known = results.of(entry.get("key").asText());
      if (options.has("--again") || known.isEmpty() || isShorter(known.get(), seconds)) {
        missing.add(entry);
      }
    }
    progress.println(missing.size() + " entries to run");
    if (missing.isEmpty()) {
      return true;
    }
    note(results, Environment.here().put("secondsLimit", seconds).put("memory", memory));
    int failed = 0;
    for (int i = 0; i < missing.size(); i++) {
      ObjectNode entry = missing.get(i);
      String stream = entry.get("stream").asText();
      String learner = entry.get("learner").asText();
      progress.printf("[%d/%d] %s, %s%n", i + 1, missing.size(), stream, learner);
      ObjectNode result = run(entry, data, seconds, memory);
      progress.println("    " + line(result));
      if (options.has("--untimed")) {
        result.remove(TIMES);
      }
      results.append(result);
      failed += result.get("status").asText().equals("failed") ? 1 : 0;
    }
    return failed == 0;
  }

  /** Notes where results are made unless the last start was the same. */
  private static void note(Results results, ObjectNode here) throws IOException {
    List<JsonNode> before = results.environments();
    if (!before.isEmpty()) {
      ObjectNode last = before.get(before.size() - 1).deepCopy();
      last.set("started", here.get("started"));
      if (last.toString().equals(here.toString())) {
        return;
      }
    }
    results.append(here);
  }

  /** Whether a result ran out of less time than there is now. */
  private static boolean isShorter(JsonNode known, double seconds) {
    return known.get("status").asText().equals("out of time")
        && known.path("limit").asDouble(seconds) < seconds;
  }

  /** A process per entry: each begins with nothing compiled, and none leaves garbage to another. */
  private static ObjectNode run(ObjectNode entry, Path data, double seconds, String memory)
      throws IOException, InterruptedException {
    List<String> arguments = List.of(data.toString(), Double.toString(seconds));
    try (WorkerProcess worker =
        new WorkerProcess(WorkerProcess.ANY, memory, ArenaWorker.class.getName(), arguments)) {
      return worker.run(entry, PATIENCE * seconds + READING_SECONDS);
    }
  }

  private static String line(ObjectNode result) {
    if (!result.has("error")) {
      return result.get("status").asText() + ": " + result.path("message").asText();
    }
    return String.format(
        Locale.ROOT,
        "%s, %,d of %,d rows, error %.5g, %.4g µs per instance, %.1f s",
        result.get("status").asText(),
        result.get("seen").asInt(),
        result.get("instances").asInt(),
        result.get("error").asDouble(),
        result.get("micros").asDouble(),
        result.get("cpuSeconds").asDouble());
  }
}
