// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.learner.SecondOrderLearner;
import io.github.avm4j.loss.AbsoluteLoss;
import io.github.avm4j.loss.Logistic;
import io.github.avm4j.loss.Loss;
import io.github.avm4j.loss.SquaredLoss;
import io.github.avm4j.model.InvalidModelException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The laws of merging second-order learners, over random shards of random configurations. */
class SecondOrderMergeTest {
  /** Places instances come from: so far apart that no two core points are near duplicates. */
  private static final int SIDE = 6;

  /** A configuration and shards of uneven size, some of them empty. */
  record Setup(
      Loss loss,
      boolean sparse,
      double forgetting,
      int budget,
      int classes,
      int shards,
      long seed) {

    SecondOrderConfig config() {
      return SecondOrderConfig.builder(
              loss.forClassification() ? Task.CLASSIFICATION : Task.REGRESSION)
          .kernel(new Gaussian(20))
          .loss(loss)
          .lambda(0.05)
          .skip(0.02)
          .novelty(1e-3)
          .forgetting(forgetting)
          .budget(budget)
          .build();
    }

    List<Instance> rows(int n, long rowSeed) {
      Random random = new Random(rowSeed);
      List<Instance> rows = new ArrayList<>();
      for (int i = 0; i < n; i++) {
        double a = random.nextInt(SIDE);
        double b = 1 + random.nextInt(SIDE);
        double y =
            loss.forClassification()
                ? (int) (a + b + (random.nextInt(10) == 0 ? 1 : 0)) % classes
                : Math.sin(a) + b / 3 + 0.2 * random.nextGaussian();
        Instance row = Instance.of(y, a / SIDE, b / SIDE);
        rows.add(sparse ? row.sparse() : row);
      }
      return seed % 2 == 0 ? rows : Streams.weighted(rows, rowSeed);
    }

    Learner fresh() {
      return Avm.learner(config());
    }

    List<Learner> learn() {
      List<Learner> learners = new ArrayList<>();
      Random random = new Random(seed);
      for (int s = 0; s < shards; s++) {
        Learner learner = fresh();
        int n = random.nextInt(6) == 0 ? 0 : 20 + random.nextInt(300);
        LearnerChecks.learn(learner, n == 0 ? List.of() : rows(n, random.nextLong()));
        learners.add(learner);
      }
      return learners;
    }
  }

  private static Stream<Setup> setups(int... budgets) {
    return Seeds.draw(
        50,
        random ->
            new Setup(
                Seeds.any(random, new Logistic(), new SquaredLoss(), new AbsoluteLoss()),
                random.nextBoolean(),
                Seeds.any(random, 1.0, 1.0, 0.99),
                budgets[random.nextInt(budgets.length)],
                Seeds.between(random, 2, 4),
                Seeds.between(random, 3, 5),
                random.nextLong()));
  }

  private static Stream<Setup> any() {
    return setups(5, 20, 64);
  }

  private static Stream<Setup> roomy() {
    return setups(64);
  }

  @ParameterizedTest
  @MethodSource("any")
  void orderAndEmptyShardsDoNotMatterToTheBit(Setup setup) {
    List<Learner> shards = setup.learn();
    List<byte[]> before = shards.stream().map(Learner::toBytes).toList();
    byte[] expected = Avm.merge(shards).toBytes();
    List<Learner> others = new ArrayList<>(shards);
    Collections.shuffle(others, new Random(setup.seed));
    others.add(1, setup.fresh());
    assertArrayEquals(expected, Avm.merge(others).toBytes(), setup.toString());
    for (int s = 0; s < shards.size(); s++) {
      assertArrayEquals(before.get(s), shards.get(s).toBytes(), "shard " + s + " was changed");
    }
    Learner one = shards.get(0);
    assertArrayEquals(one.toBytes(), Avm.merge(List.of(setup.fresh(), one)).toBytes());
  }

  @ParameterizedTest
  @MethodSource("any")
  void countsAddAndTheBudgetIsKept(Setup setup) {
    List<Learner> shards = setup.learn();
    Learner merged = Avm.merge(shards);
    assertEquals(shards.stream().mapToLong(Learner::instances).sum(), merged.instances());
    assertEquals(
        shards.stream().mapToLong(s -> ((SecondOrderLearner) s).learned()).sum(),
        ((SecondOrderLearner) merged).learned());
    assertEquals(MergeBound.labels(shards), MergeBound.labels(List.of(merged)));
    assertTrue(merged.size() <= setup.budget, setup + ": " + merged.size());
    LearnerChecks.learn(merged, setup.rows(200, 4));
    assertTrue(merged.size() <= setup.budget, setup + ": " + merged.size());
  }

