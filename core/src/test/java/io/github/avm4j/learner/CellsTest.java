// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.AutoLearnerBuilder;
import io.github.avm4j.Avm;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.format.FileForge;
import io.github.avm4j.internal.format.Sections;
import io.github.avm4j.model.Cells;
import io.github.avm4j.model.Explanation;
import io.github.avm4j.model.FloatModel;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import io.github.avm4j.partition.SplitTree;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The default learner once it has divided the input space into cells. */
class CellsTest {
  /** Streams in which cells lead, by what is special about them. */
  enum Kind {
    TWO_CLASSES,
    /** Three in turn from left to right, so that cells meet one, two or three, in any order. */
    LOCAL_CLASSES,
    REGRESSION,
    SPARSE,
    /** Comparisons of single features, among others of no use: cells are leaves of a tree. */
    RULES,
    SPARSE_RULES
  }

  /** Files of learners, which take time to make. */
  private static final Map<String, byte[]> LEARNED = new ConcurrentHashMap<>();

  private static AutoLearnerBuilder builder(Kind kind) {
    return (kind == Kind.REGRESSION ? Avm.regressor() : Avm.classifier()).budget(16);
  }

  private static FeatureVector row(Kind kind, Random random) {
    double[] x = {6 * random.nextDouble(), 6 * random.nextDouble()};
    if (kind == Kind.RULES || kind == Kind.SPARSE_RULES) {
      double[] more = {x[0], random.nextDouble(), random.nextDouble(), x[1], random.nextDouble()};
      boolean dense = kind == Kind.RULES;
      return dense
          ? FeatureVector.dense(more)
          : FeatureVector.sparse(new int[] {0, 1, 2, 3, 4 + random.nextInt(3)}, more);
    }
    return kind == Kind.SPARSE
        ? FeatureVector.sparse(
            new int[] {0, 3, 5 + random.nextInt(4)}, new double[] {x[0], x[1], 1})
        : FeatureVector.dense(x);
  }

  private static double target(Kind kind, FeatureVector x) {
    double a = x.get(0);
    boolean two = kind != Kind.SPARSE && kind != Kind.RULES && kind != Kind.SPARSE_RULES;
    double b = x.get(two ? 1 : 3);
    double board = ((int) a + (int) b) % 2;
    return switch (kind) {
      case TWO_CLASSES, SPARSE -> board;
      case RULES, SPARSE_RULES -> a < 2 ? b < 5 ? 0 : 1 : a < 4 ? b < 1 ? 0 : 1 : b < 3 ? 0 : 1;
      case LOCAL_CLASSES -> a < 2 ? 1 + board : a < 4 ? 2 - board : 2 + board;
      case REGRESSION -> Math.sin(4 * a) * Math.cos(4 * b);
    };
  }

  /** Goes on with a stream of its own. */
  private static void learn(Learner learner, Kind kind, int rows, long seed) {
    Random random = new Random(seed);
    for (int t = 0; t < rows; t++) {
      FeatureVector x = row(kind, random);
      learner.learn(x, target(kind, x));
    }
  }

