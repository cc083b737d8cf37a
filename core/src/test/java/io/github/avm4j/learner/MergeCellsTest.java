// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static io.github.avm4j.learner.CellStreams.errors;
import static io.github.avm4j.learner.CellStreams.learn;
import static io.github.avm4j.learner.CellStreams.learned;
import static io.github.avm4j.learner.CellStreams.row;
import static io.github.avm4j.learner.CellStreams.target;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.auto.Origins;
import io.github.avm4j.internal.cells.Cell;
import io.github.avm4j.internal.cells.Level;
import io.github.avm4j.internal.tuning.TunedEngine;
import io.github.avm4j.learner.CellStreams.StreamKind;
import io.github.avm4j.model.InvalidModelException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Merging learners that have divided the input space. */
class MergeCellsTest {
  private static final int START = 8000;
  private static final int MORE = 3000;
  private static final double NOISE = 0.3;

  private static List<AutoLearner> shards(AutoLearner start, StreamKind kind, int count) {
    List<AutoLearner> shards = new ArrayList<>();
    for (int s = 0; s < count; s++) {
      shards.add(Avm.shard(start));
    }
    deal(shards, kind, MORE, kind == StreamKind.REGRESSION ? NOISE : 0, 7);
    return shards;
  }

  private static void deal(
      List<AutoLearner> learners, StreamKind kind, int rows, double noise, long seed) {
    Random random = new Random(seed);
    for (int t = 0; t < rows; t++) {
      FeatureVector x = row(kind, random);
      learners.get(t % learners.size()).learn(x, target(kind, x) + noise * random.nextGaussian());
    }
  }

  /** Nothing is skipped, forgotten or cut as an outlier: then sums are exact. */
  private static AutoLearner regressor() {
    AutoLearner start = Avm.regressor().budget(16).skip(0).forgetting(1).build();
    deal(List.of(start), StreamKind.REGRESSION, START, NOISE, 1);
    return start;
  }

  private static Level<TunedEngine> newest(AutoLearner learner) {
    List<Level<TunedEngine>> levels = learner.engine.levels.list;
    assertFalse(levels.isEmpty(), "not divided");
    return levels.get(levels.size() - 1);
  }

  /** Compares the functions of engines of cells; how many there were in both. */
  private static int assertAlike(
      AutoLearner expected, AutoLearner actual, StreamKind kind, String what) {
    assertEquals(newest(expected).partition, newest(actual).partition, what);
    Random random = new Random(8);
    int compared = 0;
    for (int t = 0; t < 500; t++) {
      FeatureVector x = row(kind, random);
      int index = newest(expected).partition.indexOf(x);
      TunedEngine one = newest(expected).cells.get(index).expert;
      TunedEngine other = newest(actual).cells.get(index).expert;
      if (one != null && other != null) {
        assertEquals(one.predict(x), other.predict(x), 1e-6, what);
        // Among two classes, whose margin it is depends on their order.
        assertEquals(Math.abs(one.score(x)), Math.abs(other.score(x)), 1e-6, what);
        compared++;
      }
    }
    return compared;
  }

