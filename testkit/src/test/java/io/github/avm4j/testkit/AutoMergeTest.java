// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.SecondOrderConfig;
import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.learner.AutoLearner;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.model.InvalidModelException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Merging learners that found their parameters, or have not yet. */
class AutoMergeTest {
  private static AutoConfig.Builder<AutoLearner> regressor() {
    return Avm.regressor().estimation(200).budget(20).cells(0).skip(0).forgetting(1);
  }

  private static AutoLearner taught(AutoConfig.Builder<AutoLearner> builder, List<Instance> rows) {
    AutoLearner learner = builder.build();
    LearnerChecks.learn(learner, rows);
    return learner;
  }

  private static double squaredError(Learner learner, List<Instance> rows) {
    return rows.stream()
        .mapToDouble(row -> Math.pow(learner.predict(row.x()) - row.y(), 2))
        .average()
        .orElseThrow();
  }

  /** Copies of start that learned the rows in turn. */
  private static List<AutoLearner> shards(AutoLearner start, int count, List<Instance> rows) {
    List<AutoLearner> shards = new ArrayList<>();
    for (int s = 0; s < count; s++) {
      shards.add(Avm.shard(start));
    }
    for (int i = 0; i < rows.size(); i++) {
      Instance row = rows.get(i);
      shards.get(i % count).learn(row.x(), row.y(), row.weight());
    }
    return shards;
  }

  /**
   * What docs/merge.md calls exact: squared loss, common core set, nothing skipped or forgotten.
   */
  @Test
  void shardsOfOneStartEqualOneLearnerOfEverything() {
    List<Instance> rows = Streams.noisySine(3, 6000, 0.3, 4);
    AutoLearner start = taught(regressor(), rows.subList(0, 2500));
    assertEquals(20, start.size());
    List<Instance> rest = rows.subList(2500, 6000);
    AutoLearner one = shards(start, 1, rest).get(0);
    for (int count : new int[] {1, 2, 5}) {
      List<AutoLearner> shards = shards(start, count, rest);
      AutoLearner merged = Avm.merge(start, shards);
      assertEquals(one.instances(), merged.instances(), count + " shards");
      assertEquals(one.learned(), merged.learned(), count + " shards");
      SecondOrderMergeTest.assertAlike(one, merged, rest, 1e-6, count + " shards");
      // What is known must add too, not only the answer: it decides all that is learned from here.
      AutoLearner further = shards(one, 1, rows.subList(0, 1)).get(0);
      AutoLearner mergedFurther = shards(merged, 1, rows.subList(0, 1)).get(0);
      Instance outlier = new Instance(rows.get(7).x(), 4, 1);
      further.learn(outlier.x(), outlier.y(), 1);
      mergedFurther.learn(outlier.x(), outlier.y(), 1);
      SecondOrderMergeTest.assertAlike(further, mergedFurther, rest, 1e-6, count + " shards");
      List<AutoLearner> reversed = new ArrayList<>(shards);
      Collections.reverse(reversed);
      assertArrayEquals(merged.toBytes(), Avm.merge(start, reversed).toBytes(), "order");
    }
  }

  /** Shards forget what they began with, so it cannot be taken away from them again. */
  @Test
  void shardsThatForgetStaySound() {
    List<Instance> rows = Streams.noisySine(3, 6000, 0.1, 4);
    AutoLearner start = taught(regressor().forgetting(0.99), rows.subList(0, 2500));
    List<Instance> rest = rows.subList(2500, 5500);
    List<AutoLearner> shards = shards(start, 3, rest);
    List<Instance> test = rows.subList(5500, 6000);
    double worst = shards.stream().mapToDouble(s -> squaredError(s, test)).max().orElseThrow();
    AutoLearner merged = Avm.merge(start, shards);
    double error = squaredError(merged, test);
    System.out.printf("forgetting shards: worst %.4f, merged %.4f%n", worst, error);
    assertTrue(error <= worst, "mean squared error " + error + ", of the worst shard " + worst);
    LearnerChecks.learn(merged, test);
    double after = squaredError(merged, test);
    double alone = squaredError(taught(regressor().forgetting(0.99), rows), test);
    assertTrue(after <= 1.75 * alone, "going on, error " + after + ", of one learner " + alone);
  }