  private static AutoLearner learned(Kind kind, int rows) {
    byte[] file = LEARNED.computeIfAbsent(kind + " " + rows, key -> file(kind, rows));
    try {
      return (AutoLearner) Learner.fromBytes(file);
    } catch (InvalidModelException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] file(Kind kind, int rows) {
    AutoLearner learner = builder(kind).build();
    learn(learner, kind, rows, 1);
    return learner.toBytes();
  }

  private static double errors(Learner learner, Kind kind) {
    Random random = new Random(9);
    double sum = 0;
    for (int t = 0; t < 1000; t++) {
      FeatureVector x = row(kind, random);
      double miss = learner.predict(x) - target(kind, x);
      sum += kind == Kind.REGRESSION ? miss * miss : miss == 0 ? 0 : 1;
    }
    return sum;
  }

  @ParameterizedTest
  @EnumSource
  void moreIsLearnedThanByOneExpansion(Kind kind) {
    AutoLearner one = builder(kind).cells(0).build();
    learn(one, kind, 14_000, 1);
    AutoLearner many = learned(kind, 14_000);
    assertEquals(0, one.cells());
    int least = kind == Kind.RULES || kind == Kind.SPARSE_RULES ? 8 : 17;
    assertTrue(many.cells() >= least, many.cells() + " cells");
    if (kind == Kind.RULES || kind == Kind.SPARSE_RULES) {
      Cells cells = many.snapshot().levels().get(0);
      assertInstanceOf(SplitTree.class, cells.partition(), cells.size() + " cells");
    }
    assertTrue(many.size() > one.size(), many.size() + " core points");
    double with = errors(many, kind);
    double without = errors(one, kind);
    assertTrue(with < 0.8 * without, with + " with cells, " + without + " without");
  }

  @ParameterizedTest
  @EnumSource
  void goesOnAfterSavingAsIfItHadNeverStopped(Kind kind) throws InvalidModelException {
    AutoLearner learner = builder(kind).build();
    for (int round = 0; round < 11; round++) {
      Learner restored = Learner.fromBytes(learner.toBytes());
      assertArrayEquals(learner.toBytes(), restored.toBytes(), "round " + round);
      learn(learner, kind, 1311, round);
      learn(restored, kind, 1311, round);
      assertArrayEquals(learner.toBytes(), restored.toBytes(), "round " + round);
      double error = Math.abs(learner.modelBytes() - learner.toBytes().length);
      assertTrue(error <= Math.max(1024, 0.02 * learner.modelBytes()), error + " bytes off");
    }
    assertEquals(11 * 1311, learner.instances());
    assertEquals(11 * 1311, learner.snapshot().provenance().instances());
  }

  @ParameterizedTest
  @EnumSource
  void theModelPredictsWhatTheLearnerDoes(Kind kind) throws InvalidModelException {
    AutoLearner learner = learned(kind, 8000);
    Model model = learner.snapshot();
    assertTrue(model.parts().size() > 2, "cells lead");
    assertEquals(learner.size(), model.size());
    Model read = Avm.modelFromBytes(Avm.toBytes(model));
    Model ofLearner = Avm.modelFromBytes(learner.toBytes());
    FloatModel rounded = new FloatModel(model);
    int n = Math.max(1, model.classes());
    Random random = new Random(5);
    int close = 0;
    for (int t = 0; t < 500; t++) {
      FeatureVector x = row(kind, random);
      double[] scores = new double[n];
      double[] expected = new double[n];
      learner.scores(x, expected);
      model.scores(x, scores);
      assertArrayEquals(expected, scores, 1e-9);
      assertEquals(learner.predict(x), model.predict(x), 1e-9);
      assertEquals(learner.score(x), model.score(x), 1e-9);
      assertEquals(model.predict(x), read.predict(x));
      assertEquals(model.predict(x), ofLearner.predict(x));
      close += Math.abs(rounded.score(x) - model.score(x)) < 1e-3 ? 1 : 0;
      if (model.task() == Task.CLASSIFICATION) {
        double[] shares = model.probabilities(x);
        assertEquals(1, Arrays.stream(shares).sum(), 1e-12);
        assertEquals(model.predict(x), model.label(most(shares)));
      }
    }
    assertTrue(close > 480, close + " of 500 scores alike in single precision");
    assertArrayEquals(Avm.toBytes(model), Avm.toBytes(read));
  }

  private static int most(double[] values) {
    return IntStream.range(0, values.length)
        .reduce((a, b) -> values[b] > values[a] ? b : a)
        .orElseThrow();
  }

  @ParameterizedTest
  @EnumSource
  void anExplanationAddsUpToTheScore(Kind kind) {
    Model model = learned(kind, 8000).snapshot();
    Random random = new Random(6);
    for (int t = 0; t < 100; t++) {
      FeatureVector x = row(kind, random);
      Explanation why = Explanation.of(model, x, 4);
      double sum = why.parts().stream().mapToDouble(Explanation.Part::contribution).sum();
      assertEquals(why.score(), why.intercept() + sum + why.rest(), 1e-9);
      assertEquals(model.predict(x), why.prediction(), 1e-9);
      if (kind == Kind.TWO_CLASSES) {
        assertEquals(why.score() > 0, model.predict(x) == model.label(1), "positive: the second");
      }
      if (kind == Kind.LOCAL_CLASSES) {
        assertTrue(model.local(x).columns() > 1 || why.score() >= 0, "positive: the winner");
      }
    }
  }

  @Test
  void aClassThatACellHasNotMetIsUnlikelyThere() {
    AutoLearner learner = learned(Kind.LOCAL_CLASSES, 8000);
    Random random = new Random(7);
    int unmet = 0;
    for (int t = 0; t < 500; t++) {
      FeatureVector x = row(Kind.LOCAL_CLASSES, random);
      Model part = learner.snapshot().local(x);
      if (part.classes() < 3) {
        double[] shares = learner.snapshot().probabilities(x);
        unmet++;
        assertTrue(Arrays.stream(shares).min().orElseThrow() <= 1e-3, Arrays.toString(shares));
      }
    }
    assertTrue(unmet > 50, unmet + " instances in cells that lack a class");
  }

  @Test
  void aClassThatComesLateIsLearned() {
    AutoLearner learner = learned(Kind.TWO_CLASSES, 8000);
    Random random = new Random(8);
    for (int t = 0; t < 3000; t++) {
      FeatureVector x = row(Kind.TWO_CLASSES, random);
      learner.learn(x, x.get(0) < 1 ? 7 : target(Kind.TWO_CLASSES, x));
    }
    assertEquals(3, learner.classes());
    int right = 0;
    for (int t = 0; t < 200; t++) {
      FeatureVector x = FeatureVector.dense(random.nextDouble(), 6 * random.nextDouble());
      right += learner.predict(x) == 7 ? 1 : 0;
    }
    assertTrue(right > 150, right + " of 200");
  }

  @ParameterizedTest
  @EnumSource
  void theNumberOfCellsIsBounded(Kind kind) {
    for (int most : new int[] {0, 1, 2, 20}) {
      AutoLearner learner = builder(kind).cells(most).build();
      learn(learner, kind, 13_000, 1);
      assertTrue(learner.cells() <= most, learner.cells() + " cells of " + most);
      assertTrue(learner.size() <= 16 * (1 + 2 * most), learner.size() + " core points");
      long held = RetainedSize.of(learner);
      assertTrue(held <= learner.bytes(), "holds " + held + ", says " + learner.bytes());
    }
  }

  @Test
  void relabelledItGoesOnAlike() throws InvalidModelException {
    AutoLearner learner = learned(Kind.LOCAL_CLASSES, 8000);
    Learner indexed = Relabelling.read(learner.toBytes());
    Random random = new Random(4);
    for (int t = 0; t < 2000; t++) {
      FeatureVector x = row(Kind.LOCAL_CLASSES, random);
      double y = target(Kind.LOCAL_CLASSES, x);
      double was = learner.predictThenLearn(x, y, 1);
      double now = indexed.predictThenLearn(x, indexOf(learner, y), 1);
      assertEquals(indexOf(learner, was), now);
    }
  }

  /** Cells alone learn from some instances. These count, too. */
  @ParameterizedTest
  @EnumSource
  void shardsAndTheirSumCountAllInstances(Kind kind) {
    AutoLearner start = learned(kind, 8_000);
    AutoLearner shard = Avm.shard(start);
    AutoLearner other = Avm.shard(start);
    assertEquals(8_000, shard.instances());
    learn(shard, kind, 100, 2);
    learn(other, kind, 200, 3);
    assertEquals(8_300, Avm.merge(start, List.of(shard, other)).instances());
    assertEquals(16_000, Avm.merge(List.of(start, learned(kind, 8_000))).instances());
  }

  private static double indexOf(Learner learner, double label) {
    return IntStream.range(0, learner.classes())
        .filter(j -> learner.label(j) == label)
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @EnumSource(names = {"LOCAL_CLASSES", "RULES"})
  void damagedFilesAreRefused(Kind kind) {
    byte[] file = learned(kind, 8000).toBytes();
    Random random = new Random(2);
    for (int type : new int[] {Sections.CELLS, Sections.CELL_LEARNERS}) {
      byte[] payload = FileForge.payloads(file).get(type);
      for (int i = 0; i < 60; i++) {
        int length = i < 40 ? i * 3 : random.nextInt(payload.length);
        byte[] shorter = FileForge.with(file, type, Arrays.copyOf(payload, length));
        assertThrows(InvalidModelException.class, () -> Learner.fromBytes(shorter));
      }
    }
    byte[] cells = FileForge.payloads(file).get(Sections.CELL_LEARNERS);
    byte[] without = FileForge.without(file, Sections.CELLS);
    assertThrows(InvalidModelException.class, () -> Learner.fromBytes(without));
    byte[] alone = FileForge.without(file, Sections.CELL_LEARNERS);
    assertThrows(InvalidModelException.class, () -> Learner.fromBytes(alone));
    assertTrue(cells.length > 0);
  }
}
