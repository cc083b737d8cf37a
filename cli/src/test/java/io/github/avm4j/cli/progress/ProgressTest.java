// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.progress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.config.Task;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** The progress bar, and the error it shows. */
class ProgressTest {
  @Test
  void tallyCountsErrorsBesideTheMajority() {
    Tally tally = new Tally(Task.CLASSIFICATION);
    tally.add(Double.NaN, 0);
    tally.add(0, 0);
    tally.add(1, 0);
    tally.add(1, 1);
    assertEquals(0.5, tally.error());
    assertEquals(0.5, tally.baselineError(), "wrong on the first and on the last");
    assertEquals(
        "error 50.00 % (predicting the most frequent class so far: 50.00 %)", tally.summary());
  }

  @Test
  void tallyMeasuresNumbersBesideTheMean() {
    Tally tally = new Tally(Task.REGRESSION);
    tally.add(1, 2);
    tally.add(4, 4);
    assertEquals(Math.sqrt(0.5), tally.error(), 1e-15);
    assertEquals(Math.sqrt((4 + 4) / 2.0), tally.baselineError(), 1e-15);
    assertEquals("-", new Tally(Task.REGRESSION).format(Double.NaN));
  }

  /** A run with a clock that the test turns. */
  private static final class Fake implements Progress.State {
    final Tally tally = new Tally(Task.CLASSIFICATION);
    long nanos;
    double share = Double.NaN;

    @Override
    public Tally tally() {
      return tally;
    }

    @Override
    public int size() {
      return 7;
    }

    @Override
    public long nanos() {
      return nanos;
    }

    @Override
    public double share() {
      return share;
    }
  }

  @Test
  void theBarShowsShareAndTimeLeft() {
    StringWriter out = new StringWriter();
    ProgressBar bar = new ProgressBar(new PrintWriter(out), 100);
    Fake state = new Fake();
    state.tally.add(0, 0);
    state.nanos = 60_000_000_000L;
    state.share = 0.25;
    bar.row(state);
    assertEquals(
        "\r[#####...............]  25 %  1 rows  0/s  error 0.00 %  7 core points  3:00 left",
        out.toString());
    int length = out.toString().length();
    bar.row(state);
    assertEquals(length, out.toString().length(), "nothing new within a tenth of a second");
    bar.end(state);
    assertTrue(out.toString().endsWith(" \r"), "the line is wiped");
  }

  @Test
  void aNarrowTerminalGoesWithoutTheBar() {
    StringWriter out = new StringWriter();
    Fake state = new Fake();
    state.tally.add(0, 0);
    state.nanos = 60_000_000_000L;
    state.share = 0.25;
    new ProgressBar(new PrintWriter(out), 80).row(state);
    assertEquals("\r 25 %  1 rows  0/s  error 0.00 %  7 core points  3:00 left", out.toString());
  }

  @Test
  void theBarFitsTheTerminal() {
    StringWriter out = new StringWriter();
    Fake state = new Fake();
    state.nanos = 7200_000_000_000L;
    new ProgressBar(new PrintWriter(out), 20).row(state);
    assertEquals(1 + 19, out.toString().length());
    StringWriter wide = new StringWriter();
    new ProgressBar(new PrintWriter(wide), 200).row(state);
    assertTrue(wide.toString().endsWith("2:00:00 so far"), wide.toString());
  }
}
