// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One command for all experiments: {@code java -jar experiments/target/avm4j-experiments-….jar
 * --data FOLDER}. It goes on where it was stopped.
 */
public final class Main {
  /** Raw results of the full run, from the project's folder. */
  private static final Path RESULTS = Path.of("experiments", "results", "reproduction.jsonl");

  private static final String HELP =
      """
      The experiments of the AVM paper, run again.
        --data FOLDER     public data sets, as avm data get --mirror takes them (needed)
        --results FILE    raw results, appended to (experiments/results/reproduction.jsonl)
        --docs FOLDER     where reproduction.md is written (docs)
        --quick           minutes: few rows, few methods; fails if an ordering does not hold
        --only A,B        these data sets
        --studies A,B     of online-classification, online-regression, batch, budget, delta, beta-rho
        --methods A,B     these methods
        --seeds N         permutations (10)
        --seconds N       processor time a run may take (600; the paper: 7200)
        --workers N       processes at a time (one a processor)
        --memory M        heap of a worker (5g)
        --report          only write the report of the results there are
      """;
  private static final Set<String> FLAGS = Set.of("--quick", "--report", "--help");
  private static final Set<String> NAMED =
      Set.of(
          "--data",
          "--results",
          "--docs",
          "--only",
          "--studies",
          "--methods",
          "--seeds",
          "--seconds",
          "--workers",
          "--memory");

  private final Map<String, String> options = new LinkedHashMap<>();

  private Main(String[] args) {
    for (int i = 0; i < args.length; i++) {
      if (FLAGS.contains(args[i])) {
        options.put(args[i], "");
      } else if (NAMED.contains(args[i]) && i + 1 < args.length) {
        options.put(args[i], args[++i]);
      } else {
        throw new IllegalArgumentException("'" + args[i] + "' is not understood\n" + HELP);
      }
    }
  }

  /** Runs what is missing and writes the report. */
  public static void main(String[] args) throws IOException, InterruptedException {
    System.exit(run(args));
  }

  static int run(String[] args) throws IOException, InterruptedException {
    try {
      Main main = new Main(args);
      if (main.options.containsKey("--help")) {
        System.out.print(HELP);
        return 0;
      }
      return main.go();
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      return 2;
    }
  }

  private String option(String name, String otherwise) {
    return options.getOrDefault(name, otherwise);
  }

  private int number(String name, int otherwise) {
    String text = option(name, Integer.toString(otherwise));
    int value = text.matches("[1-9][0-9]{0,8}") ? Integer.parseInt(text) : 0;
    if (value == 0) {
      throw new IllegalArgumentException(name + " must be a whole number > 0, was " + text);
    }
    return value;
  }

  private Set<String> names(String option, Set<String> otherwise) {
    String list = option(option, "");
    return list.isEmpty() ? otherwise : new HashSet<>(List.of(list.split(",", -1)));
  }

  private Plan plan(boolean quick) {
    Set<String> sets = new HashSet<>();
    ExperimentData.ALL.forEach(data -> sets.add(data.name()));
    Set<String> data = names("--only", quick ? Set.of("a9a", "cod-rna", "casp") : sets);
    data.forEach(ExperimentData::of);
    Set<String> online = Set.of(Plan.ONLINE_CLASSES, Plan.ONLINE_NUMBERS);
    Set<String> fast = Set.of("avm", "avm-hinge", "avm-eps", "nogd", "rbp", "bogd", "linear");
    Set<String> studies = names("--studies", quick ? online : new HashSet<>(Plan.STUDIES));
    for (String study : studies) {
      if (!Plan.STUDIES.contains(study)) {
        throw new IllegalArgumentException(
            "no study is called '" + study + "'; there are " + String.join(", ", Plan.STUDIES));
      }
    }
    Set<String> methods = names("--methods", quick ? fast : Set.of());
    return new Plan(
        data, studies, number("--seeds", quick ? 2 : 10), quick ? 4000 : 0, quick, methods);
  }

  private int go() throws IOException, InterruptedException {
    boolean quick = options.containsKey("--quick");
    Path docs = Path.of(option("--docs", quick ? "target/quick" : "docs"));
    Path usual = quick ? docs.resolve("reproduction/results.jsonl") : RESULTS;
    Path file = Path.of(option("--results", usual.toString()));
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    Results results = new Results(file);
    Plan plan = plan(quick);
    if (!options.containsKey("--report")) {
      if (!options.containsKey("--data")) {
        System.err.println("--data is needed\n" + HELP);
        return 2;
      }
      Runner runner =
          new Runner(
              results,
              Path.of(option("--data", "")),
              number("--workers", Runtime.getRuntime().availableProcessors()),
              number("--seconds", 600),
              option("--memory", "5g"),
              System.err);
      runner.run(plan);
    }
    System.out.println("written: " + Report.write(results, docs, quick));
    if (!quick) {
      return 0;
    }
    Orderings orderings = Orderings.of(results, plan);
    orderings.held().forEach(line -> System.out.println("holds: " + line));
    orderings.broken().forEach(line -> System.err.println("DOES NOT HOLD: " + line));
    return orderings.broken().isEmpty() ? 0 : 1;
  }
}
