// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.internal.format.Allocation;
import io.github.avm4j.kernel.Matern52;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.KernelLearner;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.loss.Logistic;
import io.github.avm4j.loss.SquaredLoss;
import io.github.avm4j.model.Predictor;
import io.github.avm4j.paper.Hyperrectangle;
import io.github.avm4j.paper.SuffixAverage;
import io.github.avm4j.paper.UniformAverage;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A step that makes no core point and begins no trial, and a prediction, allocate nothing once the
 * compiler has settled (before that the Vector API allocates by design).
 */
class NoAllocationTest {
  private static final int CALLS = 100_000;
  private static final int ROWS = 256;

  /**
   * Rounds at most: the first without allocation is enough, and on a busy machine the compiler is
   * late.
   */
  private static final int ROUNDS = 100;

  static Stream<Arguments> learners() {
    AvmConfig.Builder<KernelLearner> binary =
        Avm.paperClassifier().gamma(0.5).delta(2).lambda(0.01);
    return Stream.of(
        Arguments.of("dense", binary.build(), false),
        Arguments.of("sparse", binary.build(), true),
        Arguments.of(
            "many classes",
            Avm.paperClassifier()
                .gamma(0.5)
                .delta(2)
                .lambda(0.01)
                .loss(new Logistic())
                .labels(0, 1, 2)
                .build(),
            false),
        Arguments.of(
            "averaged",
            Avm.paperClassifier()
                .kernel(new Matern52(0.5))
                .delta(2)
                .lambda(0.01)
                .output(new SuffixAverage(0.5, 0))
                .build(),
            false),
        Arguments.of(
            "boxes",
            Avm.paperClassifier().gamma(0.5).coverage(new Hyperrectangle(3)).lambda(0.01).build(),
            false),
        Arguments.of(
            "projected",
            Avm.paperRegressor()
                .loss(new SquaredLoss())
                .gamma(0.5)
                .delta(2)
                .lambda(1e-4)
                .output(new UniformAverage())
                .build(),
            false),
        Arguments.of(
            "second order",
            Avm.classifier()
                .gamma(0.5)
                .forgetting(0.999)
                .estimation(ROWS)
                .budget(20)
                .cells(0)
                .scaling(ScalingMode.NONE)
                .build(),
            false),
        Arguments.of(
            "second order, scaled",
            Avm.regressor()
                .gamma(0.5)
                .forgetting(1)
                .estimation(ROWS)
                .budget(20)
                .cells(0)
                .scaling(ScalingMode.STANDARD)
                .build(),
            false));
  }

  private interface Call {
    void on(FeatureVector x, double y);
  }

  /** Least bytes a call over the rounds: less than one means that calls allocate nothing. */
  private static double bytesPerCall(Call call, FeatureVector[] xs, double[] ys) {
    double least = Double.POSITIVE_INFINITY;
    for (int round = 0; round < ROUNDS && least >= 1; round++) {
      long before = Allocation.soFar();
      for (int i = 0; i < CALLS; i++) {
        call.on(xs[i % ROWS], ys[i % ROWS]);
      }
      least = Math.min(least, (Allocation.soFar() - before) / (double) CALLS);
    }
    return least;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("learners")
  void nothingIsAllocated(String name, Learner learner, boolean sparse) {
    Random random = new Random(51);
    FeatureVector[] xs = new FeatureVector[ROWS];
    double[] ys = new double[ROWS];
    for (int i = 0; i < ROWS; i++) {
      double[] values = random.doubles(3, -2, 2).toArray();
      xs[i] =
          sparse
              ? FeatureVector.sparse(new int[] {0, 1 + random.nextInt(4), 9}, values)
              : FeatureVector.dense(values);
      ys[i] = learner.classes() == 3 ? i % 3 : i % 2;
    }
    for (int i = 0; i < ROWS; i++) {
      learner.learn(xs[i], ys[i], 1);
    }
    int size = learner.size();
    assertTrue(size > 4, size + " core points");
    double learning = bytesPerCall((x, y) -> learner.learn(x, y, 1), xs, ys);
    assertEquals(size, learner.size(), "no core point is new");
    assertTrue(learning < 1, name + ": learn allocates " + learning + " bytes");
    check(name, learner, xs, ys);
    check(name + " model", learner.snapshot(), xs, ys);
  }

  /** The same for a learner whose cells predict. */
  @Test
  void cellsAllocateNothing() {
    AutoLearner learner =
        Avm.classifier().estimation(100).budget(20).forgetting(1).cells(8).build();
    Random random = new Random(52);
    FeatureVector[] xs = new FeatureVector[ROWS];
    double[] ys = new double[ROWS];
    for (int t = 0; t < 12_000; t++) {
      FeatureVector x = FeatureVector.dense(random.nextDouble(), random.nextDouble());
      double y = ((int) (6 * x.values()[0]) + (int) (6 * x.values()[1])) % 2;
      learner.learn(x, y);
      xs[t % ROWS] = x;
      ys[t % ROWS] = y;
    }
    assertTrue(learner.cells() > 2, learner.cells() + " cells");
    assertTrue(learner.size() > 20, "cells predict");
    double learning = bytesPerCall((x, y) -> learner.learn(x, y, 1), xs, ys);
    assertTrue(learning < 1, "learn allocates " + learning + " bytes");
    check("cells", learner, xs, ys);
    check("cells, model", learner.snapshot(), xs, ys);
  }

  private static void check(String name, Predictor predictor, FeatureVector[] xs, double[] ys) {
    double[] out = new double[3];
    double predicting =
        bytesPerCall(
            (x, y) -> {
              out[0] += predictor.predict(x);
              predictor.scores(x, out);
            },
            xs,
            ys);
    assertTrue(predicting < 1, name + ": predict allocates " + predicting + " bytes");
  }
}
