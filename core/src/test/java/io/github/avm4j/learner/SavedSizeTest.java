// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.newton.ExpansionEngine;
import io.github.avm4j.internal.newton.SavedSize;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.loss.Logistic;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.paper.Never;
import io.github.avm4j.paper.SuffixAverage;
import io.github.avm4j.testing.Streams;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What has been learned can be saved: a learner refuses before its file would be too large. */
class SavedSizeTest {
  private static final int ROWS = 800;

  private static Stream<Arguments> learners() {
    SecondOrderConfig newton =
        SecondOrderConfig.builder(Task.CLASSIFICATION)
            .kernel(new Gaussian(0.5))
            .loss(new Logistic())
            .skip(0)
            .novelty(1e-3)
            .budget(60)
            .build();
    List<Supplier<Learner>> fresh =
        List.of(
            () -> Avm.paperClassifier().gamma(1).delta(0.3).lambda(0.01).build(),
            () ->
                Avm.paperClassifier()
                    .gamma(1)
                    .delta(0.3)
                    .lambda(0.01)
                    .approximation(new Never())
                    .output(new SuffixAverage(0.4, 0))
                    .build(),
            () -> Avm.learner(newton),
            () -> Avm.classifier().estimation(100).budget(40).cells(100).build(),
            () -> Avm.classifier().estimation(5000).budget(40).build());
    return fresh.stream().flatMap(one -> Stream.of(0, 1, 2).map(kind -> Arguments.of(one, kind)));
  }

  /** Dense, sparse in tiles whose features grow, and sparse beyond them. */
  private static FeatureVector x(Random random, int kind, int t) {
    if (kind == 0) {
      return FeatureVector.dense(random.nextGaussian(), random.nextGaussian(), 1);
    }
    int far = kind == 1 ? 2 + t / 10 : 2 + random.nextInt(100_000);
    double[] values = random.doubles(3, -2, 2).toArray();
    return FeatureVector.sparse(new int[] {0, 1, far}, values);
  }

  private static double y(FeatureVector x, int t) {
    return Math.floorMod((int) Math.floor(3 * x.get(0)), 2 + t / 200);
  }

  private static long with(Learner learner, FeatureVector x) {
    return learner instanceof AutoLearner auto
        ? auto.engine.savedBytesWith(x)
        : learner instanceof KernelLearner paper
            ? paper.engine.savedBytesWith(x)
            : ((SecondOrderLearner) learner).engine.savedBytesWith(x);
  }

  private static void bound(Learner learner, long most) {
    if (learner instanceof AutoLearner auto) {
      auto.engine.limitFile(most);
    } else {
      ((ExpansionEngine) ((EngineLearner<?>) learner).engine).limitFile(most);
    }
  }

  @ParameterizedTest
  @MethodSource("learners")
  void noFileIsLargerThanWasSaid(Supplier<Learner> fresh, int kind) {
    Learner learner = fresh.get();
    Random random = new Random(1);
    for (int t = 0; t < ROWS; t++) {
      FeatureVector x = x(random, kind, t);
      long most = with(learner, x);
      learner.learn(x, y(x, t));
      if (t % 25 < 2 || t < 30) {
        int length = learner.toBytes().length;
        assertTrue(length <= most, length + " bytes after " + t + ", said " + most);
      }
    }
    assertTrue(with(learner, x(random, kind, ROWS)) < 10L * learner.toBytes().length + 200_000);
  }

  @ParameterizedTest
  @MethodSource("learners")
  void whatWasLearnedCanBeSaved(Supplier<Learner> fresh, int kind) throws InvalidModelException {
    Learner free = fresh.get();
    Random same = new Random(1);
    long least = with(free, x(new Random(1), kind, 0));
    for (int t = 0; t < ROWS; t++) {
      FeatureVector x = x(same, kind, t);
      free.learn(x, y(x, t));
    }
    long most = (least + with(free, x(same, kind, ROWS))) / 2;
    Learner learner = fresh.get();
    bound(learner, most);
    Random random = new Random(1);
    byte[] last = learner.toBytes();
    String message = "";
    for (int t = 0; t < ROWS && message.isEmpty(); t++) {
      FeatureVector x = x(random, kind, t);
      double y = y(x, t);
      try {
        learner.learn(x, y);
        last = learner.toBytes();
        assertTrue(last.length <= most, last.length + " bytes");
      } catch (IllegalArgumentException e) {
        message = e.getMessage();
      }
    }
    assertTrue(message.contains("as large as a file can hold"), message);
    assertTrue(message.contains(Long.toString(most)), message);
    assertArrayEquals(last, learner.toBytes(), "the refusal changed something");
    assertEquals(learner.instances(), Learner.fromBytes(last).instances());
  }

  /** The sizes of docs/scale.md: what a key of a Flink job with such a learner takes. */
  @ParameterizedTest
  @CsvSource({"0, 1000", "20, 18500", "49, 30000", "100, 38000"})
  void aLearnerOfFewInstancesIsSmall(int instances, int most) {
    for (Task task : Task.values()) {
      AutoLearner learner =
          (task == Task.REGRESSION ? Avm.regressor() : Avm.classifier()).budget(8).build();
      for (double[] x : Streams.uniform(1, instances, 8)) {
        learner.learn(x, x[0] > x[1] ? 1 : 0);
      }
      int length = learner.toBytes().length;
      assertTrue(length <= most, task + ": " + length + " bytes");
      assertTrue(length > most / 2, task + ": " + length + " bytes; lower the bound and the page");
    }
  }

  @Test
  void budgetsThatNoFileHoldsAreRefusedAtOnce() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> Avm.regressor().budget(AutoConfig.MAX_BUDGET + 1).build());
    assertEquals("budget must be in 1..7000, was 7001", e.getMessage());
    AutoLearner learner = Avm.regressor().budget(AutoConfig.MAX_BUDGET).build();
    long budget = learner.settings().budget();
    long matrices = 5 * 8 * budget * (budget + 1);
    assertTrue(matrices < SavedSize.MOST, matrices + " bytes");
  }
}
