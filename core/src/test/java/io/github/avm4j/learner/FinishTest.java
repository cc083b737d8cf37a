// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.loss.AbsoluteLoss;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import io.github.avm4j.testing.Streams;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A short stream that has ended is fitted at once, and learning goes on as if it had not been. */
class FinishTest {
  private static FeatureVector spiral(Random random, int label) {
    double turn = Math.sqrt(random.nextDouble()) * 6 * Math.PI;
    double angle = turn + label * Math.PI;
    return FeatureVector.dense(
        turn * Math.cos(angle) + 0.2 * random.nextGaussian(),
        turn * Math.sin(angle) + 0.2 * random.nextGaussian());
  }

  private static int mistakes(Model model, Random random) {
    int mistakes = 0;
    for (int i = 0; i < 2000; i++) {
      mistakes += model.predict(spiral(random, i % 2)) == i % 2 ? 0 : 1;
    }
    return mistakes;
  }

  /** Three turns each: an online pass finds no γ for them. */
  @Test
  void twoSpirals() {
    AutoLearner learner = Avm.classifier().build();
    Random random = new Random(1);
    for (int i = 0; i < 400; i++) {
      learner.learn(spiral(random, i % 2), i % 2, 1);
    }
    int online = mistakes(learner.snapshot(), random);
    learner.finish();
    Model model = learner.snapshot();
    int finished = mistakes(model, random);
    assertTrue(online > 100, online + " mistakes of 2000: a test that is too easy");
    assertTrue(finished < 40, finished + " mistakes of 2000");
    assertTrue(learner.isFitted());
    assertEquals(400, model.size());
    assertEquals(400, model.provenance().instances());
  }

  private static double target(FeatureVector x, boolean regression) {
    double f = Math.sin(2 * x.get(0)) + x.get(1);
    return regression ? f : Math.floor(f);
  }

  private static List<FeatureVector> rows(long seed, int rows, boolean sparse) {
    return Streams.gaussian(seed, rows, 3).stream()
        .map(x -> sparse ? FeatureVector.sparse(new int[] {0, 1, 5}, x) : FeatureVector.dense(x))
        .toList();
  }

  private static AutoLearner taught(boolean regression, boolean sparse, int rows) {
    AutoLearner learner = regression ? Avm.regressor().build() : Avm.classifier().build();
    for (FeatureVector x : rows(2, rows, sparse)) {
      learner.learn(x, target(x, regression), 1 + learner.instances() % 2);
    }
    return learner;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void modelFileAndLearnerPredictTheSameAndLearningGoesOnAsIfNothingHadBeen(int kind)
      throws InvalidModelException {
    boolean regression = kind % 2 == 1;
    boolean sparse = kind > 1;
    AutoLearner finished = taught(regression, sparse, 120);
    AutoLearner other = taught(regression, sparse, 120);
    finished.finish();
    assertTrue(finished.isFitted());
    byte[] file = finished.toBytes();
    Model snapshot = finished.snapshot();
    Model model = Avm.modelFromBytes(file);
    Learner restored = Learner.fromBytes(file);
    assertArrayEquals(file, restored.toBytes());
    assertEquals(file.length, finished.modelBytes(), Math.max(1024, 0.02 * file.length));
    double[] scores = new double[Math.max(1, finished.classes())];
    double[] expected = new double[scores.length];
    for (FeatureVector x : rows(3, 300, sparse)) {
      double prediction = finished.predict(x);
      assertEquals(prediction, snapshot.predict(x));
      assertEquals(prediction, model.predict(x));
      assertEquals(prediction, restored.predict(x));
      assertEquals(finished.score(x), model.score(x));
      finished.scores(x, expected);
      restored.scores(x, scores);
      assertArrayEquals(expected, scores);
    }
    for (FeatureVector x : rows(4, 300, sparse)) {
      double y = target(x, regression);
      double prediction = other.predictThenLearn(x, y, 1);
      assertEquals(prediction, finished.predictThenLearn(x, y, 1));
      assertEquals(prediction, restored.predictThenLearn(x, y, 1));
    }
    assertFalse(finished.isFitted());
    assertArrayEquals(other.toBytes(), finished.toBytes());
    assertArrayEquals(other.toBytes(), restored.toBytes());
  }

  @Test
  void predictionsFollowUnitAndOriginOfTheTarget() {
    AutoLearner plain = Avm.regressor().build();
    AutoLearner moved = Avm.regressor().build();
    for (FeatureVector x : rows(5, 100, false)) {
      double y = target(x, true);
      plain.learn(x, y, 1);
      moved.learn(x, 1000 + 50 * y, 1);
    }
    plain.finish();
    moved.finish();
    for (FeatureVector x : rows(7, 50, false)) {
      assertEquals(1000 + 50 * plain.predict(x), moved.predict(x), 1e-4);
    }
  }

  @Test
  void oneWrongReadingIsNotFollowed() {
    AutoLearner learner = Avm.regressor().build();
    for (FeatureVector x : rows(6, 200, false)) {
      learner.learn(x, learner.instances() == 77 ? 1e12 : target(x, true), 1);
    }
    learner.finish();
    double worst = 0;
    for (FeatureVector x : rows(8, 100, false)) {
      worst = Math.max(worst, Math.abs(learner.predict(x)));
    }
    assertTrue(worst < 100, "predicts " + worst);
  }

  @Test
  void itStaysAsItIsWhereAFitIsNotPossible() {
    AutoLearner few = taught(false, false, 19);
    few.finish();
    assertFalse(few.isFitted());
    AutoLearner many = taught(true, false, 600);
    many.finish();
    assertFalse(many.isFitted());
    AutoLearner settled = taught(true, false, 1001);
    settled.finish();
    assertFalse(settled.isFitted());
    AutoLearner oneClass = Avm.classifier().build();
    AutoLearner bounded = Avm.classifier().memory(1 << 20).build();
    AutoLearner robust = Avm.regressor().loss(new AbsoluteLoss()).build();
    AutoLearner extreme = Avm.regressor().build();
    for (double[] x : Streams.uniform(1, 40, 3)) {
      long i = oneClass.instances();
      oneClass.learn(x, 1);
      bounded.learn(x, i % 2);
      robust.learn(x, i);
      extreme.learn(FeatureVector.dense(1e150 * x[0]), 1e100 * (i % 2), 1e-300);
    }
    oneClass.finish();
    bounded.finish();
    robust.finish();
    extreme.finish();
    assertFalse(oneClass.isFitted() || bounded.isFitted() || robust.isFitted());
    assertTrue(Double.isFinite(extreme.predict(FeatureVector.dense(1))));
  }

  /** A learner whose stream changed stores the newest instances only. */
  @Test
  void afterARenewalNothingIsFitted() {
    AutoLearner learner = Avm.classifier().cells(0).build();
    Iterator<FeatureVector> stream = rows(9, 8000, false).iterator();
    int rows = 0;
    while (learner.renewals() == 0 && stream.hasNext()) {
      FeatureVector x = stream.next();
      learner.learn(x, x.get(0) > 0 == rows < 4000 ? 1 : 0, 1);
      rows++;
    }
    assertEquals(1, learner.renewals());
    assertTrue(learner.isEstimating());
    learner.finish();
    assertFalse(learner.isFitted());
    assertEquals(rows, learner.snapshot().provenance().instances());
  }
}
