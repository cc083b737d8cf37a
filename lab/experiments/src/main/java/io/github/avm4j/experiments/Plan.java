// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments;

import io.github.avm4j.baselines.Knob;
import io.github.avm4j.baselines.Settings;
import io.github.avm4j.config.Task;
import io.github.avm4j.lab.baselines.BatchMethod;
import io.github.avm4j.lab.baselines.PaperMethods;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Which jobs there are: the paper's Section 9 as data.
 *
 * @param data names of data sets
 * @param studies names of studies
 * @param seeds permutations of the tables; the figures' studies use at most 3
 * @param rows most rows of each part, 0 for all
 * @param shrunk whether B is at most 100 and D at most 400
 * @param methods names of methods, empty for all of a table
 */
record Plan(
    Set<String> data,
    Set<String> studies,
    int seeds,
    int rows,
    boolean shrunk,
    Set<String> methods) {
  static final String ONLINE_CLASSES = "online-classification";
  static final String ONLINE_NUMBERS = "online-regression";
  static final String BATCH = "batch";
  static final String DELTA = "delta";
  static final String BETA_RHO = "beta-rho";
  static final String BUDGET = "budget";
  static final String GAMMA = "gamma";
  static final String LENGTH = "length";

  /** All studies, in the order they are run. */
  static final List<String> STUDIES =
      List.of(ONLINE_CLASSES, ONLINE_NUMBERS, BATCH, BUDGET, DELTA, BETA_RHO, GAMMA, LENGTH);

  /** Rows of the paper's cod-rna, training and test together. */
  static final int PAPER_ROWS = 331_152;

  /** Variants of a search: each study is searched by what it measures. */
  static final String BY_HELD_OUT = "held out";

  static final String BY_ONLINE = "online";
  private static final String SEARCH = "search";
  private static final int FIGURE_SEEDS = 3;
  private static final List<String> STUDIED = List.of("a9a", "cod-rna");
  private static final List<String> FAST = List.of("fogd", "nogd", "avm-hinge", "avm-logit");
  private static final List<String> ONLINE =
      List.of(
          "perceptron",
          "ogd",
          "rbp",
          "forgetron",
          "projectron",
          "projectron++",
          "bpas",
          "bogd",
          "fogd",
          "nogd",
          "avm-hinge",
          "avm-logit");
  private static final List<String> NUMBERS =
      List.of(
          "rbp", "forgetron", "projectron", "bogd", "fogd", "nogd", "avm-eps", "avm-l1", "avm-l2");
  private static final List<String> BATCHED =
      List.of("libsvm", "llsvm", "bsgd-m", "bsgd-r", "fogd", "nogd", "avm-hinge", "avm-logit");
  private static final List<String> BUDGETED =
      List.of("rbp", "forgetron", "projectron", "bpas", "bogd", "nogd", "fogd");
  private static final int[] BUDGETS = {100, 200, 400, 800, 1600};
  private static final List<String> GAMMA_ONLY =
      List.of("perceptron", "rbp", "forgetron", "projectron");

  Plan {
    data = Set.copyOf(data);
    studies = Set.copyOf(studies);
    methods = Set.copyOf(methods);
  }

  /** The methods of a table in the paper's order, then ours that the paper does not have. */
  static List<String> methods(String study, ExperimentData data) {
    List<String> all = new ArrayList<>();
    switch (study) {
      case ONLINE_CLASSES -> all.addAll(data.large() ? FAST : ONLINE);
      case ONLINE_NUMBERS -> all.addAll(NUMBERS);
      default -> all.addAll(BATCHED);
    }
    all.add("linear");
    all.addAll(PaperMethods.OURS);
    return all;
  }

  /** The searches that must be done before {@link #runs}. */
  List<Job> searches() {
    Set<Job> searches = new LinkedHashSet<>();
    for (Job run : runs()) {
      if (!run.isGiven()) {
        searches.add(search(run));
      }
    }
    return List.copyOf(searches);
  }

  /** The search whose parameters a job needs. */
  Job search(Job run) {
    ExperimentData set = ExperimentData.of(run.data());
    Settings base = base(set).withDelta(set.delta());
    return new Job(
        SEARCH,
        Job.Mode.SEARCH,
        run.data(),
        run.method(),
        1,
        run.mode() == Job.Mode.BATCH ? BY_HELD_OUT : BY_ONLINE,
        rows,
        0,
        1,
        base.withSeed(1));
  }

  private Settings base(ExperimentData set) {
    int budget = shrunk ? Math.min(100, set.budget()) : set.budget();
    int frequencies = shrunk ? Math.min(400, set.randomFeatures()) : set.randomFeatures();
    return Settings.standard().withSizes(budget, frequencies).withDelta(set.delta());
  }

  /** Everything but searches, in order of study and data set. */
  List<Job> runs() {
    List<Job> jobs = new ArrayList<>();
    for (String study : STUDIES) {
      for (ExperimentData set : ExperimentData.ALL) {
        if (studies.contains(study) && data.contains(set.name())) {
          switch (study) {
            case ONLINE_CLASSES -> table(jobs, study, set, Job.Mode.ONLINE, Task.CLASSIFICATION);
            case ONLINE_NUMBERS -> table(jobs, study, set, Job.Mode.ONLINE, Task.REGRESSION);
            case BATCH -> table(jobs, study, set, Job.Mode.BATCH, Task.CLASSIFICATION);
            case GAMMA -> gammas(jobs, set);
            default -> {
              if (STUDIED.contains(set.name())) {
                figure(jobs, study, set);
              }
            }
          }
        }
      }
    }
    jobs.removeIf(job -> !methods.isEmpty() && !methods.contains(job.method()));
    return jobs;
  }

  private void table(List<Job> jobs, String study, ExperimentData set, Job.Mode mode, Task task) {
    if (set.task() != task) {
      return;
    }
    for (PaperVariant.Line line : PaperVariant.lines(study, set)) {
      String method = line.method();
      boolean once = BatchMethod.ALL.stream().anyMatch(m -> m.name().equals(method));
      boolean twoClasses = !set.large() || set.name().equals("airlines");
      if (method.equals("llsvm") && !twoClasses) {
        continue;
      }
      for (int seed = 1; seed <= (once ? 1 : seeds); seed++) {
        Settings settings = base(set).withSeed(seed);
        Job job =
            new Job(study, mode, set.name(), method, seed, line.variant(), rows, 0, 1, settings);
        jobs.add(job.isGiven() ? job.withFound(PaperVariant.authors(set.name())) : job);
      }
    }
  }

  /** Methods without any parameter but γ, over the paper's range of it; one permutation. */
  private void gammas(List<Job> jobs, ExperimentData set) {
    if (set.large() || set.task() == Task.REGRESSION) {
      return;
    }
    for (String method : GAMMA_ONLY) {
      for (double gamma : Knob.GAMMA.range(1)) {
        String variant = String.format(Locale.ROOT, "gamma=%.5g", gamma);
        Settings settings = base(set).with(Knob.GAMMA, gamma).withSeed(1);
        jobs.add(online(GAMMA, set, method, 1, variant, 0, 1, settings));
      }
    }
  }

  private void figure(List<Job> jobs, String study, ExperimentData set) {
    for (int seed = 1; seed <= Math.min(seeds, FIGURE_SEEDS); seed++) {
      Settings settings = base(set).withSeed(seed);
      switch (study) {
        case BUDGET -> {
          jobs.add(online(study, set, "avm-hinge", seed, "", 0, 1, settings));
          jobs.add(online(study, set, "avm", seed, "", 0, 1, settings));
          for (String method : BUDGETED) {
            for (int b : BUDGETS) {
              jobs.add(
                  online(study, set, method, seed, "B=" + b, 0, 1, settings.withSizes(b, 4 * b)));
            }
          }
        }
        case DELTA -> {
          for (double delta : deltas(set)) {
            Settings varied = settings.withDelta(delta);
            String variant = deltaVariant(delta);
            jobs.add(online(study, set, "avm-hinge", seed, variant, 0, 1, varied));
          }
        }
        case LENGTH -> {
          if (set.name().equals("cod-rna")) {
            String variant = "rows=" + PAPER_ROWS;
            jobs.add(online(study, set, "avm-hinge", seed, variant, 0, 1, settings));
          }
        }
        default -> betaRho(jobs, set, seed, settings);
      }
    }
  }

  /** The δ of a figure: from 0.4 to 1.75 times the one the paper chose. */
  static double[] deltas(ExperimentData set) {
    return IntStream.range(0, 10).mapToDouble(i -> set.delta() * (0.4 + 0.15 * i)).toArray();
  }

  static String deltaVariant(double delta) {
    return String.format(Locale.ROOT, "delta=%.3f", delta);
  }

  private void betaRho(List<Job> jobs, ExperimentData set, int seed, Settings settings) {
    for (int i = 0; i < 10; i++) {
      for (int j = 0; j < 10; j++) {
        double beta = i * 10.0 / 9;
        double rho = 0.5 + j / 9.0;
        String variant = String.format(Locale.ROOT, "beta=%.2f rho=%.2f", beta, rho);
        jobs.add(online(BETA_RHO, set, "avm-hinge", seed, variant, beta, rho, settings));
      }
    }
  }

  private Job online(
      String study,
      ExperimentData set,
      String method,
      int seed,
      String variant,
      double beta,
      double rho,
      Settings settings) {
    return new Job(
        study, Job.Mode.ONLINE, set.name(), method, seed, variant, rows, beta, rho, settings);
  }

  /** What the search of a method varied. */
  static Set<Knob> knobs(String method, Task task) {
    return BatchMethod.ALL.stream()
        .filter(m -> m.name().equals(method))
        .map(BatchMethod::knobs)
        .findFirst()
        .orElseGet(() -> PaperMethods.of(method, task).knobs(task));
  }

  /** What a table calls a method. */
  static String title(String method, Task task) {
    return BatchMethod.ALL.stream()
        .filter(m -> m.name().equals(method))
        .map(BatchMethod::title)
        .findFirst()
        .orElseGet(() -> PaperMethods.of(method, task).title());
  }
}
