// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.defaults;

import io.github.avm4j.Avm;
import io.github.avm4j.config.Task;
import io.github.avm4j.learner.AutoLearner;
import java.util.Arrays;
import java.util.Locale;

/** A row per data set: the default learner with default settings, alone. */
final class LearnerTable {
  static final String HEAD =
      """
      | data | rows | **avm** | ± | last fifth | µs per instance | core points | cells | learner's file, kB |
      |---|--:|--:|--:|--:|--:|--:|--:|--:|
      """;

  private final int seeds;

  LearnerTable(int seeds) {
    this.seeds = seeds;
  }

  /** Means over permutations; sizes are of the last. */
  String row(StreamData data) {
    int count = data.ordered() ? 1 : seeds;
    double[] errors = new double[count];
    double late = 0;
    double micros = 0;
    AutoLearner learner = learner(data.task());
    for (int s = 0; s < count; s++) {
      learner = learner(data.task());
      Run run = Run.of(data, data.order(s + 1), learner);
      errors[s] = run.error();
      late += run.late() / count;
      micros += run.micros() / count;
    }
    double mean = Arrays.stream(errors).average().orElse(0);
    return String.format(
        Locale.ROOT,
        "| %s | %,d | **%s** | %s | %s | %.1f | %d | %d | %d |%n",
        data.name() + (data.ordered() ? " (in order)" : ""),
        data.size(),
        DefaultTable.number(mean),
        DefaultTable.number(DefaultTable.deviation(errors, mean)),
        DefaultTable.number(late),
        micros,
        learner.size(),
        learner.cells(),
        learner.modelBytes() / 1024);
  }

  private static AutoLearner learner(Task task) {
    return (task == Task.CLASSIFICATION ? Avm.classifier() : Avm.regressor()).build();
  }
}
