// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.demo;

import java.io.PrintWriter;
import java.util.Locale;

/** Prints a demo as a learning curve of text, at most 80 columns wide. */
public final class DemoText implements DemoRun.Listener {
  private static final int BAR = 50;
  private static final double LARGEST = 0.5;

  private final PrintWriter out;

  /** Creates a printer. */
  public DemoText(PrintWriter out) {
    this.out = out;
  }

  /** Prints what the stream is and how to read the curve. */
  public void start() {
    out.printf(
        Locale.ROOT,
        """
        A generated stream of %,d rows: points of a square, labelled by whether
        they lie inside a disc. The disc moves after row %,d; the learners do not
        know that. %.0f %% of the labels are wrong, so no learner can stay below %.0f %%.

        Each row is predicted before it is learned from (prequential evaluation).
        # avm with default settings   o the same learner without forgetting

           rows error %%  0        10        20        30        40        50
        """,
        MovingDisc.ROWS,
        MovingDisc.CHANGE,
        100 * MovingDisc.NOISE,
        100 * MovingDisc.NOISE);
    out.flush();
  }

  @Override
  public void window(int rows, double error, double withoutForgetting) {
    StringBuilder bar = new StringBuilder("#".repeat(column(error)));
    int mark = column(withoutForgetting);
    if (mark >= bar.length()) {
      bar.append(" ".repeat(mark - bar.length())).append('o');
    } else {
      bar.setCharAt(mark, 'o');
    }
    out.printf(Locale.ROOT, "%,7d %6.1f   |%s%n", rows, 100 * error, bar);
    out.flush();
  }

  private static int column(double error) {
    return (int) Math.round(BAR * Math.min(LARGEST, error) / LARGEST);
  }

  @Override
  public void change(int rows) {
    out.printf(Locale.ROOT, "%,7d %s%n", rows, "-------- the disc moves --------");
    out.flush();
  }

  @Override
  public void decision(int rows, String text) {
    out.printf(Locale.ROOT, "%,7d   -> %s%n", rows, text);
    out.flush();
  }

  /** Prints the errors of the whole stream and the commands to try next. */
  public void end(DemoRun.Result result) {
    out.println();
    out.println("Prequential error over all rows:");
    line("avm with default settings", result.error(), result.corePoints() + " core points");
    line("the same without forgetting", result.withoutForgetting(), "");
    line("majority baseline", result.majority(), "predicts the most frequent label so far");
    out.println();
  }

  private void line(String name, double error, String note) {
    out.println(
        String.format(Locale.ROOT, "  %-28s %5.1f %%   %s", name, 100 * error, note)
            .stripTrailing());
  }
}
