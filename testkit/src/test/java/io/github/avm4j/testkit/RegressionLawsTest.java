// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.loss.AbsoluteLoss;
import io.github.avm4j.loss.Loss;
import io.github.avm4j.loss.LossKind;
import java.util.Random;
import java.util.function.DoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

class RegressionLawsTest {

  @TestFactory
  @EnabledIfSystemProperty(named = "laws", matches = "on|long", disabledReason = "once is enough")
  Stream<DynamicTest> ofTheDefaultLearner() {
    boolean thorough = "long".equals(System.getProperty("laws"));
    return RegressionLaws.all(() -> Avm.regressor().build(), thorough);
  }

  private static Learner secondOrder(Loss loss) {
    return Avm.learner(
        SecondOrderConfig.builder(Task.REGRESSION)
            .kernel(new Gaussian(0.5))
            .loss(loss)
            .skip(0.2)
            .novelty(1e-3)
            .budget(60)
            .build());
  }

  /** The unit of targets does not matter if the loss's parameter has the same. */
  @Test
  void secondOrderScalesWithItsTargets() {
    for (LossKind kind : LossKind.values()) {
      if (!kind.loss().forClassification()) {
        for (double unit : new double[] {1e-12, 7, 1e12}) {
          double usual = 0.2 * kind.defaultValue();
          RegressionLaws.equivariant(u -> secondOrder(kind.loss(usual * u)), unit, 0);
        }
      }
    }
  }

  /** The paper's step 1/(λt) has a unit: its predictions do not scale with absolute targets. */
  @Test
  void thePapersDoesNot() {
    DoubleFunction<Learner> paper =
        unit ->
            Avm.paperRegressor()
                .loss(new AbsoluteLoss())
                .gamma(0.5)
                .delta(0.5)
                .lambda(0.01)
                .build();
    assertThrows(AssertionError.class, () -> RegressionLaws.equivariant(paper, 1e6, 0));
  }

  @Test
  void robustLossesLearnTargetsOfAnySize() {
    for (double unit : new double[] {1, 1e6, 1e-6}) {
      Learner learner = Avm.regressor().loss(new AbsoluteLoss()).build();
      Random random = new Random(1);
      double errors = 0;
      for (int t = 0; t < 3000; t++) {
        double[] x = {random.nextGaussian(), random.nextGaussian()};
        double y = Math.sin(2 * x[0]) + x[1] + 0.1 * random.nextGaussian();
        double miss = learner.predictThenLearn(FeatureVector.dense(x), unit * y, 1) / unit - y;
        errors += t < 2000 ? 0 : miss * miss / 1000;
      }
      assertTrue(Math.sqrt(errors) < 0.15, "targets of size " + unit + ": " + Math.sqrt(errors));
    }
  }

  @Test
  void theFirstPredictionsAreTheMean() {
    Learner learner = Avm.regressor().build();
    learner.learn(new double[] {1, 2}, 200_000);
    assertEquals(200_000, learner.predict(new double[] {3, 4}), 1e-6);
  }

  /** Scaled features have no unit: powers of two leave every prediction as it is. */
  @Test
  void featuresTimesPowersOfTwoLeaveClassificationAlone() {
    double[] plain = classes(1, 1);
    assertArrayEquals(plain, classes(0x1p60, 0x1p-60));
    assertArrayEquals(plain, classes(0x1p-400, 0x1p300));
  }

  private static double[] classes(double first, double second) {
    Learner learner =
        Avm.classifier().scaling(ScalingMode.STANDARD).estimation(200).budget(60).build();
    Random random = new Random(3);
    double[] predictions = new double[600];
    for (int t = 0; t < predictions.length; t++) {
      double a = random.nextGaussian();
      double b = random.nextGaussian();
      FeatureVector x = FeatureVector.dense(first * a, second * b);
      predictions[t] = learner.predictThenLearn(x, a * b > 0 ? 1 : 0, 1);
    }
    return predictions;
  }

  /** A feature that first comes after the estimation is scaled as the others are. */
  @Test
  void newSparseFeaturesDoNotSilenceTheOthers() {
    Learner learner = Avm.classifier().labels(0, 1).estimation(300).build();
    Random random = new Random(4);
    for (int t = 0; t < 2000; t++) {
      double a = 100 * random.nextGaussian();
      double b = 100 * random.nextGaussian();
      learner.learn(FeatureVector.sparse(new int[] {0, 1}, new double[] {a, b}), a > 0 ? 1 : 0, 1);
    }
    double[] without = new double[2];
    double[] with = new double[2];
    learner.probabilities(FeatureVector.sparse(new int[] {0, 1}, new double[] {120, 5}), without);
    learner.probabilities(
        FeatureVector.sparse(new int[] {0, 1, 2}, new double[] {120, 5, 5}), with);
    assertTrue(without[1] > 0.9, "p = " + without[1]);
    assertEquals(without[1], with[1], 0.02);
  }

  @Test
  void weightsCountInTheChoiceOfTheKernel() {
    double without = gamma(1e-6);
    double with = gamma(1000);
    assertTrue(1.5 * without < with, "gamma " + without + ", and " + with + " where waves count");
  }

  /** γ found on a stream that is smooth at left and wavy at right, of another weight. */
  private static double gamma(double weight) {
    Learner learner = Avm.regressor().estimation(300).build();
    Random random = new Random(6);
    for (int t = 0; t < 300; t++) {
      double x = 2 * random.nextDouble() - 1;
      double y = x < 0.8 ? x : Math.sin(40 * x);
      learner.learn(FeatureVector.dense(x), y, x < 0.8 ? 1 : weight);
    }
    return learner.config().kernel().gamma();
  }
}
