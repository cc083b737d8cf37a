// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.Bounds;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.feature.Schema;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import io.github.avm4j.pipeline.RowLearner;
import java.util.Map;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of features beyond what was learned. */
class FarFeaturesTest {
  private static double target(double x) {
    return 3 * x + 5 * Math.sin(x);
  }

  /** The root mean squared error over the last sixth of 6,000 rows. */
  private static double error(ScalingMode scaling, Random random, IntToDoubleFunction feature) {
    AutoLearner learner = Avm.regressor().scaling(scaling).cells(0).budget(128).build();
    double sum = 0;
    for (int i = 0; i < 6000; i++) {
      double x = feature.applyAsDouble(i);
      double y = target(x) + 0.5 * random.nextGaussian();
      double[] row = {x, random.nextGaussian()};
      double miss = learner.predictThenLearn(FeatureVector.dense(row), y, 1, new double[0]) - y;
      sum += i >= 5000 ? miss * miss : 0;
    }
    return Math.sqrt(sum / 1000);
  }

  /** As from winter to summer; the noise alone is 0.5. */
  @ParameterizedTest
  @EnumSource
  void aFeatureThatRisesSlowlyIsFollowed(ScalingMode scaling) {
    for (long seed = 1; seed <= 2; seed++) {
      Random random = new Random(seed);
      double error = error(scaling, random, i -> i / 200.0 + random.nextGaussian());
      assertTrue(error <= 1, "seed " + seed + ": " + error);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void aRangeThatBecomesThreeTimesAsWideIsFollowed(long seed) {
    Random random = new Random(seed);
    double error =
        error(ScalingMode.AUTOMATIC, random, i -> (i < 1000 ? 10 : 30) * random.nextDouble());
    assertTrue(error <= 0.8, "" + error);
  }

  private static AutoLearner learned(int rows) {
    AutoLearner learner = Avm.classifier().build();
    Random random = new Random(3);
    for (int i = 0; i < rows; i++) {
      double x = random.nextDouble();
      learner.learn(new double[] {x, random.nextDouble()}, x > 0.5 ? 1 : 0);
    }
    return learner;
  }

  private static double[] scores(Model model, double... x) {
    double[] scores = new double[2];
    model.scores(FeatureVector.dense(x), scores);
    return scores;
  }

  @Test
  void littleBeyondPassesThenIsCutThenCountsAsMissing() {
    Bounds bounds = learned(1200).bounds();
    double width = bounds.highest(1) - bounds.lowest(1);
    double end = bounds.highest(1) + 0.1 * width;
    assertEquals(0.1 * width, bounds.slack(1), 1e-12);
    assertEquals(end - 0.01, bounds.apply(1, end - 0.01));
    assertEquals(end, bounds.apply(1, end + 0.3), 1e-12);
    assertEquals(bounds.mean(1), bounds.apply(1, end + 0.5));
    assertEquals(bounds.mean(1), bounds.apply(1, -1e9));
    assertEquals(0.5, bounds.mean(1), 0.05);
    assertEquals(Double.NEGATIVE_INFINITY, bounds.apply(1, Double.NEGATIVE_INFINITY));
    assertEquals(7, bounds.apply(2, 7), "a feature that was never met");
  }

  @Test
  void modelLearnerAndFileSeeTheSame() throws InvalidModelException {
    AutoLearner learner = learned(1200);
    learner.learn(new double[] {0.7, 40}, 1);
    Model model = learner.snapshot();
    AutoLearner read = (AutoLearner) Learner.fromBytes(learner.toBytes());
    assertEquals(1, read.bounds().cut(1));
    for (double far : new double[] {1.05, 1.3, 2, 50, -3e9}) {
      double[] expected = new double[2];
      learner.scores(FeatureVector.dense(0.2, far), expected);
      assertArrayEquals(expected, scores(model, 0.2, far), 1e-12);
      double[] again = new double[2];
      read.scores(FeatureVector.dense(0.2, far), again);
      assertArrayEquals(expected, again);
    }
    double mean = learner.bounds().mean(1);
    assertArrayEquals(scores(model, 0.2, mean), scores(model, 0.2, 1e6));
    for (int i = 0; i < 50; i++) {
      double[] x = {0.3, 3 * i};
      assertEquals(learner.predict(x), read.predict(x));
      learner.learn(x, i % 2);
      read.learn(x, i % 2);
    }
    assertArrayEquals(learner.toBytes(), read.toBytes());
  }

  /** One wrong reading widens its range by half; what comes again is followed. */
  @Test
  void oneWrongReadingIsNotARange() {
    AutoLearner learner = learned(1200);
    double before = learner.bounds().highest(1);
    learner.learn(new double[] {0.7, 1e12}, 1);
    assertEquals(1.5 * before, learner.bounds().highest(1), 0.01);
    learner.learn(new double[] {0.7, 0.5}, 1);
    learner.learn(new double[] {0.7, 1000}, 1);
    learner.learn(new double[] {0.7, 1001}, 1);
    assertEquals(1001, learner.bounds().highest(1));
    assertEquals(3, learner.bounds().cut(1));
    assertEquals(0, learner.bounds().cut(0));
  }

  @Test
  void aRefusedRowLeavesTheRangesAsTheyAre() {
    AutoLearner learner = learned(300);
    double before = learner.bounds().highest(1);
    double[] row = {0.5, 1.05};
    assertThrows(IllegalArgumentException.class, () -> learner.learn(row, Double.NaN));
    learner.learn(FeatureVector.dense(row), 1, 0);
    assertEquals(before, learner.bounds().highest(1));
  }

  @Test
  void countsAreReadByColumn() {
    Schema schema = Schema.builder().category("city").number("age").number("height").build();
    RowLearner learner = RowLearner.classifier(schema).build();
    Random random = new Random(4);
    for (int i = 0; i < 300; i++) {
      int age = 20 + random.nextInt(50);
      Object height = i % 100 == 99 ? 30 : 1.5 + 0.4 * random.nextDouble();
      learner.learn(Map.of("city", "Oslo", "age", age, "height", height), age > 40);
    }
    assertEquals(Map.of("height", 3L), learner.beyond());
  }

  /** A row in sparse form is bounded as its dense form: what it leaves out is 0. */
  @Test
  void theFormOfARowDoesNotMatter() {
    AutoLearner learner = Avm.classifier().build();
    Random random = new Random(6);
    for (int i = 0; i < 400; i++) {
      double x = random.nextDouble();
      learner.learn(new double[] {x, 50 + random.nextDouble()}, x > 0.5 ? 1 : 0);
    }
    FeatureVector listed = FeatureVector.sparse(new int[] {0}, new double[] {0.2});
    FeatureVector full = FeatureVector.dense(0.2, 0);
    assertEquals(learner.score(full), learner.score(listed));
    Model model = learner.snapshot();
    assertEquals(model.score(full), model.score(listed));
    assertEquals(learner.bounds().mean(1), learner.bounds().apply(listed).get(1));
  }

  /** Sparse vectors: absent features are 0, which is within each range. */
  @Test
  void sparseFeaturesAreBoundedToo() {
    AutoLearner learner = Avm.classifier().build();
    Random random = new Random(5);
    for (int i = 0; i < 400; i++) {
      int j = random.nextInt(30);
      double[] values = {1 + random.nextDouble(), 1};
      learner.learn(FeatureVector.sparse(new int[] {j, 100}, values), j % 2, 1);
    }
    Bounds bounds = learner.bounds();
    assertEquals(0, bounds.lowest(3));
    FeatureVector far =
        bounds.apply(FeatureVector.sparse(new int[] {100, 200}, new double[] {99, 9}));
    assertArrayEquals(new double[] {1, 9}, far.values());
  }
}
