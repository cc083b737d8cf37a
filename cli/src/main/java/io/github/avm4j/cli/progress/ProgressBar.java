// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.progress;

import io.github.avm4j.evaluation.Figures;
import java.io.PrintWriter;
import java.util.Locale;

/** Progress line for terminals, overwritten ten times per second. */
public final class ProgressBar implements Progress {
  private static final long EVERY_NANOS = 100_000_000;
  private static final int BAR = 20;

  private final PrintWriter out;
  private final int width;
  private long next;
  private int shown;

  public ProgressBar(PrintWriter out, int width) {
    this.out = out;
    this.width = width;
  }

  @Override
  public void row(State state) {
    if (state.nanos() >= next) {
      next = state.nanos() + EVERY_NANOS;
      String line = line(state, true);
      show(line.length() < width ? line : line(state, false));
    }
  }

  @Override
  public void end(State state) {
    show("");
    out.print('\r');
    out.flush();
  }

  private void show(String line) {
    String cut = line.length() < width ? line : line.substring(0, Math.max(0, width - 1));
    out.print('\r' + cut + " ".repeat(Math.max(0, shown - cut.length())));
    out.flush();
    shown = cut.length();
  }

  /** Text of the line; without the bar it fits 80 columns. */
  private static String line(State state, boolean withBar) {
    Figures figures = state.figures();
    double seconds = state.nanos() / 1e9;
    double share = state.share();
    StringBuilder line = new StringBuilder();
    if (!Double.isNaN(share)) {
      int full = (int) Math.round(BAR * share);
      String bar = "[" + "#".repeat(full) + ".".repeat(BAR - full) + "] ";
      line.append(withBar ? bar : "");
      line.append(String.format(Locale.ROOT, "%3.0f %%  ", 100 * share));
    }
    line.append(
        String.format(
            Locale.ROOT,
            "%,d rows  %,.0f/s  %s %s  %d core points  ",
            state.rows(),
            state.rows() / Math.max(1e-9, seconds),
            ErrorText.name(figures),
            ErrorText.format(figures, figures.error()),
            state.size()));
    boolean known = share > 0.01;
    line.append(time(known ? seconds * (1 - share) / share : seconds));
    return line.append(known ? " left" : " so far").toString();
  }

  private static String time(double seconds) {
    long whole = Math.round(seconds);
    return whole < 3600
        ? String.format(Locale.ROOT, "%d:%02d", whole / 60, whole % 60)
        : String.format(Locale.ROOT, "%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60);
  }
}
