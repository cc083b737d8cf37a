// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import io.github.avm4j.testing.Streams;
import org.junit.jupiter.api.Test;

/**
 * Scores are multiplied by 1, 2 or 4, because a learner that skips is less sure than it could be.
 */
class SharpnessTest {
  /** Answers stay, log loss falls, the model says the same, and a saved learner goes on. */
  @Test
  void probabilitiesAreBetter() throws InvalidModelException {
    AutoLearner learner = Avm.classifier().labels(0, 1).budget(60).cells(0).build();
    double[] scores = new double[2];
    double loss = 0;
    double dull = 0;
    double sharpness = 1;
    for (double[] x : Streams.uniform(2, 20_000, 2)) {
      int y = x[0] * x[1] > 0.25 ? 1 : 0;
      FeatureVector row = FeatureVector.dense(x);
      if (learner.instances() >= 10_000) {
        FeatureVector z = new Scaling.Scaler(learner.scaling()).scale(row);
        sharpness = learner.score(row) / learner.engine.leader().score(z);
      }
      double answer = learner.predictThenLearn(row, y, 1, scores);
      assertEquals(scores[1] > scores[0] ? 1 : 0, (int) answer);
      if (learner.instances() > 10_000) {
        loss += Math.log1p(Math.exp(scores[1 - y] - scores[y]));
        dull += Math.log1p(Math.exp((scores[1 - y] - scores[y]) / sharpness));
      }
    }
    System.out.printf("log loss %.4f, %.4f as learned%n", loss / 1e4, dull / 1e4);
    assertTrue(sharpness > 1, "times " + sharpness);
    assertTrue(loss < 0.8 * dull, loss + ", without " + dull);
    Model model = learner.snapshot();
    FeatureVector x = FeatureVector.dense(0.4, 0.7);
    double[] of = new double[2];
    model.scores(x, of);
    learner.scores(x, scores);
    assertArrayEquals(scores, of, 1e-12);
    assertEquals(learner.score(x), model.score(x), 1e-12);
    assertArrayEquals(learner.toBytes(), Learner.fromBytes(learner.toBytes()).toBytes());
  }
}
