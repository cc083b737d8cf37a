// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.command;

import io.github.avm4j.baselines.Knob;
import io.github.avm4j.baselines.Method;
import io.github.avm4j.baselines.Methods;
import io.github.avm4j.baselines.Settings;
import io.github.avm4j.baselines.comparison.GridSearch;
import io.github.avm4j.baselines.comparison.PairDistances;
import io.github.avm4j.baselines.comparison.PrequentialRun;
import io.github.avm4j.baselines.comparison.Table;
import io.github.avm4j.baselines.comparison.UnitTarget;
import io.github.avm4j.cli.report.Comparison;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.feature.ScalingFitter;
import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.pipeline.Inference;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Searches the parameters of methods on the first rows and evaluates each on all of them.
 *
 * @param files names of the files
 * @param task the task
 * @param searchRows first rows on which parameters are searched
 * @param note receives messages on the progress
 */
record ComparedMethods(List<String> files, Task task, int searchRows, Consumer<String> note) {
  /** The default learner, which scales features itself. */
  private static final String DEFAULT = "avm";

  private static final int CURVE_POINTS = 200;
  private static final int PAIRS = 2000;

  /** Values of δ tried for the paper's learner, each half the one before. */
  private static final int DELTAS = 6;

  ComparedMethods {
    files = List.copyOf(files);
  }

  /** The comparison on one permutation; {@code order} seeds its random choices. */
  Comparison run(List<Method> chosen, Table rows, long order) throws IOException {
    Table scaled = scaled(rows);
    Table first = scaled.part(0, searchRows);
    Settings base =
        Settings.standard()
            .withSeed(order)
            .withDelta(2 * PairDistances.of(first.x(), PAIRS, order).mean());
    List<Comparison.Entry> entries = new ArrayList<>();
    for (Method method : chosen) {
      boolean ours = method.name().equals(DEFAULT);
      Method searched = ours || task == Task.CLASSIFICATION ? method : inUnits(method, first);
      GridSearch search = search(searched, task, base, first.shuffled(order));
      Settings settings = search.settings();
      String parameters = parameters(method, task, settings);
      note.accept("  " + method.title() + ": " + searched(search.tried(), parameters));
      PrequentialRun run =
          PrequentialRun.of(
              searched.create(task, settings),
              (ours ? rows : scaled).instances(),
              rows.size(),
              CURVE_POINTS,
              Double.MAX_VALUE);
      entries.add(new Comparison.Entry(method, parameters, search.tried(), run));
    }
    return new Comparison(files, task, rows.size(), entries);
  }

  private static String searched(int tried, String parameters) {
    return tried == 1 ? "nothing to search" : "best of " + tried + " settings: " + parameters;
  }

  /** The best of a method's grid; for the paper's learner the best over its grid and δ. */
  private static GridSearch search(Method method, Task found, Settings base, Table rows) {
    if (!Methods.isPaper(method.name())) {
      return GridSearch.online(method, found, base, rows);
    }
    return GridSearch.best(
        IntStream.range(0, DELTAS)
            .mapToObj(i -> base.withDelta(Math.scalb(base.delta(), -i)))
            .map(settings -> GridSearch.online(method, found, settings, rows))
            .toList());
  }

  /** Wraps a method so that it sees the target scaled to [0, 1]. */
  private static Method inUnits(Method method, Table first) {
    return new Method(
        method.name(),
        method.title(),
        method.knobs(),
        (task, settings) -> UnitTarget.of(method.create(task, settings), first.targets()));
  }

  private static Table scaled(Table rows) {
    int fitted = Math.min(Inference.ROWS, rows.size());
    Scaling scaling = ScalingFitter.fit(rows.x().subList(0, fitted), ScalingMode.AUTOMATIC);
    Scaling.Scaler scaler = new Scaling.Scaler(scaling);
    return new Table(rows.x().stream().map(x -> scaler.scale(x).copy()).toList(), rows.targets());
  }

  private static String parameters(Method method, Task found, Settings s) {
    List<String> texts = new ArrayList<>();
    if (Methods.isPaper(method.name())) {
      texts.add(String.format(Locale.ROOT, "delta %.4g", s.delta()));
    }
    for (Knob knob : Knob.values()) {
      if (method.knobs(found).contains(knob)) {
        double value =
            switch (knob) {
              case GAMMA -> s.gamma();
              case ETA -> s.eta();
              case LAMBDA -> s.lambda();
              case C -> s.c();
            };
        String name = knob.name().toLowerCase(Locale.ROOT);
        texts.add(String.format(Locale.ROOT, "%s %.4g", name, value));
      }
    }
    return String.join(", ", texts);
  }
}
