// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.defaults;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.model.Model;
import java.util.Locale;

/** Error, processor time and bytes against the budget. */
final class BudgetTable {
  static final int[][] BUDGETS = {
    {50, 0}, {100, 0}, {200, 0}, {256, 0}, {512, 0}, {1000, 0}, {256, 4096}, {512, 4096}
  };

  private BudgetTable() {}

  static String head() {
    return """
        | data | budget | cells | mistakes % | on test rows % | µs | learner kB | model kB |
        |---|--:|--:|--:|--:|--:|--:|--:|
        """;
  }

  /** A row for a budget and most cells; {@code test} may be empty. */
  static String row(StreamData data, StreamData test, int budget, int cells) {
    AutoLearner learner = Avm.classifier().budget(budget).cells(cells).build();
    Run run = Run.of(data, data.order(1), learner);
    Model model = learner.snapshot();
    return String.format(
        Locale.ROOT,
        "| %s | %d | %d | %.2f | %s | %.1f | %d | %d |%n",
        data.name(),
        budget,
        learner.cells(),
        run.error(),
        test.size() == 0 ? "–" : String.format(Locale.ROOT, "%.2f", mistakes(model, test)),
        run.micros(),
        learner.bytes() / 1024,
        Avm.toBytes(model).length / 1024);
  }

  private static double mistakes(Model model, StreamData test) {
    long wrong = 0;
    for (int i = 0; i < test.size(); i++) {
      FeatureVector x = test.x().get(i);
      wrong += model.predict(x) == test.y().get(i) ? 0 : 1;
    }
    return 100.0 * wrong / test.size();
  }
}
