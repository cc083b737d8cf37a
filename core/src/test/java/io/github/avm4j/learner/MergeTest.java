// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.coverage.WhenFull;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.merge.Neighbourhood;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.loss.Logistic;
import io.github.avm4j.model.Model;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is refused, and where core points go; the laws of merging are tested in testkit. */
class MergeTest {
  private static AvmConfig.Builder<Learner> builder() {
    return Avm.paperClassifier().gamma(1).delta(1).lambda(1).labels(0, 1);
  }

  /** One instance of label 1, so coefficient 1, at each place. */
  private static Learner at(AvmConfig.Builder<Learner> builder, double... places) {
    Learner learner = builder.build();
    for (double place : places) {
      learner.learn(new double[] {place}, 1);
    }
    return learner;
  }

  private static long refused(Learner merged) {
    return ((KernelLearner) merged).refused();
  }

  private static String refusal(Learner... shards) {
    return assertThrows(IllegalArgumentException.class, () -> Avm.merge(List.of(shards)))
        .getMessage();
  }

  private static void holds(Learner merged, double[] places, double[] sums) {
    Model model = merged.snapshot();
    assertEquals(places.length, model.size());
    for (int i = 0; i < places.length; i++) {
      assertEquals(places[i], model.corePoint(i).get(0), "point " + i);
      double expected = 1.0 / model.provenance().instances() * sums[i];
      assertEquals(expected, model.coefficient(0, i), "coefficient of " + places[i]);
    }
  }

  @Test
  void differencesAreNamed() {
    Learner plain = builder().build();
    assertEquals(
        "shards must have one configuration: lambda is 1.0 in shard 0 and 2.0 in shard 2;"
            + " build all shards alike",
        refusal(plain, builder().build(), builder().lambda(2).budget(3).build()));
    assertTrue(refusal(plain, builder().seed(9).build()).contains("seed is 1 in shard 0 and 9"));
    assertTrue(
        refusal(plain, builder().labels(1, 0).build())
            .contains("labels is [0.0, 1.0] in shard 0 and [1.0, 0.0] in shard 1"));
  }

  @Test
  void kindsAreNamed() {
    Learner second =
        Avm.learner(
            SecondOrderConfig.builder(Task.CLASSIFICATION)
                .kernel(new Gaussian(1))
                .loss(new Logistic())
                .lambda(1)
                .skip(0.1)
                .novelty(0.1)
                .budget(9)
                .build());
    assertEquals(
        "shards must be of one kind: shard 0 is a KernelLearner, shard 1 a SecondOrderLearner",
        refusal(builder().build(), second));
    assertEquals(
        "shards must hold at least one learner, was empty",
        assertThrows(IllegalArgumentException.class, () -> Avm.merge(List.of())).getMessage());
  }

  @Test
  void shapesAreNamed() {
    Learner one = at(builder(), 1);
    Learner two = builder().build();
    two.learn(new double[] {1, 2}, 1);
    String message = refusal(one, two);
    assertTrue(message.startsWith("shards must have one number of features, were ["), message);
  }

  private static Learner secondOrder() {
    return Avm.learner(
        SecondOrderConfig.builder(Task.CLASSIFICATION)
            .kernel(new Gaussian(1))
            .loss(new Logistic())
            .lambda(1)
            .skip(0.1)
            .novelty(0.1)
            .budget(9)
            .build());
  }

  private static Learner taught(Learner learner, int features, boolean sparse) {
    Random random = new Random(features);
    int[] indices = IntStream.range(0, features).toArray();
    for (int i = 0; i < 60; i++) {
      double[] x = random.doubles(features).toArray();
      learner.learn(sparse ? FeatureVector.sparse(indices, x) : FeatureVector.dense(x), i % 2);
    }
    return learner;
  }

  private static Stream<Supplier<Learner>> learnersOfTheSecondOrder() {
    return Stream.of(
        MergeTest::secondOrder,
        () -> Avm.classifier().estimation(20).budget(10).build(),
        () -> Avm.classifier().estimation(500).budget(10).build());
  }