  /**
   * On common core points, with the squared loss, nothing is lost: engines of cells are those of
   * one learner that learned from every instance in turn.
   */
  @Test
  void enginesOfCellsAreThoseOfOneLearnerOfEverything() {
    AutoLearner start = regressor();
    AutoLearner one = shards(start, StreamKind.REGRESSION, 1).get(0);
    for (int count : new int[] {1, 2, 5}) {
      List<AutoLearner> shards = shards(start, StreamKind.REGRESSION, count);
      AutoLearner merged = Avm.merge(start, shards);
      assertEquals(START + MORE, merged.instances(), count + " shards");
      int compared = assertAlike(one, merged, StreamKind.REGRESSION, count + " shards");
      assertTrue(compared > 400, compared + " of 500 rows are in cells with engines");
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatShardsLearnInCellsIsKept(StreamKind kind) {
    AutoLearner start = learned(kind, START);
    List<AutoLearner> shards = shards(start, kind, 3);
    AutoLearner merged = Avm.merge(start, shards);
    assertEquals(START + MORE, merged.instances());
    double one = errors(shards(start, kind, 1).get(0), kind);
    double all = errors(merged, kind);
    assertTrue(all <= 1.2 * one + 5, "errors " + all + ", of one learner " + one);
    double before = errors(start, kind);
    assertTrue(all <= 1.1 * before + 5, "errors " + all + ", of the start " + before);
    learn(merged, kind, 1000, 3);
    assertTrue(errors(merged, kind) <= 1.1 * before + 5, "going on");
  }

  @ParameterizedTest
  @EnumSource
  void shardsThatLearnedNothingChangeNothing(StreamKind kind) {
    AutoLearner start = learned(kind, START);
    AutoLearner merged = Avm.merge(start, List.of(Avm.shard(start), Avm.shard(start)));
    assertEquals(START, merged.instances());
    for (int i = 0; i < newest(start).cells.size(); i++) {
      Cell<TunedEngine> before = newest(start).cells.get(i);
      Cell<TunedEngine> after = newest(merged).cells.get(i);
      assertEquals(before.leads(), after.leads(), "cell " + i);
      assertEquals(before.closed, after.closed, "cell " + i);
      assertEquals(before.stored.size(), after.stored.size(), "cell " + i);
    }
    assertTrue(assertAlike(start, merged, kind, "nothing learned") > 250);
  }

  /** Shards may travel as files, and in any order. */
  @ParameterizedTest
  @EnumSource
  void shardsSurviveTheirFilesInAnyOrder(StreamKind kind) throws InvalidModelException {
    AutoLearner start = learned(kind, START);
    List<AutoLearner> shards = shards(start, kind, 2);
    List<AutoLearner> read = new ArrayList<>();
    for (AutoLearner shard : shards) {
      read.add((AutoLearner) Learner.fromBytes(shard.toBytes()));
    }
    Collections.reverse(read);
    AutoLearner merged = Avm.merge(start, shards);
    assertArrayEquals(merged.toBytes(), Avm.merge(start, read).toBytes());
    AutoLearner restored = (AutoLearner) Learner.fromBytes(merged.toBytes());
    learn(merged, kind, 500, 3);
    learn(restored, kind, 500, 3);
    assertArrayEquals(merged.toBytes(), restored.toBytes());
  }

  /** As a tree of merges does it. */
  @Test
  void mergesOfShardsMergeWithTheirStart() {
    AutoLearner start = regressor();
    List<AutoLearner> shards = shards(start, StreamKind.REGRESSION, 3);
    AutoLearner two = Avm.merge(start, shards.subList(0, 2));
    AutoLearner tree = Avm.merge(start, List.of(Avm.shard(two), shards.get(2)));
    AutoLearner flat = Avm.merge(start, shards);
    assertEquals(flat.instances(), tree.instances());
    assertTrue(assertAlike(flat, tree, StreamKind.REGRESSION, "tree") > 400);
    assertEquals(stored(start), stored(tree), "cells without engines are as in the start");
  }

  private static int stored(AutoLearner learner) {
    return newest(learner).cells.stream().mapToInt(cell -> cell.stored.size()).sum();
  }

  @Test
  void cellsWithoutEnginesWait() {
    AutoLearner start = learned(StreamKind.TWO_CLASSES, 3_010);
    assertTrue(stored(start) > 0, "no cell waits for its engine");
    AutoLearner shard = Avm.shard(start);
    learn(shard, StreamKind.TWO_CLASSES, 2_000, 2);
    assertEquals(0, stored(shard));
    AutoLearner merged = Avm.merge(start, List.of(shard));
    assertEquals(stored(start), stored(merged));
    learn(merged, StreamKind.TWO_CLASSES, 5_000, 3);
    assertTrue(newest(merged).cells.stream().anyMatch(Cell::leads), "they got engines");
  }

  /** Independent learners of one division, as of one saved learner: cell by cell, too. */
  @Test
  void learnersDividedAlikeAreMergedCellByCell() {
    AutoLearner one = learned(StreamKind.TWO_CLASSES, START);
    AutoLearner other = learned(StreamKind.TWO_CLASSES, START);
    learn(one, StreamKind.TWO_CLASSES, 200, 2);
    learn(other, StreamKind.TWO_CLASSES, 200, 3);
    AutoLearner merged = (AutoLearner) Avm.merge(List.of(one, other));
    assertEquals(2 * START + 400, merged.instances());
    assertEquals(newest(one).partition, newest(merged).partition);
    double alone = errors(one, StreamKind.TWO_CLASSES);
    assertTrue(errors(merged, StreamKind.TWO_CLASSES) <= alone + 10, "errors of one: " + alone);
  }

  /** Others begin without cells, with the instances that all of them kept to divide by. */
  @Test
  void learnersDividedOtherwiseAreDividedAnew() {
    AutoLearner one = learned(StreamKind.TWO_CLASSES, START);
    AutoLearner other = CellStreams.builder(StreamKind.TWO_CLASSES).build();
    learn(other, StreamKind.TWO_CLASSES, START, 5);
    assertNotEquals(newest(one).partition, newest(other).partition);
    AutoLearner merged = (AutoLearner) Avm.merge(List.of(one, other));
    assertTrue(merged.engine.levels.list.isEmpty());
    assertEquals(2 * START, merged.instances());
    learn(merged, StreamKind.TWO_CLASSES, 1, 6);
    assertEquals(64, newest(merged).cells.size(), "as many as one learner of so many would have");
  }

  private static AutoLearner mergedOfOtherDivisions(int cells, int rows) {
    List<AutoLearner> learners = new ArrayList<>();
    for (int seed = 1; seed <= 2; seed++) {
      AutoLearner one = CellStreams.builder(StreamKind.TWO_CLASSES).cells(cells).build();
      learn(one, StreamKind.TWO_CLASSES, rows, seed);
      learners.add(one);
    }
    assertNotEquals(newest(learners.get(0)).partition, newest(learners.get(1)).partition);
    return (AutoLearner) Avm.merge(learners);
  }

  /** Learners that have as many cells as they may keep no instance to divide by. */
  @Test
  void whereNothingIsKeptDividingWaits() {
    AutoLearner merged = mergedOfOtherDivisions(16, START);
    assertEquals(0, merged.engine.levels.kept.size());
    learn(merged, StreamKind.TWO_CLASSES, 2_999, 6);
    assertTrue(merged.engine.levels.list.isEmpty(), "too few to divide by");
    learn(merged, StreamKind.TWO_CLASSES, 2, 7);
    assertEquals(16, newest(merged).cells.size());
  }

  /** A start that has just been divided keeps few instances. */
  @Test
  void aFewInstancesDivideNothing() {
    AutoLearner start = learned(StreamKind.TWO_CLASSES, 3_010);
    AutoLearner shard = Avm.shard(start);
    learn(shard, StreamKind.TWO_CLASSES, 9_000, 2);
    AutoLearner merged = Avm.merge(start, List.of(shard));
    learn(merged, StreamKind.TWO_CLASSES, 2_900, 3);
    assertEquals(16, newest(merged).cells.size(), "it would have more, had it kept enough");
    learn(merged, StreamKind.TWO_CLASSES, 200, 4);
    assertTrue(newest(merged).cells.size() > 16, "it is not divided");
  }

  /**
   * The sum of a cell's engines predicts unless what shards have seen speaks clearly against it.
   */
  @Test
  void onlyCellsThatAreClearlyWorseStepBack() {
    AutoLearner start = learned(StreamKind.TWO_CLASSES, START);
    int leading = 0;
    while (!newest(start).cells.get(leading).leads()) {
      leading++;
    }
    for (int worse : new int[] {10, 200}) {
      AutoLearner shard = Avm.shard(start);
      Cell<TunedEngine> cell = newest(shard).cells.get(leading);
      long seen = cell.contest.seen();
      cell.contest.restart();
      for (int t = 0; t < seen + 400; t++) {
        boolean own =
            t % 2 == 0; // one of them is wrong, its engine more often than what is outside
        cell.contest.observe(t < worse || own ? new double[] {0, 1} : new double[] {1, 0});
      }
      Cell<TunedEngine> merged = newest(Avm.merge(start, List.of(shard))).cells.get(leading);
      assertEquals(worse == 10, merged.leads(), worse + " times more");
    }
  }

  /** Engines of cells have few instances to try forgetting on, those of merged cells, too. */
  @Test
  void enginesOfMergedCellsTryNothingSooner() {
    AutoLearner start = learned(StreamKind.TWO_CLASSES, START);
    AutoLearner merged = Avm.merge(start, shards(start, StreamKind.TWO_CLASSES, 2));
    int engines = 0;
    for (Cell<TunedEngine> cell : newest(merged).cells) {
      TunedEngine expert = cell.expert;
      if (expert != null) {
        long rest = expert.trial.next - expert.instances();
        assertEquals(8L * expert.config.estimation(), rest);
        engines++;
      }
    }
    assertTrue(engines > 0, "no cell has an engine");
  }

  @Test
  void aStartWhoseCellWentOnIsRefused() {
    AutoLearner start = learned(StreamKind.TWO_CLASSES, START);
    AutoLearner shard = Avm.shard(start);
    long passed = start.engine.levels.passed;
    long identity = Origins.identity(start.engine);
    for (int seed = 0; start.engine.levels.passed == passed; seed++) {
      assertTrue(seed < 100, "no cell goes on alone");
      learn(start, StreamKind.TWO_CLASSES, 1, seed);
    }
    assertNotEquals(identity, Origins.identity(start.engine));
    assertThrows(IllegalArgumentException.class, () -> Avm.merge(start, List.of(shard)));
  }

  @Test
  void aShardOfAnotherDivisionIsRefused() {
    AutoLearner start = learned(StreamKind.TWO_CLASSES, START);
    AutoLearner shard = Avm.shard(start);
    shard.engine.levels.list.clear();
    String message =
        assertThrows(IllegalArgumentException.class, () -> Avm.merge(start, List.of(shard)))
            .getMessage();
    assertTrue(message.contains("must have begun as a shard of the start"), message);
  }
}
