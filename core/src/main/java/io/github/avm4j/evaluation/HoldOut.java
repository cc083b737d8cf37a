// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.evaluation;

import io.github.avm4j.config.Task;
import io.github.avm4j.model.Predictor;
import java.io.IOException;

/** Hold-out evaluation: scores predictions for instances that are never learned from. */
public final class HoldOut {
  private HoldOut() {}

  /**
   * Adds the predictions for a stream to {@code score}. For baselines as fair as the predictor, let
   * the score {@link Score#observe} the training targets and {@link Score#freeze} it first.
   *
   * @param predictor the model or learner
   * @param stream instances that the predictor was not trained on
   * @param score receives the predictions
   * @throws IOException if the stream fails
   */
  public static void score(Predictor predictor, Instances stream, Score score) throws IOException {
    boolean classes = predictor.task() == Task.CLASSIFICATION;
    int known = predictor.classes();
    double[] scores = new double[Math.max(1, known)];
    while (stream.next()) {
      double prediction = predictor.predict(stream.x());
      if (classes && known > 0) {
        predictor.scores(stream.x(), scores);
      }
      score.add(stream.y(), prediction, stream.weight(), predictor, scores, known);
    }
  }

  /**
   * The score of a stream alone; its baselines learn on the stream itself.
   *
   * @param predictor the model or learner
   * @param stream instances that the predictor was not trained on
   * @return the score
   * @throws IOException if the stream fails
   */
  public static Score score(Predictor predictor, Instances stream) throws IOException {
    Score score = Score.of(predictor.task(), Score.DEFAULT_WINDOW);
    score(predictor, stream, score);
    return score;
  }
}