  @ParameterizedTest
  @MethodSource("learnersOfTheSecondOrder")
  void shapesOfTheSecondOrderAreNamed(Supplier<Learner> fresh) {
    Learner two = taught(fresh.get(), 2, false);
    String message = refusal(two, taught(fresh.get(), 3, false));
    assertTrue(message.startsWith("shards must have one number of features, were ["), message);
    message = refusal(two, taught(fresh.get(), 3, true));
    assertTrue(
        message.endsWith("dense vectors of 2, another a sparse one with feature 2"), message);
    assertEquals(120, Avm.merge(List.of(two, taught(fresh.get(), 2, true))).instances());
    assertEquals(60, Avm.merge(List.of(two, fresh.get())).instances());
  }

  @Test
  void nothingAndNothingIsANewLearner() {
    Learner a = builder().build();
    Learner merged = Avm.merge(List.of(a, builder().build()));
    assertNotSame(a, merged);
    assertEquals(0, merged.instances());
    assertEquals(0, merged.size());
    merged.learn(new double[] {1}, 1);
    assertEquals(0, a.instances());
  }

  /** 0.375 lies in the cell of 0, 8.5 is δ/2 away from 8 and so in none. */
  @Test
  void aPointInACellGivesItselfToIt() {
    Learner merged = Avm.merge(List.of(at(builder(), 0, 8, 8.5), at(builder(), 8, 0.375)));
    assertEquals(5, merged.instances());
    assertEquals(0, merged.absorbed() + refused(merged));
    Model model = merged.snapshot();
    Map<Double, Double> found = new TreeMap<>();
    for (int i = 0; i < model.size(); i++) {
      found.put(model.corePoint(i).get(0), model.coefficient(0, i));
    }
    assertEquals(Set.of(0.0, 8.0, 8.5), found.keySet());
    // The others are too far to matter: β = k(0.375²)/(1 + σ) at 0.
    double beta = Math.exp(-0.375 * 0.375) / (1 + Neighbourhood.RIDGE);
    assertEquals((1 + beta) / 5, found.get(0.0), 1e-12);
    assertEquals(2 / 5.0, found.get(8.0), 1e-12);
    assertEquals(1 / 5.0, found.get(8.5), 1e-12);
  }

  @Test
  void aCommonCoreSetKeepsItsOrder() {
    holds(
        Avm.merge(List.of(at(builder(), 3, 1, 2, 2), at(builder(), 3, 1, 2))),
        new double[] {3, 1, 2},
        new double[] {2, 2, 3});
  }

  @Test
  void theBudgetAbsorbsAndCounts() {
    AvmConfig.Builder<Learner> two = builder().budget(2);
    Learner merged = Avm.merge(List.of(at(two, 0, 10), at(two, 0, 10, 21)));
    holds(merged, new double[] {0, 10}, new double[] {2, 3});
    assertEquals(1, merged.absorbed(), "the 21 of the second shard");
    merged = Avm.merge(List.of(at(two, 0, 10), at(two, 0, 12)));
    assertEquals(2, merged.size());
    assertEquals(1, merged.absorbed(), "10 or 12, for the other takes it");
    assertEquals(0, refused(merged));
  }

  @Test
  void theBudgetRefusesAndCounts() {
    AvmConfig.Builder<Learner> two = builder().budget(2).whenFull(WhenFull.REFUSE);
    Learner merged = Avm.merge(List.of(at(two, 0, 10), at(two, 0, 12, 30)));
    assertEquals(2, refused(merged), "30 by its shard; 10 or 12 here");
    assertEquals(5, merged.instances());
    Model model = merged.snapshot();
    assertEquals(2 / 5.0, model.coefficient(0, 0));
    assertEquals(1 / 5.0, model.coefficient(0, 1));
  }

  @Test
  void denseAndSparseShardsMeet() {
    Learner dense = at(builder(), 0, 2);
    Learner sparse = builder().build();
    sparse.learn(FeatureVector.sparse(new int[] {0}, new double[] {2}), 1);
    sparse.learn(FeatureVector.sparse(new int[] {7000}, new double[] {2}), 1);
    KernelLearner merged = (KernelLearner) Avm.merge(List.of(dense, sparse));
    assertEquals(3, merged.size());
    assertEquals(3, merged.cells());
    assertEquals(
        merged.score(FeatureVector.dense(2)),
        merged.score(FeatureVector.sparse(new int[] {0}, new double[] {2})),
        1e-15);
    assertTrue(merged.snapshot().coreSet().copy().storesPostings());
  }
}
