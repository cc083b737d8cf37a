// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.evaluation;

import io.github.avm4j.config.Task;
import io.github.avm4j.model.Predictor;
import java.io.IOException;

/** Scores answers for instances that are never learned from. */
public final class HoldOut {
  private HoldOut() {}

  /**
   * Adds the answers for a stream to {@code score}. For trivial answers as fair as the predictor's,
   * let the score {@link Score#observe} the training targets and {@link Score#freeze} it first.
   */
  public static void score(Predictor predictor, Instances stream, Score score) throws IOException {
    boolean classes = predictor.task() == Task.CLASSIFICATION;
    int known = predictor.classes();
    double[] scores = new double[Math.max(1, known)];
    while (stream.next()) {
      double answer = predictor.predict(stream.x());
      if (classes && known > 0) {
        predictor.scores(stream.x(), scores);
      }
      score.add(stream.y(), answer, stream.weight(), predictor, scores, known);
    }
  }

  /** The score of a stream alone; its trivial answers learn on the stream itself. */
  public static Score score(Predictor predictor, Instances stream) throws IOException {
    Score score = Score.of(predictor.task(), Score.DEFAULT_WINDOW);
    score(predictor, stream, score);
    return score;
  }
}
