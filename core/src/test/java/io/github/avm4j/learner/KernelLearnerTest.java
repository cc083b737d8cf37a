// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.kernel.Laplacian;
import io.github.avm4j.loss.EpsilonInsensitive;
import io.github.avm4j.loss.Logistic;
import io.github.avm4j.loss.SmoothHinge;
import io.github.avm4j.loss.SquaredLoss;
import io.github.avm4j.model.Model;
import io.github.avm4j.paper.Bernoulli;
import io.github.avm4j.paper.Confidence;
import io.github.avm4j.paper.Hyperrectangle;
import io.github.avm4j.paper.Never;
import io.github.avm4j.paper.SuffixAverage;
import io.github.avm4j.paper.UniformAverage;
import io.github.avm4j.paper.WhenFull;
import io.github.avm4j.testing.Streams;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class KernelLearnerTest {
  private static AvmConfig.Builder<KernelLearner> classifier() {
    return Avm.paperClassifier().gamma(0.5).delta(1).lambda(0.1);
  }

  private static AvmConfig.Builder<KernelLearner> regressor() {
    return Avm.paperRegressor().gamma(0.5).delta(1).lambda(0.1);
  }

  private static void refuses(String message, Executable action) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, action).getMessage());
  }

  @Test
  void answersBeforeLearning() {
    assertEquals(0, regressor().build().predict(1, 2));
    assertTrue(Double.isNaN(classifier().build().predict(1, 2)));
    assertEquals(4, classifier().labels(4, 5, 6).build().predict(1, 2));
    Model model = classifier().labels(4, 5, 6).build().snapshot();
    assertEquals(4, model.predict(1, 2));
    assertEquals(3, model.columns());
  }

  @Test
  void twoStepsByHand() {
    KernelLearner learner = classifier().labels(-1, 1).build();
    learner.learn(new double[] {0}, 1);
    // α = −1, w_2 = 1/λ·Φ(0)
    assertEquals(10, learner.score(FeatureVector.dense(0)), 1e-14);
    assertEquals(1, learner.size());
    learner.learn(new double[] {0.4}, -1);
    // f = 10·k > 0, so α = +1; 0.4 lies in the cell of 0: w_3 = ½·10 − ½·10 = 0.
    assertEquals(1, learner.size());
    assertEquals(1, learner.cells());
    assertEquals(0, learner.score(FeatureVector.dense(0)), 1e-14);
    assertEquals(2, learner.instances());
  }

  @Test
  void aWeightMultipliesTheGradient() {
    Learner learner = classifier().labels(-1, 1).build();
    learner.learn(FeatureVector.dense(0), 1, 2.5);
    assertEquals(25, learner.score(FeatureVector.dense(0)), 1e-13);
    byte[] before = learner.toBytes();
    learner.learn(FeatureVector.dense(7), 3, 0);
    assertArrayEquals(before, learner.toBytes());
  }

  @Test
  void theThirdClassSplitsTheMargin() {
    for (boolean averaged : new boolean[] {false, true}) {
      AvmConfig.Builder<KernelLearner> builder = classifier().loss(new Logistic());
      Learner learner = (averaged ? builder.output(new UniformAverage()) : builder).build();
      Random random = new Random(18);
      for (int i = 0; i < 50; i++) {
        learner.learn(new double[] {random.nextGaussian()}, i % 2);
      }
      FeatureVector x = FeatureVector.dense(0.3);
      double[] two = new double[2];
      learner.scores(x, two);
      double f = learner.score(x);
      assertEquals(f / 2, two[1], 1e-15);
      // Far away, so that nothing but the new class and the decay touches x.
      learner.learn(new double[] {1e3}, 2);
      double[] three = new double[3];
      learner.scores(x, three);
      assertEquals(3, learner.classes());
      assertEquals(2, learner.label(2));
      if (!averaged) {
        double decay = 50 / 51.0;
        assertArrayEquals(new double[] {-f / 2 * decay, f / 2 * decay, 0}, three, 1e-13);
      } else {
        assertEquals(0, three[0] + three[1], 1e-13);
        assertEquals(0, three[2], 1e-15);
      }
      assertEquals(learner.predict(x), learner.snapshot().predict(x));
    }
  }

  @Test
  void anAverageOfManyProjectedStepsKeepsItsDigits() {
    // With the squared loss and a small λ nearly every early step is projected.
    for (double lambda : new double[] {1e-2, 1e-3, 1e-4}) {
      AvmConfig.Builder<KernelLearner> builder =
          regressor().loss(new SquaredLoss()).delta(0.5).lambda(lambda);
      Learner last = builder.build();
      Learner average = builder.output(new UniformAverage()).build();
      Random random = new Random(19);
      FeatureVector probe = FeatureVector.dense(0.3, 0.3);
      double sum = 0;
      for (int t = 1; t <= 2_000; t++) {
        sum += last.score(probe);
        double[] x = {random.nextGaussian(), random.nextGaussian()};
        double y = Math.sin(x[0]) + 0.1 * random.nextGaussian();
        last.learn(x, y);
        average.learn(x, y);
        assertEquals(sum / t, average.score(probe), 1e-9, "lambda " + lambda + " step " + t);
      }
    }
  }

  @Test
  void theProjectionKeepsTheBall() {
    KernelLearner learner = regressor().loss(new SquaredLoss()).lambda(0.01).build();
    Random random = new Random(20);
    for (int t = 0; t < 300; t++) {
      learner.learn(new double[] {3 * random.nextDouble()}, 2 * random.nextDouble() - 1);
      double norm = 0;
      Model model = learner.snapshot();
      for (int i = 0; i < model.size(); i++) {
        norm += model.coefficient(0, i) * model.score(model.corePoint(i));
      }
      assertEquals(norm, learner.squaredNorm(), 1e-7);
      assertTrue(norm <= 1 / 0.01 + 1e-9);
    }
    KernelLearner other = regressor().build();
    assertThrows(IllegalStateException.class, other::squaredNorm);
    KernelLearner steep = regressor().loss(new SquaredLoss()).lambda(2).build();
    assertThrows(IllegalStateException.class, steep::squaredNorm);
  }

  @Test
  void budgets() {
    KernelLearner absorbing = classifier().budget(2).build();
    KernelLearner refusing = classifier().budget(2).whenFull(WhenFull.REFUSE).build();
    for (double x : new double[] {0, 10, 20, 30, 10.1}) {
      absorbing.learn(new double[] {x}, x > 15 ? 1 : 0);
      refusing.learn(new double[] {x}, x > 15 ? 1 : 0);
    }
    assertEquals(2, absorbing.size());
    assertEquals(2, absorbing.absorbed());
    assertEquals(0, absorbing.refused());
    assertEquals(2, refusing.size());
    assertEquals(0, refusing.absorbed());
    assertEquals(2, refusing.refused());
    assertEquals(5, refusing.instances());
    assertNotEquals(absorbing.snapshot().coefficient(0, 1), refusing.snapshot().coefficient(0, 1));
  }

  @Test
  void neverKeepsEverySupportVector() {
    KernelLearner learner = classifier().approximation(new Never()).build();
    learner.learn(new double[] {0}, 0);
    learner.learn(new double[] {0.1}, 1);
    learner.learn(new double[] {0.2}, 0);
    assertEquals(3, learner.size());
    assertEquals(0, learner.cells());
    // Beyond the margin: no gradient, no support vector.
    learner.learn(new double[] {0.2}, 0);
    long size = learner.size();
    learner.learn(new double[] {0.2}, 0);
    assertTrue(learner.size() <= size + 1);
  }

  @Test
  void vectorsAreChecked() {
    Learner learner = classifier().build();
    refuses("x has no features", () -> learner.learn(new double[0], 1));
    refuses("y must be finite, was NaN", () -> learner.learn(new double[] {1}, Double.NaN));
    refuses(
        "weight must be in [0, 1e12], was -1.0",
        () -> learner.learn(FeatureVector.dense(1), 1, -1));
    refuses(
        "weight must be in [0, 1e12], was Infinity",
        () -> learner.learn(FeatureVector.dense(1), 1, Double.POSITIVE_INFINITY));
    String nan =
        assertThrows(
                IllegalArgumentException.class, () -> learner.learn(new double[] {Double.NaN}, 1))
            .getMessage();
    assertTrue(nan.startsWith("feature 0 is NaN"), nan);
    assertEquals(0, learner.instances());
    assertEquals(0, learner.classes());
    learner.learn(new double[] {1, 2}, 1);
    refuses("x has 1 features, this model has 2", () -> learner.learn(new double[] {1}, 1));
    refuses("x has 3 features, this model has 2", () -> learner.predict(1, 2, 3));
    refuses(
        "x has feature 2, this model has features 0..1",
        () -> learner.predict(FeatureVector.sparse(new int[] {2}, new double[] {1})));
    Learner bounded = regressor().yMax(3).build();
    refuses("y must be within ±3.0, was -3.5", () -> bounded.learn(new double[] {1}, -3.5));
    Learner automatic = Avm.regressor().build();
    for (double y : new double[] {1.1e100, -1e150}) {
      refuses("y must be within ±1e100, was " + y, () -> automatic.learn(new double[] {1}, y));
    }
    assertEquals(0, automatic.instances());
    Learner fixed = classifier().features(3).build();
    refuses("x has 2 features, this model has 3", () -> fixed.learn(new double[] {1, 2}, 1));
    Learner boxes = classifier().coverage(new Hyperrectangle(1)).build();
    refuses(
        "a hyperrectangle's side is delta/sqrt(d): set features(d) to learn from sparse vectors",
        () -> boxes.learn(FeatureVector.sparse(new int[] {2}, new double[] {1}), 1));
  }

  @Test
  void sparseAndDenseLearnTheSame() {
    Random random = new Random(21);
    Learner dense = classifier().features(6).build();
    Learner sparse = classifier().features(6).build();
    Learner open = classifier().build();
    for (int t = 0; t < 400; t++) {
      double[] x = new double[6];
      int j = random.nextInt(5);
      x[j] = 3 * random.nextGaussian();
      x[j + 1] = random.nextInt(2);
      int[] indices = {j, j + 1};
      double[] values = {x[j], x[j + 1]};
      FeatureVector view = FeatureVector.sparse(indices, values);
      if (t > 0) {
        double expected = dense.score(FeatureVector.dense(x));
        assertEquals(expected, sparse.score(view), 1e-9);
        assertEquals(expected, open.score(view), 1e-9);
      }
      dense.learn(x, t % 3);
      sparse.learn(view, t % 3);
      open.learn(view, t % 3);
    }
    assertEquals(dense.size(), open.size());
  }

  @Test
  void aSparseStreamMayOutgrowItsTiles() {
    Learner learner = classifier().delta(0.5).build();
    Random random = new Random(22);
    List<FeatureVector> seen = new ArrayList<>();
    for (int t = 0; t < 60; t++) {
      int first = t < 30 ? random.nextInt(100) : random.nextInt(1_000_000);
      FeatureVector x =
          FeatureVector.sparse(new int[] {first, first + 7}, new double[] {1, random.nextDouble()});
      seen.add(x);
      learner.learn(x, t % 2);
    }
    assertTrue(learner.size() > 50);
    assertTrue(learner.snapshot().dimension() > 2048);
    for (FeatureVector x : seen) {
      assertEquals(learner.score(x), learner.snapshot().score(x), 1e-12);
    }
  }

  /** Every knob changes what is learned from one stream. */
  @Test
  void everyParameterMatters() {
    List<UnaryOperator<AvmConfig.Builder<KernelLearner>>> changes =
        List.of(
            b -> b.gamma(0.6),
            b -> b.kernel(new Laplacian(0.5)),
            b -> b.delta(0.5),
            b -> b.coverage(new Hyperrectangle(0.8)),
            b -> b.lambda(0.2),
            b -> b.loss(new Logistic()),
            b -> b.loss(new SmoothHinge(0.5)),
            b -> b.approximation(new Never()),
            b -> b.approximation(new Confidence()).loss(new Logistic()),
            b -> b.approximation(new Bernoulli(3, 0.5)),
            b -> b.approximation(new Bernoulli(4, 0.5)),
            b -> b.approximation(new Bernoulli(3, 0.6)),
            b -> b.approximation(new Bernoulli(3, 0.5)).seed(2),
            b -> b.output(new UniformAverage()),
            b -> b.output(new SuffixAverage(0.5, 100)),
            b -> b.output(new SuffixAverage(0.3, 100)),
            b -> b.output(new SuffixAverage(0.5, 0)),
            b -> b.budget(3),
            b -> b.budget(3).whenFull(WhenFull.REFUSE),
            b -> b.labels(0, 1, 2));
    List<Double> scores = new ArrayList<>();
    scores.add(run(classifier()));
    for (UnaryOperator<AvmConfig.Builder<KernelLearner>> change : changes) {
      scores.add(run(change.apply(classifier())));
    }
    assertEquals(scores.size(), scores.stream().distinct().count(), scores.toString());
    assertNotEquals(
        run(regressor().loss(new EpsilonInsensitive(0.1))),
        run(regressor().loss(new EpsilonInsensitive(0.7))));
    assertNotEquals(
        run(regressor().loss(new SquaredLoss())), run(regressor().loss(new SquaredLoss()).yMax(9)));
    assertEquals(run(classifier()), run(classifier()));
  }

  private static double run(AvmConfig.Builder<KernelLearner> builder) {
    Learner learner = builder.build();
    for (double[] x : Streams.gaussian(23, 100, 2)) {
      learner.learn(new double[] {2 * x[0], 2 * x[1]}, 4 * x[0] * x[1] > 0.3 ? 1 : 0);
    }
    return learner.snapshot().score(FeatureVector.dense(0.4, 0.9));
  }
}
