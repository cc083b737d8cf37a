// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.avm4j.Avm;
import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.internal.format.ModelFormat;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.loss.Logistic;
import io.github.avm4j.model.Explanation;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import io.github.avm4j.model.Predictor;
import io.github.avm4j.testing.Streams;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A sparse vector is its dense form: features that are not listed are 0, whatever scales them. */
class SparseFormTest {
  private static final int D = 6;

  /** Two features far from 0, one with a heavy tail, one that is mostly 0, two indicators. */
  private static FeatureVector dense(Random random) {
    double[] x = new double[D];
    x[0] = random.nextInt(3) == 0 ? 0 : 50 + 10 * random.nextGaussian();
    x[1] = -7 + random.nextGaussian();
    x[2] = random.nextInt(200) == 0 ? 1e6 : random.nextDouble();
    x[3] = random.nextInt(4) == 0 ? 3 * random.nextGaussian() : 0;
    x[4] = random.nextInt(2);
    x[5] = random.nextInt(2);
    return FeatureVector.dense(x);
  }

  private static FeatureVector sparse(FeatureVector x) {
    int[] indices = new int[D];
    double[] values = new double[D];
    int count = 0;
    for (int j = 0; j < D; j++) {
      if (x.get(j) != 0) {
        indices[count] = j;
        values[count++] = x.get(j);
      }
    }
    return FeatureVector.sparse(indices, values, count);
  }

  private static double target(FeatureVector x, Task task) {
    double sum = x.get(0) / 20 + x.get(1) + x.get(3) + 2 * x.get(4);
    return task == Task.REGRESSION ? Math.sin(sum) + 4 : Math.floorMod((long) sum, 3);
  }

  static Stream<Arguments> learners() {
    SecondOrderConfig secondOrder =
        SecondOrderConfig.builder(Task.CLASSIFICATION)
            .kernel(new Gaussian(0.05))
            .loss(new Logistic())
            .skip(0.1)
            .novelty(0.001)
            .budget(40)
            .build();
    return Stream.of(
        Arguments.of("paper, classes", Avm.paperClassifier().gamma(0.1).delta(1).lambda(0.01)),
        Arguments.of("paper, numbers", Avm.paperRegressor().gamma(0.1).delta(1).lambda(0.01)),
        Arguments.of("second order", secondOrder),
        Arguments.of("automatic", Avm.classifier().estimation(150).budget(40)),
        Arguments.of(
            "standard", Avm.classifier().estimation(150).budget(40).scaling(ScalingMode.STANDARD)),
        Arguments.of(
            "numbers, min-max",
            Avm.regressor().estimation(150).budget(40).scaling(ScalingMode.MIN_MAX)),
        Arguments.of("estimating", Avm.regressor().estimation(10_000).budget(40)),
        Arguments.of(
            "unscaled", Avm.classifier().estimation(150).budget(40).scaling(ScalingMode.NONE)));
  }

  private static Learner build(Object told) {
    if (told instanceof SecondOrderConfig config) {
      return Avm.learner(config);
    }
    return told instanceof AutoConfig.Builder<?> builder
        ? (Learner) builder.build()
        : (Learner) ((AvmConfig.Builder<?>) told).build();
  }

  private static void assertEqualAnswers(Predictor predictor, double tolerance) {
    double[] one = new double[Math.max(1, predictor.classes())];
    double[] two = one.clone();
    for (FeatureVector x : Streams.of(2, 100, SparseFormTest::dense)) {
      predictor.scores(x, one);
      predictor.scores(sparse(x), two);
      assertArrayEquals(one, two, tolerance, "scores of " + x);
      if (tolerance < 1e-6) {
        assertEquals(predictor.predict(x), predictor.predict(sparse(x)), tolerance, "" + x);
      }
      assertEquals(predictor.score(x), predictor.score(sparse(x)), tolerance);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("learners")
  void answersAreThoseOfTheDenseForm(String name, Object told) throws InvalidModelException {
    for (boolean sparse : new boolean[] {false, true}) {
      Learner learner = build(told);
      Random random = new Random(1);
      for (int t = 0; t < 400; t++) {
        FeatureVector x = dense(random);
        learner.learn(sparse ? sparse(x) : x, target(x, learner.task()));
      }
      assertEqualAnswers(learner, 1e-8);
      assertEqualAnswers(Learner.fromBytes(learner.toBytes()), 1e-8);
      Model model = learner.snapshot();
      assertEqualAnswers(model, 1e-8);
      assertEqualAnswers(ModelFormat.read(ModelFormat.write(model)), 1e-8);
      FeatureVector x = dense(random);
      Explanation one = Explanation.of(model, x, 3);
      Explanation two = Explanation.of(model, sparse(x), 3);
      for (int p = 0; p < one.parts().size(); p++) {
        assertEquals(one.parts().get(p).point(), two.parts().get(p).point());
        assertEquals(one.parts().get(p).similarity(), two.parts().get(p).similarity(), 1e-8);
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("learners")
  void learningIsThatOfTheDenseForm(String name, Object told) {
    Learner one = build(told);
    Learner two = build(told);
    Random random = new Random(1);
    for (int t = 0; t < 600; t++) {
      FeatureVector x = dense(random);
      double y = target(x, one.task());
      one.learn(x, y);
      two.learn(t < 200 ? x : sparse(x), y);
    }
    if (one instanceof AutoLearner auto && !auto.scaling().isIdentity() && !auto.isEstimating()) {
      assertArrayEquals(one.toBytes(), two.toBytes());
      int[] beyond = {D};
      double[] value = {1};
      FeatureVector unknown = FeatureVector.sparse(beyond, value);
      assertThrows(IllegalArgumentException.class, () -> one.learn(unknown, 1));
      assertThrows(IllegalArgumentException.class, () -> one.predict(unknown));
      beyond[0] = Integer.MAX_VALUE - 1;
      assertThrows(IllegalArgumentException.class, () -> one.predict(unknown));
    }
  }
}
