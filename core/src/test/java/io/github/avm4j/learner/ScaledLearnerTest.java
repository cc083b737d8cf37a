// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.feature.ScalingFitter;
import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.loss.EpsilonInsensitive;
import io.github.avm4j.model.Model;
import io.github.avm4j.testing.Streams;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScaledLearnerTest {
  private static final double MEAN = 5000;

  private static KernelLearner regressor() {
    return new KernelLearner(
        Avm.paperRegressor()
            .gamma(0.3)
            .delta(1)
            .lambda(1e-3)
            .loss(new EpsilonInsensitive(1))
            .config());
  }

  private static List<FeatureVector> rows(int count, long seed) {
    return Streams.uniform(seed, count, 2).stream()
        .map(x -> FeatureVector.dense(1e6 * x[0], 1e-6 * x[1]))
        .toList();
  }

  private static double target(FeatureVector x) {
    return MEAN + 100 * Math.sin(4e-6 * x.get(0)) + 50e6 * x.get(1);
  }

  private static ScaledLearner scaled() {
    Scaling scaling = ScalingFitter.fit(rows(500, 1), ScalingMode.STANDARD);
    return new ScaledLearner(regressor(), scaling, MEAN);
  }

  @Test
  void saysHowFarItHasCome() {
    ScaledLearner learner = scaled();
    assertTrue(learner.toString().startsWith("regressor, nothing learned: 0 instances"));
    for (FeatureVector x : rows(50, 3)) {
      learner.predictThenLearn(x, target(x));
    }
    String shown = learner.toString();
    assertTrue(shown.startsWith("regressor, learning: 50 instances, "), shown);
    assertTrue(shown.endsWith(" (RMSE), features scaled"), shown);
  }

  @Test
  void equalsTheLearnerOnScaledRows() {
    ScaledLearner learner = scaled();
    KernelLearner plain = regressor();
    Scaling.Scaler scaler = new Scaling.Scaler(learner.scaling());
    double[] scores = new double[1];
    for (FeatureVector x : rows(2000, 2)) {
      double y = target(x);
      FeatureVector z = scaler.scale(x).copy();
      assertEquals(plain.predict(z) + MEAN, learner.predict(x));
      double prediction = learner.predictThenLearn(x, y, 1, scores);
      assertEquals(plain.predictThenLearn(z, y - MEAN, 1) + MEAN, prediction);
      assertEquals(prediction, scores[0]);
    }
    Model model = learner.snapshot();
    for (FeatureVector x : rows(20, 3)) {
      assertEquals(learner.predict(x), model.predict(x), 1e-9 * MEAN);
      assertEquals(learner.score(x), model.score(x), 1e-9 * MEAN);
    }
    assertTrue(learner.size() > 5, "the scaled rows fall into several cells");
    assertEquals(2000, learner.instances());
    assertEquals(learner.toBytes().length, (double) learner.modelBytes(), 1024);
  }

  @Test
  void goesOnFromItsFileBitForBit() throws Exception {
    ScaledLearner learner = scaled();
    rows(300, 4).forEach(x -> learner.learn(x, target(x), 1));
    Learner restored = Learner.fromBytes(learner.toBytes());
    for (FeatureVector x : rows(300, 5)) {
      learner.learn(x, target(x), 1);
      restored.learn(x, target(x), 1);
    }
    assertArrayEquals(learner.toBytes(), restored.toBytes());
  }

  @Test
  void classesHaveNoIntercept() {
    KernelLearner classes =
        new KernelLearner(Avm.paperClassifier().gamma(1).delta(1).lambda(1).config());
    assertThrows(
        IllegalArgumentException.class, () -> new ScaledLearner(classes, Scaling.none(), 1));
    assertThrows(
        IllegalArgumentException.class,
        () -> new ScaledLearner(regressor(), Scaling.none(), Double.NaN));
  }
}
