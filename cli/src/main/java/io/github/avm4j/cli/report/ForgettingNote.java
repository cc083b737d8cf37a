// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.report;

import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.Learner;
import java.util.Locale;

/** Says that a learner found the stream to change, and what to do if it is merely sorted. */
public final class ForgettingNote {
  private ForgettingNote() {}

  /** The note, empty if nothing is forgotten or it was told so. */
  public static String of(Learner learner) {
    if (!(learner instanceof AutoLearner auto)
        || auto.told().forgetting() != 0
        || !(auto.config() instanceof SecondOrderConfig found)
        || found.forgetting() == 1) {
      return "";
    }
    return String.format(
        Locale.ROOT,
        "the stream changes: only about the last %.0f rows learned from count. If your rows are"
            + " sorted instead, shuffle them, or tell --forgetting 1",
        1 / (1 - found.forgetting()));
  }
}
