// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.progress;

import io.github.avm4j.evaluation.ClassificationFigures;
import io.github.avm4j.evaluation.Figures;
import io.github.avm4j.evaluation.RegressionFigures;
import java.util.Locale;

/** Prequential error beside that of predicting the most frequent class or the mean so far. */
public final class ErrorText {
  private ErrorText() {}

  /** Name of the error. */
  static String name(Figures figures) {
    return figures instanceof ClassificationFigures ? "error" : "RMSE";
  }

  /** Formats an error of the kind of {@code figures}. */
  static String format(Figures figures, double error) {
    boolean classes = figures instanceof ClassificationFigures;
    return Double.isNaN(error)
        ? "-"
        : String.format(Locale.ROOT, classes ? "%.2f %%" : "%.5g", error);
  }

  /** Error of the baseline. */
  static String baseline(Figures figures) {
    return format(
        figures,
        figures instanceof ClassificationFigures classes
            ? classes.majority()
            : ((RegressionFigures) figures).mean());
  }

  /** One line such as "error 15.90 % (predicting the most frequent class so far: 24.10 %)". */
  public static String summary(Figures figures) {
    return name(figures)
        + " "
        + format(figures, figures.error())
        + " (predicting the "
        + (figures instanceof ClassificationFigures ? "most frequent class" : "mean")
        + " so far: "
        + baseline(figures)
        + ")";
  }
}
