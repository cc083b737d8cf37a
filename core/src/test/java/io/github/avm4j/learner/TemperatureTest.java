// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.tuning.Temperature;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import io.github.avm4j.testing.Streams;
import org.junit.jupiter.api.Test;

class TemperatureTest {
  /** Scores of which the true log odds are {@code factor} times as large. */
  private static Temperature after(double factor, int columns) {
    Temperature temperature = new Temperature();
    for (double[] draw : Streams.uniform(1, 20_000, 2)) {
      double margin = 6 * draw[0] - 3;
      boolean second = draw[1] < 1 / (1 + Math.exp(-factor * margin));
      double[] scores =
          columns == 1 ? new double[] {margin} : new double[] {-margin / 2, margin / 2, -1e3};
      temperature.observe(scores, columns, second ? 1 : 0);
    }
    return temperature;
  }

  @Test
  void findsTheFactor() {
    for (int columns : new int[] {1, 3}) {
      assertEquals(1, after(1, columns).factor());
      assertEquals(2, after(2, columns).factor());
      assertEquals(4, after(5, columns).factor());
      assertEquals(1, after(0.2, columns).factor());
    }
  }

  @Test
  void scoresThatOverflowDoNoHarm() {
    Temperature temperature = new Temperature();
    for (int t = 0; t < 1000; t++) {
      temperature.observe(new double[] {1e300, -1e300, 0}, 3, t % 3);
      temperature.observe(new double[] {-1e300}, 1, t % 2);
    }
    for (int p = 0; p < Temperature.FACTORS; p++) {
      assertTrue(Double.isFinite(temperature.contest().gain(p)));
    }
  }

  /** Answers stay, log loss falls, the model says the same, and a saved learner goes on. */
  @Test
  void probabilitiesAreBetter() throws InvalidModelException {
    AutoLearner learner = Avm.classifier().labels(0, 1).budget(60).cells(0).build();
    double[] scores = new double[2];
    double loss = 0;
    double dull = 0;
    for (double[] x : Streams.uniform(2, 20_000, 2)) {
      int y = x[0] * x[1] > 0.25 ? 1 : 0;
      double answer = learner.predictThenLearn(FeatureVector.dense(x), y, 1, scores);
      assertEquals(scores[1] > scores[0] ? 1 : 0, (int) answer);
      if (learner.instances() > 10_000) {
        loss += Math.log1p(Math.exp(scores[1 - y] - scores[y]));
        dull +=
            Math.log1p(
                Math.exp((scores[1 - y] - scores[y]) / learner.engine.whole.temperature.factor()));
      }
    }
    System.out.printf("log loss %.4f, %.4f as learned%n", loss / 1e4, dull / 1e4);
    assertTrue(learner.engine.whole.temperature.factor() > 1);
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
