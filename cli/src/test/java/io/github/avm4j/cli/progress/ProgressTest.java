// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.progress;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.config.Task;
import io.github.avm4j.evaluation.Figures;
import io.github.avm4j.evaluation.Score;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

/** The progress bar, and the error it shows. */
class ProgressTest {
  @Test
  void showsTheErrorBesideTheMostFrequentClass() {
    Score score = Score.of(Task.CLASSIFICATION, 1);
    score.add(0, Double.NaN, 1);
    score.add(0, 0, 1);
    score.add(0, 1, 1);
    score.add(1, 1, 1);
    assertEquals(
        "error 50.00 % (predicting the most frequent class so far: 50.00 %)",
        ErrorText.summary(score.cumulative()),
        "the baseline is wrong on the first and on the last");
  }

  @Test
  void showsTheErrorBesideTheMean() {
    Score score = Score.of(Task.REGRESSION, 1);
    assertEquals("RMSE - (predicting the mean so far: -)", ErrorText.summary(score.cumulative()));
    score.add(2, 1, 1);
    score.add(4, 4, 1);
    assertEquals(
        "RMSE 0.70711 (predicting the mean so far: 2.0000)", ErrorText.summary(score.cumulative()));
  }

  /** A run with a clock that the test turns. */
  private static final class Fake implements Progress.State {
    final Score score = Score.of(Task.CLASSIFICATION, 1);
    long nanos;
    double share = Double.NaN;

    @Override
    public long rows() {
      return figures().instances();
    }

    @Override
    public Figures figures() {
      return score.cumulative();
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
    state.score.add(0, 0, 1);
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
    state.score.add(0, 0, 1);
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