  /** They know the residuals to expect from what they began as. */
  @Test
  void shardsAndMergesCutOutliers() {
    List<Instance> rows = Streams.noisySine(3, 3000, 0.1, 4);
    AutoLearner start = taught(regressor(), rows.subList(0, 2500));
    List<Instance> test = rows.subList(2500, 3000);
    double before = squaredError(start, test);
    AutoLearner shard = Avm.shard(start);
    for (AutoLearner learner : List.of(shard, Avm.merge(start, List.of(Avm.shard(start))))) {
      learner.learn(rows.get(7).x(), 1e6, 1);
      double after = squaredError(learner, test);
      assertTrue(after < 2 * before, "error " + before + ", after an outlier " + after);
    }
  }

  /** A shard that finds out that its part has changed must not begin to forget either. */
  @Test
  void shardsDoNotTryToForget() {
    List<Instance> rows = Streams.blobs(2, 3, 7000, 4);
    AutoLearner start = taught(Avm.classifier().estimation(200), rows.subList(0, 2000));
    List<Instance> swapped =
        rows.subList(2000, 7000).stream()
            .map(row -> new Instance(row.x(), 1 - row.y(), 1))
            .toList();
    for (AutoLearner shard : shards(start, 1, swapped)) {
      assertEquals(1, ((SecondOrderConfig) shard.config()).forgetting());
      assertEquals(7000, Avm.merge(start, List.of(shard)).instances());
    }
  }

  /** Shards travel: what is read goes on and merges as what was written. */
  @Test
  void shardsSurviveTheirFiles() throws InvalidModelException {
    List<Instance> rows = Streams.blobs(3, 3, 4000, 4);
    AutoLearner start = taught(Avm.classifier().estimation(200), rows.subList(0, 2000));
    for (int learned : new int[] {0, 500}) {
      AutoLearner fresh = Avm.shard(start);
      LearnerChecks.learn(fresh, rows.subList(2000, 2000 + learned));
      AutoLearner read = (AutoLearner) Learner.fromBytes(fresh.toBytes());
      LearnerChecks.learn(fresh, rows.subList(3000, 4000));
      LearnerChecks.learn(read, rows.subList(3000, 4000));
      assertArrayEquals(fresh.toBytes(), read.toBytes());
      assertArrayEquals(
          Avm.merge(start, List.of(fresh)).toBytes(), Avm.merge(start, List.of(read)).toBytes());
    }
  }

