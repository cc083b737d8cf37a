// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.run;

import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.Learner;

/** The forgetting factor that the default learner has chosen. */
public final class Forgetting {
  private Forgetting() {}

  /** Chosen forgetting factor, 1 if nothing is forgotten or if the user has set it. */
  public static double chosen(Learner learner) {
    return learner instanceof AutoLearner auto
            && auto.settings().forgetting() == 0
            && auto.config() instanceof SecondOrderConfig config
        ? config.forgetting()
        : 1;
  }

  /** Effective number of rows that a forgetting factor below 1 remembers. */
  public static double rows(double factor) {
    return 1 / (1 - factor);
  }
}
