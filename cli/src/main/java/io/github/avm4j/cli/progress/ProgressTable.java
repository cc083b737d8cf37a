// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.progress;

import io.github.avm4j.evaluation.Figures;
import java.io.PrintWriter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Progress table for logs, with a line at every power of two from row 100 on, or from the first
 * second: what is before says more of Java's start than of the rows.
 */
public final class ProgressTable implements Progress {
  private final PrintWriter out;
  private long shown;
  private long nanos;
  private @Nullable Figures before;

  public ProgressTable(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void row(State state) {
    if (Long.bitCount(state.rows()) == 1 && isWarm(state.rows(), state.nanos())) {
      line(state);
    }
  }

  /** Whether so many rows, in so long a time, make a line. */
  public static boolean isWarm(long rows, long nanos) {
    return rows >= 100 || nanos >= 1_000_000_000;
  }

  @Override
  public void end(State state) {
    if (state.rows() > shown) {
      line(state);
    }
  }

  private void line(State state) {
    Figures figures = state.figures();
    if (shown == 0) {
      out.printf(
          Locale.ROOT,
          "%10s %11s %11s %11s %11s %9s%n",
          "rows",
          ErrorText.name(figures),
          "since last",
          "baseline",
          "core points",
          "rows/s");
    }
    out.printf(
        Locale.ROOT,
        "%10d %11s %11s %11s %11d %9s%n",
        state.rows(),
        ErrorText.format(figures, figures.error()),
        ErrorText.format(figures, before == null ? figures.error() : figures.errorSince(before)),
        ErrorText.baseline(figures),
        state.size(),
        shown == 0
            ? "-"
            : "%.0f"
                .formatted((state.rows() - shown) / Math.max(1e-9, (state.nanos() - nanos) / 1e9)));
    out.flush();
    shown = state.rows();
    nanos = state.nanos();
    before = figures;
  }
}