  @Test
  void strangersAreRefused() {
    List<Instance> rows = Streams.noisySine(3, 1000, 0.1, 4);
    AutoLearner start = taught(regressor(), rows.subList(0, 500));
    AutoLearner stranger = taught(regressor(), rows);
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> Avm.merge(start, List.of(stranger)));
    assertTrue(e.getMessage().contains("must have begun as a shard of the start"), e.getMessage());
  }

  /** What the start has learned since would be subtracted from shards that never had it. */
  @Test
  void startThatWentOnIsRefused() throws InvalidModelException {
    List<Instance> rows = Streams.blobs(2, 3, 4000, 4);
    AutoLearner start = taught(Avm.classifier().estimation(200), rows.subList(0, 2000));
    AutoLearner asItWas = (AutoLearner) Learner.fromBytes(start.toBytes());
    List<AutoLearner> shards = shards(start, 2, rows.subList(2000, 3000));
    assertEquals(3000, Avm.merge(asItWas, shards).instances());
    for (Instance row : rows.subList(3000, 3003)) {
      LearnerChecks.learn(start, List.of(row));
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> Avm.merge(start, shards));
      assertTrue(e.getMessage().contains("is not what a shard of"), e.getMessage());
    }
    assertEquals(3000, Avm.merge(asItWas, shards).instances());
  }

  /** A part of a tree of merges, made a shard again, still has the first start. */
  @Test
  void mergesOfShardsMergeWithTheirStart() {
    List<Instance> rows = Streams.blobs(2, 3, 5000, 4);
    AutoLearner start = taught(Avm.classifier().estimation(200), rows.subList(0, 2000));
    List<AutoLearner> shards = shards(start, 3, rows.subList(2000, 5000));
    AutoLearner two = Avm.merge(start, shards.subList(0, 2));
    AutoLearner all = Avm.merge(start, List.of(Avm.shard(two), Avm.shard(shards.get(2))));
    assertEquals(5000, all.instances());
    assertEquals(5000, Avm.merge(two, List.of(Avm.shard(two))).instances() + 1000);
    List<AutoLearner> strangers = List.of(Avm.shard(start));
    assertThrows(IllegalArgumentException.class, () -> Avm.merge(two, strangers));
  }

  @Test
  void estimatingShardsHandOverWhatTheyKept() {
    List<Instance> rows = Streams.noisySine(2, 900, 0.1, 4);
    AutoConfig.Builder<AutoLearner> builder = Avm.regressor().estimation(500);
    AutoLearner one = taught(builder, rows.subList(0, 200));
    AutoLearner two = taught(builder, rows.subList(200, 400));
    AutoLearner merged = (AutoLearner) Avm.merge(List.of(one, two));
    assertTrue(merged.isEstimating());
    assertEquals(400, merged.instances());
    AutoLearner three = taught(builder, rows.subList(400, 600));
    AutoLearner all = (AutoLearner) Avm.merge(List.of(merged, three));
    assertFalse(all.isEstimating());
    assertEquals(600, all.instances());
    AutoLearner settled = taught(builder, rows.subList(0, 600));
    AutoLearner more =
        (AutoLearner) Avm.merge(List.of(taught(builder, rows.subList(600, 900)), settled));
    assertEquals(900, more.instances());
    assertEquals(settled.scaling(), more.scaling());
    assertTrue(squaredError(more, rows) < 0.02, "error " + squaredError(more, rows));
  }

  /** Each saw its own half of the square on its own scale; together they know it all. */
  @Test
  void shardsOfDifferentScalingAddUp() {
    List<Instance> rows = Streams.checkerboard(4, 12_000, 2);
    List<Instance> left = rows.stream().filter(row -> row.x().get(0) < 0.5).toList();
    List<Instance> right = rows.stream().filter(row -> row.x().get(0) >= 0.5).toList();
    AutoConfig.Builder<AutoLearner> builder =
        Avm.classifier().estimation(500).scaling(ScalingMode.STANDARD);
    AutoLearner one = taught(builder, left);
    AutoLearner two = taught(builder, right);
    assertNotEquals(one.scaling(), two.scaling());
    Learner merged = Avm.merge(List.of(one, two));
    List<Instance> test = Streams.checkerboard(4, 3000, 3);
    double error = SecondOrderMergeTest.errors(merged, test);
    double ofOne = SecondOrderMergeTest.errors(one, test);
    double ofTwo = SecondOrderMergeTest.errors(two, test);
    System.out.printf("halves: %.3f, %.3f, merged %.3f%n", ofOne, ofTwo, error);
    assertTrue(error < 0.5 * Math.min(ofOne, ofTwo), "error " + error);
  }

  @Test
  void orderDoesNotMatterAndSavedGoesOnToTheBit() throws InvalidModelException {
    List<Instance> rows = Streams.blobs(3, 3, 3000, 9);
    List<AutoLearner> shards = new ArrayList<>();
    for (int s = 0; s < 3; s++) {
      // The last one still estimates.
      int end = s == 2 ? 2100 : 1000 * (s + 1);
      shards.add(taught(Avm.classifier().estimation(300), rows.subList(1000 * s, end)));
    }
    Learner merged = Avm.merge(shards);
    List<AutoLearner> reversed = new ArrayList<>(shards);
    Collections.reverse(reversed);
    reversed.add(Avm.classifier().estimation(300).build());
    assertArrayEquals(merged.toBytes(), Avm.merge(reversed).toBytes());
    assertEquals(2100, merged.instances());
    Learner restored = Learner.fromBytes(merged.toBytes());
    LearnerChecks.learn(merged, rows.subList(2100, 3000));
    LearnerChecks.learn(restored, rows.subList(2100, 3000));
    assertArrayEquals(merged.toBytes(), restored.toBytes());
  }
}