  @ParameterizedTest
  @MethodSource("roomy")
  void groupingDoesNotMatterWhileTheUnionFits(Setup setup) {
    List<Learner> shards = setup.learn();
    Learner atOnce = Avm.merge(shards);
    Learner left = Avm.merge(shards.subList(0, 2));
    Learner right = Avm.merge(shards.subList(2, shards.size()));
    Learner grouped = Avm.merge(List.of(left, right));
    assertEquals(atOnce.size(), grouped.size(), setup.toString());
    assertAlike(atOnce, grouped, setup.rows(50, 3), 1e-6, setup.toString());
  }

  @ParameterizedTest
  @MethodSource("any")
  void savedAndLoadedGoesOnToTheBit(Setup setup) throws InvalidModelException {
    Learner merged = Avm.merge(setup.learn());
    Learner restored = Learner.fromBytes(merged.toBytes());
    assertArrayEquals(merged.toBytes(), restored.toBytes());
    List<Instance> rows = setup.rows(300, 99);
    LearnerChecks.learn(merged, rows);
    LearnerChecks.learn(restored, rows);
    assertArrayEquals(merged.toBytes(), restored.toBytes(), setup.toString());
  }

  /** Every score of every row, relative to the largest of them. */
  static void assertAlike(
      Learner expected, Learner found, List<Instance> rows, double tolerance, String where) {
    List<Double> labels = MergeBound.labels(List.of(expected));
    double largest = 1e-9;
    for (Instance row : rows) {
      for (double score : MergeBound.scores(expected, row.x(), labels)) {
        largest = Math.max(largest, Math.abs(score));
      }
    }
    for (Instance row : rows) {
      assertArrayEquals(
          MergeBound.scores(expected, row.x(), labels),
          MergeBound.scores(found, row.x(), labels),
          tolerance * largest,
          where);
    }
  }

  static double errors(Learner learner, List<Instance> rows) {
    return rows.stream().filter(row -> learner.predict(row.x()) != row.y()).count()
        / (double) rows.size();
  }

  private static Learner taught(List<Instance> rows) {
    SecondOrderConfig config =
        SecondOrderConfig.builder(Task.CLASSIFICATION)
            .kernel(new Gaussian(2))
            .loss(new Logistic())
            .skip(0.1)
            .novelty(1e-3)
            .budget(100)
            .build();
    Learner learner = Avm.learner(config);
    LearnerChecks.learn(learner, rows);
    return learner;
  }

  private static List<Instance> of(List<Instance> rows, double... labels) {
    return rows.stream()
        .filter(row -> java.util.Arrays.stream(labels).anyMatch(label -> label == row.y()))
        .toList();
  }

  @Test
  void labelsAreUnitedWhateverTheirOrder() {
    List<Instance> rows = Streams.checkerboard(2, 3000, 5);
    List<Instance> reversed = new ArrayList<>(rows.subList(0, 1500));
    reversed.sort((a, b) -> Double.compare(b.y(), a.y()));
    Collections.swap(reversed, 1, reversed.size() - 1);
    List<Instance> rest = new ArrayList<>(rows.subList(1500, 3000));
    rest.sort((a, b) -> Double.compare(a.y(), b.y()));
    Collections.swap(rest, 1, rest.size() - 1);
    Learner one = taught(reversed);
    Learner two = taught(rest);
    assertEquals(1, one.label(0));
    assertEquals(0, two.label(0));
    Learner merged = Avm.merge(List.of(one, two));
    assertEquals(List.of(0.0, 1.0), MergeBound.labels(List.of(merged)));
    List<Instance> test = Streams.checkerboard(2, 2000, 6);
    double error = errors(merged, test);
    assertTrue(error <= Math.max(errors(one, test), errors(two, test)) + 0.01, "error " + error);
  }

  @Test
  void shardsOfOneClassMakeAClassifier() {
    List<Instance> rows = Streams.blobs(2, 4, 1000, 3);
    Learner merged = Avm.merge(List.of(taught(of(rows, 1)), taught(of(rows, 0))));
    assertEquals(2, merged.classes());
    assertTrue(errors(merged, rows) < 0.1, "error " + errors(merged, rows));
  }

  @Test
  void shardsOfDifferentClassesMakeAClassifierOfAll() {
    List<Instance> rows = Streams.blobs(3, 5, 2000, 8);
    Learner all = taught(rows);
    List<Learner> shards =
        List.of(
            taught(of(rows.subList(0, 800), 0, 1)),
            taught(of(rows.subList(800, 1600), 2, 1)),
            taught(of(rows.subList(800, 1600), 0)),
            taught(of(rows.subList(1600, 2000), 2)));
    Learner merged = Avm.merge(shards);
    assertEquals(List.of(0.0, 1.0, 2.0), MergeBound.labels(List.of(merged)));
    double error = errors(merged, rows);
    System.out.printf("three classes: one learner %.4f, merged %.4f%n", errors(all, rows), error);
    assertTrue(error < 0.15, "error " + error);
  }
}
