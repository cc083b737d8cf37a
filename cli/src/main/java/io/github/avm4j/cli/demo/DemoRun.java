// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.cli.demo;

import io.github.avm4j.Avm;
import io.github.avm4j.evaluation.ClassificationScore;
import io.github.avm4j.evaluation.Prequential;
import io.github.avm4j.learner.AutoLearner;

/**
 * Prequential evaluation of the default learner on a {@link MovingDisc}, beside a learner that
 * never forgets.
 */
public final class DemoRun {
  /** Rows per point of the learning curve. */
  public static final int WINDOW = 1_000;

  /** Receives the events of a run while it runs. */
  public interface Listener {
    /**
     * Called after each window.
     *
     * @param rows number of rows so far
     * @param error share of mistakes of the default learner within the window
     * @param withoutForgetting the same of the learner that never forgets
     */
    void window(int rows, double error, double withoutForgetting);

    /** Called when the stream is about to change. */
    void change(int rows);

    /** Called after each decision of the default learner. */
    void decision(int rows, String text);
  }

  /**
   * Prequential errors of a run.
   *
   * @param error share of mistakes of the default learner
   * @param withoutForgetting share of mistakes of the learner that never forgets
   * @param majority share of mistakes of the majority baseline
   * @param corePoints size of the default learner's model
   */
  public record Result(double error, double withoutForgetting, double majority, int corePoints) {}

  private final MovingDisc stream;
  private final Listener listener;
  private final AutoLearner learner = Avm.classifier().build();
  private final ClassificationScore score = new ClassificationScore(WINDOW);
  private final ClassificationScore fixedScore = new ClassificationScore(WINDOW);

  /** Creates a run over a stream. */
  public DemoRun(MovingDisc stream, Listener listener) {
    this.stream = stream;
    this.listener = listener;
  }

  /** Evaluates both learners on the whole stream. */
  public Result run() {
    Prequential adaptive = new Prequential(learner, score);
    Prequential fixed = new Prequential(Avm.classifier().forgetting(1).build(), fixedScore);
    Decisions decisions = new Decisions(learner);
    for (int rows = 1; stream.next(); rows++) {
      adaptive.step(stream.x(), stream.y(), 1);
      fixed.step(stream.x(), stream.y(), 1);
      String decision = decisions.news();
      if (!decision.isEmpty()) {
        listener.decision(rows, decision);
      }
      if (rows % WINDOW == 0) {
        listener.window(rows, score.window().error() / 100, fixedScore.window().error() / 100);
      }
      if (rows == MovingDisc.CHANGE) {
        listener.change(rows);
      }
    }
    return new Result(
        score.cumulative().error() / 100,
        fixedScore.cumulative().error() / 100,
        score.cumulative().majority() / 100,
        learner.size());
  }
}
