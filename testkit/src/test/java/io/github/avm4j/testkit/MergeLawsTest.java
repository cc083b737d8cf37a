// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.approximation.Always;
import io.github.avm4j.approximation.Approximation;
import io.github.avm4j.approximation.Bernoulli;
import io.github.avm4j.approximation.Confidence;
import io.github.avm4j.approximation.Never;
import io.github.avm4j.averaging.LastIterate;
import io.github.avm4j.averaging.Output;
import io.github.avm4j.averaging.SuffixAverage;
import io.github.avm4j.averaging.UniformAverage;
import io.github.avm4j.averaging.WeightedAverage;
import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.coverage.Hyperrectangle;
import io.github.avm4j.coverage.Hypersphere;
import io.github.avm4j.coverage.WhenFull;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.learner.KernelLearner;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.loss.Loss;
import io.github.avm4j.loss.LossKind;
import io.github.avm4j.model.InvalidModelException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The laws of a merge, over random shards of random configurations. */
@Tag("once")
class MergeLawsTest {

  /** How features are stored. */
  enum Storage {
    DENSE,
    SPARSE,
    POSTINGS
  }

  /** A configuration and a stream, split into shards of uneven size, some of them empty. */
  record Setup(
      Loss loss,
      Approximation policy,
      Output output,
      Storage storage,
      boolean boxes,
      int budget,
      WhenFull whenFull,
      int classes,
      int shards,
      long seed) {

    boolean exists() {
      return loss.forClassification() || !(policy instanceof Confidence);
    }

    AvmConfig config() {
      int d = storage == Storage.DENSE ? 3 : storage == Storage.SPARSE ? 40 : 3000;
      boolean classifies = loss.forClassification();
      return (classifies ? Avm.paperClassifier() : Avm.paperRegressor())
          .kernel(new Gaussian(1.3))
          .loss(loss)
          .lambda(0.02)
          .coverage(boxes ? new Hyperrectangle(0.3 * Math.sqrt(d)) : new Hypersphere(0.6))
          .approximation(policy)
          .output(output)
          .budget(budget)
          .whenFull(whenFull)
          .features(boxes ? d : 0)
          .seed(seed)
          .config();
    }

    List<Instance> rows(int n, long rowSeed) {
      Random random = new Random(rowSeed);
      List<Instance> base =
          storage == Storage.DENSE
              ? Streams.blobs(classes, 3, n, rowSeed)
              : Streams.sparse(classes, storage == Storage.SPARSE ? 40 : 3000, 2, n, rowSeed);
      List<Instance> rows = new ArrayList<>();
      for (Instance row : base) {
        double y =
            loss.forClassification()
                ? row.y()
                : Math.sin(3 * row.x().squaredNorm()) + 0.3 * random.nextGaussian();
        rows.add(new Instance(row.x(), y, 1));
      }
      return seed % 2 == 0 ? rows : Streams.weighted(rows, rowSeed);
    }

    /** Shard s has a share of the rows, or none; learners are new. */
    List<Learner> learn() {
      List<Learner> learners = new ArrayList<>();
      Random random = new Random(seed);
      for (int s = 0; s < shards; s++) {
        Learner learner = Avm.learner(config());
        int n = random.nextInt(5) == 0 ? 0 : 1 + random.nextInt(200);
        LearnerChecks.learn(learner, n == 0 ? List.of() : rows(n, random.nextLong()));
        learners.add(learner);
      }
      return learners;
    }

    boolean canBeGrouped() {
      List<Learner> learners = learn();
      return MergeBound.labels(learners).size() <= 2
          || learners.stream().allMatch(s -> s.instances() == 0 || s.classes() >= 2);
    }
  }

  private static Setup draw(Random random) {
    return new Setup(
        Seeds.any(random, LossKind.values()).loss(),
        Seeds.any(
            random,
            new Always(),
            new Always(),
            new Never(),
            new Bernoulli(3, 0.6),
            new Confidence()),
        Seeds.any(
            random,
            new LastIterate(),
            new UniformAverage(),
            new SuffixAverage(0.4, 0),
            new WeightedAverage()),
        Seeds.any(random, Storage.values()),
        random.nextBoolean(),
        Seeds.any(random, 0, 0, 9, 25),
        Seeds.any(random, WhenFull.values()),
        Seeds.between(random, 1, 5),
        Seeds.between(random, 1, 5),
        random.nextLong());
  }

  /** One in ten cannot be: numbers have no confidence. */
  private static Stream<Setup> setups() {
    return Seeds.draw(200, MergeLawsTest::draw).filter(Setup::exists);
  }

  /** Three shards or more; and where there are three classes, none knows one alone. */
  private static Stream<Setup> groups() {
    return Seeds.draw(320, MergeLawsTest::draw)
        .filter(setup -> setup.exists() && setup.shards >= 3 && setup.canBeGrouped());
  }

  private static List<byte[]> bytes(List<Learner> learners) {
    return learners.stream().map(Learner::toBytes).toList();
  }

