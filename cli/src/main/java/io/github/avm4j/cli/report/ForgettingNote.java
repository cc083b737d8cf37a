// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.report;

import io.github.avm4j.cli.run.Forgetting;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.Learner;
import java.util.Locale;

/** Note that the default learner forgets, and what to do if the rows are merely sorted. */
public final class ForgettingNote {
  private static final String ADVICE =
      " If your rows are sorted instead, shuffle them, or set --forgetting 1";

  private ForgettingNote() {}

  /** The note, empty if nothing is forgotten or the user has set the factor. */
  public static String of(Learner learner) {
    long renewals = learner instanceof AutoLearner auto ? auto.renewals() : 0;
    if (renewals > 0) {
      return "the stream changed abruptly, %d %s: a learner that began afresh took over, and rows before the last change no longer count."
              .formatted(renewals, renewals == 1 ? "time" : "times")
          + ADVICE;
    }
    double factor = Forgetting.chosen(learner);
    return factor == 1
        ? ""
        : String.format(
            Locale.ROOT,
            "the stream changes: only about the last %.0f learned rows count (forgetting factor %.4g)."
                + ADVICE,
            Forgetting.rows(factor),
            factor);
  }
}
