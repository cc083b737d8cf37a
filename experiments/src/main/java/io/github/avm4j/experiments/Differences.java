// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments;

import io.github.avm4j.baselines.Knob;
import io.github.avm4j.baselines.Methods;
import io.github.avm4j.baselines.Settings;
import io.github.avm4j.baselines.comparison.PrequentialRun;
import io.github.avm4j.baselines.comparison.Table;
import io.github.avm4j.config.Task;
import io.github.avm4j.data.catalogue.DataCache;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * What explains that our numbers are not the paper's: the error of methods that have no parameter
 * but γ over the paper's range of it, and AVM over a stream as long as the paper's. One order each.
 *
 * <p>Arguments: the folder of the public data sets, then {@code gamma} and data sets, or {@code
 * length}.
 */
public final class Differences {
  private static final List<String> GAMMA_ONLY =
      List.of("perceptron", "rbp", "forgetron", "projectron");
  private static final int PAPER_ROWS = 331_152;
  private static final double PATIENCE = 600;

  private final Loader loader;

  private Differences(Path folder) {
    loader = new Loader(new DataCache(folder));
  }

  /** See the class. */
  public static void main(String[] args) throws IOException {
    if (args.length < 2 || !List.of("gamma", "length").contains(args[1])) {
      System.err.println("DATA_FOLDER gamma DATA_SET... | DATA_FOLDER length");
      System.exit(2);
    }
    Differences differences = new Differences(Path.of(args[0]));
    if (args[1].equals("length")) {
      differences.length();
    }
    for (String name : List.of(args).subList(2, args.length)) {
      differences.gamma(ExperimentData.of(name));
    }
  }

  private static double error(String method, Settings settings, Table rows) throws IOException {
    Task task = Task.CLASSIFICATION;
    return PrequentialRun.of(
            Methods.of(method, task).create(task, settings),
            rows.instances(),
            rows.size(),
            1,
            PATIENCE)
        .end()
        .cumulative()
        .error();
  }

  private void gamma(ExperimentData data) throws IOException {
    Table rows = loader.load(data, 0).all().shuffled(1);
    Settings base = Settings.standard().withSizes(data.budget(), data.randomFeatures()).withSeed(1);
    for (String method : GAMMA_ONLY) {
      StringBuilder line = new StringBuilder("| " + data.name() + " | " + method + " |");
      for (double gamma : Knob.GAMMA.range(rows.size())) {
        double error = error(method, base.with(Knob.GAMMA, gamma), rows);
        line.append(String.format(Locale.ROOT, " %.2f |", error));
      }
      System.out.println(line);
    }
  }

  /** AVM-Hinge on cod-rna's rows, each pass in another order, to the paper's number of rows. */
  private void length() throws IOException {
    ExperimentData data = ExperimentData.of("cod-rna");
    Table once = loader.load(data, 0).all();
    Table rows = once.shuffled(1);
    for (int pass = 2; rows.size() < PAPER_ROWS; pass++) {
      rows = rows.and(once.shuffled(pass));
    }
    rows = rows.part(0, PAPER_ROWS);
    Settings base = Settings.standard().withDelta(data.delta()).with(Knob.GAMMA, 0.25);
    for (double lambda : new double[] {1, 4, 16, 64}) {
      Settings settings = base.with(Knob.LAMBDA, lambda / PAPER_ROWS);
      System.out.printf(
          Locale.ROOT, "λ = %.0f/N: %.2f %%%n", lambda, error("avm-hinge", settings, rows));
    }
  }
}
