// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.newton;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.Scaling;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.kernel.Kernel;
import io.github.avm4j.kernel.Matern32;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.testing.Streams;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RelevanceTest {
  private static final int FEATURES = 6;
  private static final int FOUR = 4;
  private static final double GAMMA = 0.3;
  private static final double STEP = 1e-5;

  private static FeatureVector row(Random random, boolean sparse) {
    double[] x = new double[FEATURES];
    for (int j = 0; j < FEATURES; j++) {
      x[j] = random.nextBoolean() ? random.nextGaussian() : 0;
    }
    return sparse ? sparse(x) : FeatureVector.dense(x);
  }

  private static FeatureVector sparse(double[] x) {
    int[] indices = new int[x.length];
    for (int j = 0; j < x.length; j++) {
      indices[j] = j;
    }
    return FeatureVector.sparse(indices, x);
  }

  private static FeatureVector moved(FeatureVector x, int feature, double by) {
    double[] values = new double[FEATURES];
    for (int j = 0; j < FEATURES; j++) {
      values[j] = x.get(j) + (j == feature ? by : 0);
    }
    return x.isSparse() ? sparse(values) : FeatureVector.dense(values);
  }

  /** The oracle: differences of predictions, squared and summed. */
  private static double differences(
      SecondOrderEngine function, double unit, List<FeatureVector> instances, int feature) {
    double sum = 0;
    for (FeatureVector x : instances) {
      double[] up = function.evaluate(moved(x, feature, STEP)).clone();
      double[] down = function.evaluate(moved(x, feature, -STEP)).clone();
      for (int column = 0; column < function.columns(); column++) {
        double slope = (up[column] - down[column]) / (2 * STEP) / unit;
        sum += slope * slope;
      }
    }
    return sum;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void gradientsAreThoseOfDifferences(boolean sparse) {
    for (Task task : Task.values()) {
      gradientsAreThoseOfDifferences(sparse, task, new Gaussian(GAMMA), 2 * GAMMA);
      gradientsAreThoseOfDifferences(sparse, task, new Matern32(GAMMA), 3 * GAMMA * GAMMA);
    }
  }

  private static void gradientsAreThoseOfDifferences(
      boolean sparse, Task task, Kernel kernel, double unit) {
    SecondOrderEngine function =
        new SecondOrderEngine(SecondOrderConfig.builder(task).kernel(kernel).build());
    List<FeatureVector> instances = Streams.of(1, 60, random -> row(random, sparse));
    for (FeatureVector x : instances) {
      double y = x.get(0) + x.get(1) * x.get(1);
      function.learn(x, task == Task.REGRESSION ? y : Math.floor(y), 1);
    }
    double[] squares = new double[FEATURES];
    Relevance relevance = new Relevance(function, FEATURES);
    instances.forEach(x -> relevance.add(x, squares));
    for (int j = 0; j < FEATURES; j++) {
      double expected = differences(function, unit, instances, j);
      assertEquals(expected, squares[j], 1e-5 * expected, kernel + ", " + task + ", feature " + j);
    }
  }

  @Test
  void theMostRelevantFeatureIsLeftAsItIsAndNoneIsLost() {
    double[] shift = {1, 2, 3};
    Scaling plain = new Scaling(shift, new double[] {4, 5, 6}, new boolean[3], false);
    Scaling shrunk = Relevance.shrunk(plain, 1, false, new double[] {16, 0, 1}, 0.25);
    assertEquals(4, shrunk.scale(0));
    assertEquals(5 * Relevance.LEAST, shrunk.scale(1), 1e-12);
    assertEquals(6 * 0.5, shrunk.scale(2), 1e-12);
    assertEquals(2, shrunk.shift(1));
    assertSame(plain, Relevance.shrunk(plain, 1, false, new double[3], 0.25));
    assertSame(plain, Relevance.shrunk(plain, 1, false, new double[] {Double.NaN, 0, 0}, 0.25));
  }

  @Test
  void irrelevantFeaturesAreShrunkAndOthersAreNot() {
    AutoLearner learner = Avm.regressor().cells(0).build();
    for (double[] x : Streams.uniform(1, 1500, 8, -1, 1)) {
      learner.learn(x, Math.sin(3 * x[0]) * x[1]);
    }
    Scaling scaling = learner.scaling();
    double least = Math.min(scaling.scale(0), scaling.scale(1));
    for (int j = 2; j < 8; j++) {
      assertTrue(scaling.scale(j) < 0.6 * least, scaling.scale(j) + " against " + least);
    }
  }

  @Test
  void whereAllFeaturesMatterTheScalingStays() {
    AutoLearner learner = Avm.regressor().cells(0).build();
    for (double[] x : Streams.uniform(1, 1500, FOUR, -1, 1)) {
      double radius = 0;
      for (double value : x) {
        radius += value * value;
      }
      learner.learn(FeatureVector.dense(x), Math.cos(3 * radius), 1);
    }
    for (int j = 0; j < FOUR; j++) {
      assertEquals(unit(learner.scaling(), 0), unit(learner.scaling(), j), 0.1);
    }
  }

  /** What a difference of 1 of feature j becomes. */
  private static double unit(Scaling scaling, int j) {
    return scaling.apply(j, 0.5) - scaling.apply(j, -0.5);
  }
}
