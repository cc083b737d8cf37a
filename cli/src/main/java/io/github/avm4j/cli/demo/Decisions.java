// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.demo;

import io.github.avm4j.cli.run.Forgetting;
import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.learner.AutoLearner;
import java.util.Locale;

/** Reports what the default learner has decided since the last look. */
final class Decisions {
  private final AutoLearner learner;
  private boolean estimating = true;
  private double factor = 1;
  private long renewals;

  Decisions(AutoLearner learner) {
    this.learner = learner;
  }

  /** The decision since the last call in one line, empty if there is none. */
  String news() {
    if (estimating && !learner.isEstimating()) {
      estimating = false;
      Kernel kernel = learner.config().kernel();
      return String.format(
          Locale.ROOT,
          "%s kernel chosen (gamma %.2g), features %s",
          kernel.getClass().getSimpleName().toLowerCase(Locale.ROOT),
          kernel.gamma(),
          learner.scaling().isIdentity() ? "not scaled" : "scaled");
    }
    if (learner.renewals() > renewals) {
      renewals = learner.renewals();
      factor = 1;
      estimating = learner.isEstimating();
      return "the stream has changed: a learner that began afresh takes over";
    }
    double now = Forgetting.chosen(learner);
    if (now == factor) {
      return "";
    }
    factor = now;
    return now < 1
        ? String.format(
            Locale.ROOT,
            "change detected: forgetting factor %.4g (about %.0f rows)",
            now,
            Forgetting.rows(now))
        : "stable again: forgetting factor 1 (nothing is forgotten)";
  }
}
