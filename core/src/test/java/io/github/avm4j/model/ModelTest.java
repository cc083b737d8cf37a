// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.format.ModelFormat;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.loss.Logistic;
import io.github.avm4j.paper.UniformAverage;
import io.github.avm4j.testing.Streams;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class ModelTest {
  private static final Provenance HERE = Provenance.here(3);

  private static AvmConfig config() {
    return Avm.paperClassifier().gamma(0.5).delta(0.5).lambda(0.01).config();
  }

  private static CoreSet points(double... values) {
    CoreSet set = CoreSet.dense(1);
    for (double value : values) {
      set.append(FeatureVector.dense(value), true);
    }
    return set;
  }

  private static Model model(double[] labels, double[]... coefficients) {
    return new Model(config(), HERE, labels, points(0, 1), coefficients, Scaling.none(), 0);
  }

  private static void refuses(String message, Executable action) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, action).getMessage());
  }

  @Test
  void theExpansionByHand() {
    Model model = model(new double[] {7, 9}, new double[] {2, -3});
    double f = 2 * Math.exp(-0.5 * 0.09) - 3 * Math.exp(-0.5 * 0.49);
    FeatureVector x = FeatureVector.dense(0.3);
    assertEquals(f, model.score(x), 1e-14);
    assertEquals(7, model.predict(0.3));
    assertEquals(9, model.predict(-1.5));
    double[] scores = new double[2];
    model.scores(x, scores);
    assertArrayEquals(new double[] {-f / 2, f / 2}, scores, 1e-14);
    model.probabilities(x, scores);
    assertEquals(Logistic.probability(f), scores[1], 1e-14);
    assertEquals(1, scores[0] + scores[1], 1e-15);
    assertEquals(2, model.classes());
    assertEquals(2, model.size());
    assertEquals(1, model.dimension());
    assertEquals(1, model.columns());
    assertEquals(-3, model.coefficient(0, 1));
    assertEquals(1, model.corePoint(1).get(0));
    assertEquals(9, model.label(1));
    assertEquals(HERE, model.provenance());
    assertEquals(Task.CLASSIFICATION, model.task());
    assertTrue(model.toString().startsWith("Model[CLASSIFICATION, 2 core points, 1 features, Ga"));
    assertTrue(model.toString().endsWith(", " + HERE.instances() + " instances]"));
  }

  @Test
  void manyClassesByHand() {
    Model model =
        model(new double[] {1, 2, 3}, new double[] {1, 0}, new double[] {0, 1}, new double[2]);
    assertEquals(1, model.predict(0.2));
    assertEquals(2, model.predict(0.8));
    // A tie goes to the earliest class.
    assertEquals(1, model.predict(0.5));
    assertEquals(Math.exp(-0.02), model.score(FeatureVector.dense(0.2)), 1e-15);
    double[] out = new double[4];
    out[3] = 42;
    model.scores(FeatureVector.dense(0.2), out);
    assertArrayEquals(new double[] {Math.exp(-0.02), Math.exp(-0.32), 0, 42}, out, 1e-15);
  }

  @Test
  void zeroScoresGoToTheFirstClass() {
    Model model = model(new double[] {7, 9}, new double[2]);
    assertEquals(7, model.predict(0.5));
    double[] out = new double[2];
    model.probabilities(FeatureVector.dense(0.5), out);
    assertArrayEquals(new double[] {0.5, 0.5}, out);
  }

  @Test
  void oneClassAndNone() {
    assertEquals(7, model(new double[] {7}, new double[] {5, 5}).predict(0));
    assertTrue(Double.isNaN(model(new double[0], new double[2]).predict(0)));
    double[] out = new double[1];
    model(new double[] {7}, new double[] {5, 5}).probabilities(FeatureVector.dense(0), out);
    assertEquals(1, out[0]);
  }

  @Test
  void regressionAnswersWithNumbers() {
    AvmConfig config = Avm.paperRegressor().gamma(0.5).delta(0.5).lambda(0.01).config();
    Model model =
        new Model(
            config, HERE, new double[0], points(0), new double[][] {{-2.5}}, Scaling.none(), 0);
    assertEquals(-2.5, model.predict(0.0));
    assertEquals(-2.5, model.score(FeatureVector.dense(0)));
    double[] out = new double[1];
    model.scores(FeatureVector.dense(0), out);
    assertEquals(-2.5, out[0]);
    assertEquals(0, model.classes());
    String message =
        assertThrows(
                IllegalStateException.class,
                () -> model.probabilities(FeatureVector.dense(0), new double[1]))
            .getMessage();
    assertEquals("a regression model has no probabilities", message);
    refuses(
        "out must have room for 1 scores, had 0",
        () -> model.scores(FeatureVector.dense(0), new double[0]));
  }

  @Test
  void sizesMustFit() {
    refuses(
        "2 core points need as many coefficients, were 1",
        () -> model(new double[] {1, 2}, new double[1]));
    refuses(
        "2 labels need 1 columns, were 2",
        () -> model(new double[] {1, 2}, new double[2], new double[2]));
    refuses("3 labels need 3 columns, were 1", () -> model(new double[] {1, 2, 3}, new double[2]));
    refuses(
        "labels must be distinct, was 2.0 twice", () -> model(new double[] {2, 2}, new double[2]));
    AvmConfig regression = Avm.paperRegressor().gamma(1).delta(1).lambda(1).config();
    refuses(
        "a regression model has no labels, had 1",
        () ->
            new Model(
                regression,
                HERE,
                new double[] {1},
                points(0),
                new double[1][1],
                Scaling.none(),
                0));
    Model model = model(new double[] {1, 2}, new double[2]);
    refuses(
        "out must have room for 2 scores, had 1",
        () -> model.scores(FeatureVector.dense(0), new double[1]));
    refuses("x has 2 features, this model has 1", () -> model.predict(1, 2));
  }

  @Test
  void aSnapshotNeverChanges() {
    for (int classes : new int[] {2, 4}) {
      Learner learner =
          Avm.paperClassifier()
              .gamma(1)
              .delta(0.3)
              .lambda(0.01)
              .loss(new Logistic())
              .output(new UniformAverage())
              .build();
      double[][] xs = Streams.gaussian(14, 400, 2).toArray(double[][]::new);
      for (int i = 0; i < 100; i++) {
        learner.learn(xs[i], i % classes);
      }
      Model model = learner.snapshot();
      byte[] before = ModelFormat.write(model);
      double[] expected = new double[100];
      for (int i = 0; i < 100; i++) {
        expected[i] = model.score(FeatureVector.dense(xs[i]));
        assertEquals(expected[i], learner.score(FeatureVector.dense(xs[i])), 1e-12);
        assertEquals(learner.predict(xs[i]), model.predict(xs[i]));
      }
      for (int i = 100; i < 400; i++) {
        learner.learn(xs[i], i % (classes + 1));
      }
      for (int i = 0; i < 100; i++) {
        assertEquals(expected[i], model.score(FeatureVector.dense(xs[i])));
      }
      assertArrayEquals(before, ModelFormat.write(model));
      model.corePoint(0).values()[0] = 1e9;
      model.coreSet().copy().append(FeatureVector.dense(xs[399]), true);
      assertArrayEquals(before, ModelFormat.write(model));
      assertFalse(learner.snapshot().size() == model.size());
    }
  }

  @Test
  void probabilitiesSumToOneAndTheirArgmaxIsThePrediction() {
    Random random = new Random(15);
    for (int classes : new int[] {1, 2, 3, 7}) {
      Learner learner =
          Avm.paperClassifier().gamma(2).delta(0.2).lambda(0.001).loss(new Logistic()).build();
      for (int i = 0; i < 300; i++) {
        learner.learn(new double[] {random.nextDouble()}, random.nextInt(classes));
      }
      Model model = learner.snapshot();
      double[] out = new double[classes];
      for (int i = 0; i < 300; i++) {
        FeatureVector x = FeatureVector.dense(3 * random.nextDouble() - 1);
        for (Predictor predictor : List.of(learner, model)) {
          predictor.probabilities(x, out);
          double sum = 0;
          for (double p : out) {
            assertTrue(p >= 0 && p <= 1);
            sum += p;
          }
          assertEquals(1, sum, 1e-14);
          assertEquals(predictor.predict(x), predictor.label(Decision.argmax(out, classes)));
        }
      }
    }
  }

  @Test
  void manyThreadsPredictTheSame() throws InterruptedException, ExecutionException {
    Random random = new Random(16);
    Learner learner = Avm.paperClassifier().gamma(2).delta(0.2).lambda(0.001).build();
    for (int i = 0; i < 500; i++) {
      learner.learn(new double[] {random.nextDouble(), random.nextDouble()}, random.nextInt(3));
    }
    Model model = learner.snapshot();
    double[][] xs = new double[200][];
    double[] expected = new double[200];
    for (int i = 0; i < xs.length; i++) {
      xs[i] = new double[] {random.nextDouble(), random.nextDouble()};
      expected[i] = model.score(FeatureVector.dense(xs[i]));
    }
    ExecutorService pool = Executors.newFixedThreadPool(4);
    try {
      List<Future<Integer>> wrong = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        wrong.add(
            pool.submit(
                () -> {
                  int differences = 0;
                  for (int round = 0; round < 50; round++) {
                    for (int i = 0; i < xs.length; i++) {
                      double score = model.score(FeatureVector.dense(xs[i]));
                      // Interpreted and compiled vector code may round apart.
                      differences += Math.abs(score - expected[i]) > 1e-12 ? 1 : 0;
                    }
                  }
                  return differences;
                }));
      }
      for (Future<Integer> future : wrong) {
        assertEquals(0, future.get());
      }
    } finally {
      pool.shutdownNow();
    }
  }
}
