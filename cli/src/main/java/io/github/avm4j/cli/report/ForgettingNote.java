// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.report;

import io.github.avm4j.cli.run.Forgetting;
import io.github.avm4j.learner.Learner;
import java.util.Locale;

/** Note that the default learner forgets, and what to do if the rows are merely sorted. */
public final class ForgettingNote {
  private ForgettingNote() {}

  /** The note, empty if nothing is forgotten or the user has set the factor. */
  public static String of(Learner learner) {
    double factor = Forgetting.chosen(learner);
    return factor == 1
        ? ""
        : String.format(
            Locale.ROOT,
            "the stream changes: only about the last %.0f learned rows count (forgetting factor %.4g)."
                + " If your rows are sorted instead, shuffle them, or set --forgetting 1",
            Forgetting.rows(factor),
            factor);
  }
}
