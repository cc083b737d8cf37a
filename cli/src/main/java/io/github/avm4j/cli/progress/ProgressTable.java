// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.progress;

import java.io.PrintWriter;
import java.util.Locale;

/** Progress table for logs, with a line at every power of two. */
public final class ProgressTable implements Progress {
  private final PrintWriter out;
  private long shown;
  private double shownLoss;

  public ProgressTable(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void row(State state) {
    if (Long.bitCount(state.tally().rows()) == 1) {
      line(state);
    }
  }

  @Override
  public void end(State state) {
    if (state.tally().rows() > shown) {
      line(state);
    }
  }

  private void line(State state) {
    Tally tally = state.tally();
    if (shown == 0) {
      out.printf(
          Locale.ROOT,
          "%10s %11s %11s %11s %11s %9s%n",
          "rows",
          tally.measureName(),
          "since last",
          "baseline",
          "core points",
          "rows/s");
    }
    out.printf(
        Locale.ROOT,
        "%10d %11s %11s %11s %11d %9.0f%n",
        tally.rows(),
        tally.format(tally.error()),
        tally.format(tally.measure(tally.loss() - shownLoss, tally.rows() - shown)),
        tally.format(tally.baselineError()),
        state.size(),
        tally.rows() / Math.max(1e-9, state.nanos() / 1e9));
    out.flush();
    shown = tally.rows();
    shownLoss = tally.loss();
  }
}
