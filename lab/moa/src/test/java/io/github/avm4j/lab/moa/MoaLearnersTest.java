// Copyright avm4j contributors. SPDX-License-Identifier: GPL-3.0-or-later
package io.github.avm4j.lab.moa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.lab.baselines.LearnerProvider;
import io.github.avm4j.lab.baselines.StreamHeader;
import io.github.avm4j.lab.baselines.StreamHeader.Attribute;
import io.github.avm4j.learner.OnlineLearner;
import io.github.avm4j.model.Interval;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** MOA's learners behind avm4j's interface. */
class MoaLearnersTest {
  private static final int ROWS = 600;
  private static final List<Attribute> ATTRIBUTES =
      List.of(
          Attribute.number("number"),
          new Attribute("colour", List.of("red", "green", "blue")),
          Attribute.number("noise"));
  private static final StreamHeader CLASSES =
      new StreamHeader(Task.CLASSIFICATION, ATTRIBUTES, List.of(-1.0, 7.0, 3.0));
  private static final StreamHeader NUMBERS =
      new StreamHeader(
          Task.REGRESSION,
          List.of(Attribute.number("a"), Attribute.number("b"), Attribute.number("c")),
          List.of());

  private static final MoaLearners MOA = new MoaLearners();

  static List<String> classifiers() {
    return MOA.names(Task.CLASSIFICATION);
  }

  static List<String> regressors() {
    return MOA.names(Task.REGRESSION);
  }

  private static FeatureVector row(Random random) {
    return FeatureVector.dense(
        new double[] {random.nextDouble(), random.nextInt(3), random.nextDouble()});
  }

  /** Blue is 3; otherwise the number decides. */
  private static double label(FeatureVector x) {
    return x.get(1) == 2 ? 3 : x.get(0) > 0.5 ? 7 : -1;
  }

  @ParameterizedTest
  @MethodSource("classifiers")
  void aClassifierLearns(String name) {
    OnlineLearner learner = MOA.create(name, CLASSES, 1);
    assertEquals(3, learner.classes());
    assertEquals(7, learner.label(1));
    Random random = new Random(1);
    int rows = ROWS / 2;
    int wrong = 0;
    for (int i = 0; i < rows; i++) {
      FeatureVector x = row(random);
      boolean late = i >= rows / 2;
      wrong += learner.predictThenLearn(x, label(x), 1) != label(x) && late ? 1 : 0;
    }
    assertEquals(rows, learner.instances());
    assertTrue(wrong < rows / 2 / 3, name + " makes " + wrong + " mistakes in the second half");
  }

  @ParameterizedTest
  @MethodSource("regressors")
  void aRegressorLearns(String name) {
    OnlineLearner learner = MOA.create(name, NUMBERS, 1);
    Random random = new Random(1);
    double squares = 0;
    for (int i = 0; i < ROWS; i++) {
      FeatureVector x = row(random);
      double y = 10 + 4 * x.get(0) - 2 * x.get(1);
      double miss = learner.predictThenLearn(x, y, 1) - y;
      squares += i >= ROWS / 2 ? miss * miss : 0;
    }
    double error = Math.sqrt(squares / (ROWS / 2));
    // The deviation of y is 2.0.
    assertTrue(error < 1.8, name + " has a root mean squared error of " + error);
  }

  /** Labels of coins: who saw them before predicting would know them. */
  @ParameterizedTest
  @MethodSource("classifiers")
  void predictionsAreMadeBeforeLearning(String name) {
    OnlineLearner one = MOA.create(name, CLASSES, 1);
    OnlineLearner two = MOA.create(name, CLASSES, 1);
    Random random = new Random(2);
    double[] scores = new double[3];
    int right = 0;
    int rows = 40;
    for (int i = 0; i < rows; i++) {
      FeatureVector x = row(random);
      double y = CLASSES.labels().get(random.nextInt(3));
      double before = two.predict(x);
      two.learn(x, y, 1);
      double answer = one.predictThenLearn(x, y, 1, scores);
      assertEquals(before, answer, name + " row " + i);
      assertEquals(answer, one.label(largest(scores)), name + " row " + i);
      right += answer == y ? 1 : 0;
    }
    assertTrue(right < rows * 2 / 3, name + " guesses " + right + " of " + rows + " coins");
  }

  private static int largest(double[] scores) {
    int best = 0;
    for (int j = 1; j < scores.length; j++) {
      best = scores[j] > scores[best] ? j : best;
    }
    return best;
  }

  @Test
  void theProviderIsFoundAtRunTime() {
    List<LearnerProvider> found = LearnerProvider.found();
    assertEquals(1, found.size());
    assertTrue(found.get(0).library().startsWith("MOA"), found.get(0).library());
    assertEquals("EFDT", found.get(0).title("moa-efdt"));
  }

  @Test
  void whatDoesNotFitIsRefused() {
    OnlineLearner learner = MOA.create("moa-efdt", CLASSES, 1);
    FeatureVector x = row(new Random(1));
    assertThrows(IllegalArgumentException.class, () -> learner.learn(x, 99, 1));
    assertThrows(IllegalArgumentException.class, () -> learner.learn(x, 7, -1));
    assertThrows(
        IllegalArgumentException.class,
        () -> learner.predict(FeatureVector.dense(new double[] {1, 2, 3, 4})));
    learner.learn(x, 7, 0);
    assertEquals(0, learner.instances());
    assertThrows(IllegalArgumentException.class, () -> MOA.create("moa-efdt", NUMBERS, 1));
    assertThrows(IllegalArgumentException.class, () -> MOA.create("avm", CLASSES, 1));
  }

  static List<String> intervals() {
    return MOA.intervalNames();
  }

  @ParameterizedTest
  @MethodSource("intervals")
  void intervalsHoldMostTargets(String name) {
    OnlineLearner learner = MOA.createIntervals(name, NUMBERS, 0.9, 1);
    Random random = new Random(2);
    int held = 0;
    for (int i = 0; i < ROWS; i++) {
      FeatureVector x = row(random);
      double y = x.get(0) + 0.1 * random.nextGaussian();
      if (i >= ROWS / 2) {
        Interval interval = learner.interval(x, 0.9);
        held += interval.contains(y) ? 1 : 0;
        assertEquals(learner.predict(x), (interval.lower() + interval.upper()) / 2, 1e-9);
      }
      learner.learn(x, y);
    }
    assertTrue(held > 0.8 * ROWS / 2, name + " held " + held);
    assertThrows(
        IllegalArgumentException.class, () -> learner.interval(FeatureVector.dense(1, 1, 1), 0.8));
  }

  @Test
  void intervalsAreOfARegression() {
    assertThrows(
        IllegalArgumentException.class, () -> MOA.createIntervals("moa-mve", CLASSES, 0.9, 1));
    assertThrows(
        IllegalArgumentException.class, () -> MOA.createIntervals("moa-no", NUMBERS, 0.9, 1));
  }
}
