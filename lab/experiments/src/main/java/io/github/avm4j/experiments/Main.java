// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * One command for all experiments: {@code java -jar lab/experiments/target/avm4j-experiments-….jar
 * --data FOLDER}. It goes on where it was stopped.
 */
public final class Main {
  /** Raw results of the full run, from the project's folder. */
  private static final Path RESULTS = Path.of("lab", "results", "reproduction.jsonl");

  private static final String HELP =
      """
      The experiments of the AVM paper, run again.
        --data FOLDER     public data sets, laid out as the catalogue says (needed)
        --results FILE    raw results, appended to (lab/results/reproduction.jsonl)
        --tables FOLDER   where reproduction.md is written (lab/results)
        --quick           minutes: few rows, few methods; fails if an ordering does not hold
        --only A,B        these data sets
        --studies A,B     of online-classification, online-regression, batch, budget, delta, beta-rho,
                          gamma, length
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
          "--tables",
          "--only",
          "--studies",
          "--methods",
          "--seeds",
          "--seconds",
          "--workers",
          "--memory");

  private final Options options;

  private Main(String[] args) {
    options = new Options(args, FLAGS, NAMED, HELP);
  }

  /** Runs what is missing and writes the report. */
  public static void main(String[] args) throws IOException, InterruptedException {
    System.exit(run(args));
  }

  static int run(String[] args) throws IOException, InterruptedException {
    try {
      Main main = new Main(args);
      if (main.options.has("--help")) {
        System.out.print(HELP);
        return 0;
      }
      return main.go();
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      return 2;
    }
  }

  private Plan plan(boolean quick) {
    Set<String> sets = new HashSet<>();
    ExperimentData.ALL.forEach(data -> sets.add(data.name()));
    Set<String> data = options.names("--only", quick ? Set.of("a9a", "cod-rna", "casp") : sets);
    data.forEach(ExperimentData::of);
    Set<String> online = Set.of(Plan.ONLINE_CLASSES, Plan.ONLINE_NUMBERS);
    Set<String> fast = Set.of("avm", "avm-hinge", "avm-eps", "nogd", "rbp", "bogd", "linear");
    Set<String> studies = options.names("--studies", quick ? online : new HashSet<>(Plan.STUDIES));
    for (String study : studies) {
      if (!Plan.STUDIES.contains(study)) {
        throw new IllegalArgumentException(
            "no study is called '" + study + "'; there are " + String.join(", ", Plan.STUDIES));
      }
    }
    Set<String> methods = options.names("--methods", quick ? fast : Set.of());
    return new Plan(
        data, studies, options.number("--seeds", quick ? 2 : 10), quick ? 4000 : 0, quick, methods);
  }

  private int go() throws IOException, InterruptedException {
    boolean quick = options.has("--quick");
    Path tables = Path.of(options.text("--tables", quick ? "target/quick" : "lab/results"));
    Path usual = quick ? tables.resolve("reproduction/results.jsonl") : RESULTS;
    Path file = Path.of(options.text("--results", usual.toString()));
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    Results results = new Results(file);
    Plan plan = plan(quick);
    if (!options.has("--report")) {
      if (!options.has("--data")) {
        System.err.println("--data is needed\n" + HELP);
        return 2;
      }
      Runner runner =
          new Runner(
              results,
              Path.of(options.text("--data", "")),
              options.number("--workers", Runtime.getRuntime().availableProcessors()),
              options.number("--seconds", 600),
              options.text("--memory", "5g"),
              System.err);
      runner.run(plan);
    }
    System.out.println(
        "written: " + Report.write(results, file.resolveSibling("arena.jsonl"), tables, quick));
    if (!quick) {
      return 0;
    }
    Orderings orderings = Orderings.of(results, plan);
    orderings.held().forEach(line -> System.out.println("holds: " + line));
    orderings.broken().forEach(line -> System.err.println("DOES NOT HOLD: " + line));
    return orderings.broken().isEmpty() ? 0 : 1;
  }
}