  private static long refused(Learner learner) {
    return ((KernelLearner) learner).refused();
  }

  @ParameterizedTest
  @MethodSource("setups")
  void answersAreTheMeanOfTheShards(Setup setup) {
    List<Learner> shards = setup.learn();
    List<byte[]> before = bytes(shards);
    Learner merged = Avm.merge(shards);
    for (int s = 0; s < shards.size(); s++) {
      assertArrayEquals(before.get(s), shards.get(s).toBytes(), "shard " + s + " was changed");
    }
    long absorbed = shards.stream().mapToLong(Learner::absorbed).sum();
    long refused = shards.stream().mapToLong(MergeLawsTest::refused).sum();
    assertEquals((long) MergeBound.instances(shards), merged.instances());
    assertTrue(merged.absorbed() >= absorbed && refused(merged) >= refused);
    assertTrue(setup.budget == 0 || merged.size() <= setup.budget, "size " + merged.size());
    assertEquals(merged.config(), setup.config());
    List<Double> labels = MergeBound.labels(shards);
    assertEquals(labels, MergeBound.labels(List.of(merged)));
    double bound = MergeBound.of(shards, merged);
    for (Instance row : setup.rows(30, setup.seed)) {
      double[] expected = MergeBound.mean(shards, row.x());
      double[] found = MergeBound.scores(merged, row.x(), labels);
      assertArrayEquals(expected, found, bound, setup.toString());
    }
  }

  @ParameterizedTest
  @MethodSource("setups")
  void orderAndEmptyShardsDoNotMatter(Setup setup) {
    List<Learner> shards = setup.learn();
    byte[] expected = Avm.merge(shards).toBytes();
    List<Learner> others = new ArrayList<>(shards);
    Collections.shuffle(others, new Random(setup.seed));
    others.add(0, Avm.learner(setup.config()));
    others.add(Avm.learner(setup.config()));
    assertArrayEquals(expected, Avm.merge(others).toBytes(), setup.toString());
  }

  @ParameterizedTest
  @MethodSource("setups")
  void oneShardStaysAsItIs(Setup setup) {
    Learner shard = setup.learn().get(0);
    byte[] before = shard.toBytes();
    Learner merged = Avm.merge(List.of(Avm.learner(setup.config()), shard));
    assertArrayEquals(before, merged.toBytes());
    LearnerChecks.learn(merged, setup.rows(20, 7));
    assertArrayEquals(before, shard.toBytes(), "the copy shares state");
  }

  @ParameterizedTest
  @MethodSource("setups")
  void learningGoesOnAlsoAfterSaving(Setup setup) throws InvalidModelException {
    List<Learner> shards = setup.learn();
    List<byte[]> before = bytes(shards);
    Learner merged = Avm.merge(shards);
    Learner restored = Learner.fromBytes(merged.toBytes());
    assertArrayEquals(merged.toBytes(), restored.toBytes());
    List<Instance> rows = setup.rows(150, 99);
    LearnerChecks.learn(merged, rows);
    LearnerChecks.learn(restored, rows);
    assertArrayEquals(merged.toBytes(), restored.toBytes(), setup.toString());
    assertEquals((long) MergeBound.instances(shards) + 150, merged.instances());
    assertTrue(setup.budget == 0 || merged.size() <= setup.budget, "size " + merged.size());
    for (int s = 0; s < shards.size(); s++) {
      assertArrayEquals(before.get(s), shards.get(s).toBytes(), "shard " + s + " was changed");
    }
    double[] scores = new double[Math.max(1, merged.classes())];
    merged.scores(rows.get(0).x(), scores);
    assertTrue(Arrays.stream(scores).allMatch(Double::isFinite), Arrays.toString(scores));
  }

  /** Any grouping is the mean of the shards, but for what its own merges moved. */
  @ParameterizedTest
  @MethodSource("groups")
  void groupingCostsNoMoreThanWhatMoves(Setup setup) {
    List<Learner> shards = new ArrayList<>(setup.learn());
    List<Learner> few = shards.subList(0, 2);
    List<Learner> rest = shards.subList(2, shards.size());
    Learner left = Avm.merge(few);
    Learner right = Avm.merge(rest);
    List<Learner> both = List.of(left, right);
    Learner merged = Avm.merge(both);
    assertEquals((long) MergeBound.instances(shards), merged.instances());
    List<Double> labels = MergeBound.labels(shards);
    assertEquals(labels, MergeBound.labels(List.of(merged)));
    double all = Math.max(1, MergeBound.instances(shards));
    double bound =
        MergeBound.of(both, merged)
            + left.instances() / all * MergeBound.of(few, left)
            + right.instances() / all * MergeBound.of(rest, right);
    for (Instance row : setup.rows(20, setup.seed)) {
      double[] expected = MergeBound.mean(shards, row.x());
      double[] found = MergeBound.scores(merged, row.x(), labels);
      assertArrayEquals(expected, found, bound, setup.toString());
    }
  }
}
