// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static io.github.avm4j.learner.CellStreams.errors;
import static io.github.avm4j.learner.CellStreams.learn;
import static io.github.avm4j.learner.CellStreams.learned;
import static io.github.avm4j.learner.CellStreams.rows;
import static io.github.avm4j.learner.CellStreams.target;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.CellStreams.StreamKind;
import io.github.avm4j.model.Explanation;
import io.github.avm4j.model.InvalidModelException;
import io.github.avm4j.model.Model;
import io.github.avm4j.testing.Streams;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The default learner once it has divided the input space into cells. */
class CellsTest {
  @ParameterizedTest
  @EnumSource
  void moreIsLearnedThanByOneExpansion(StreamKind kind) {
    AutoLearner one = CellStreams.builder(kind).cells(0).build();
    learn(one, kind, 14_000, 1);
    AutoLearner many = learned(kind, 14_000);
    assertEquals(0, one.cells());
    int least = kind == StreamKind.RULES || kind == StreamKind.SPARSE_RULES ? 8 : 17;
    assertTrue(many.cells() >= least, many.cells() + " cells");
    assertTrue(many.size() > one.size(), many.size() + " core points");
    double with = errors(many, kind);
    double without = errors(one, kind);
    assertTrue(with < 0.8 * without, with + " with cells, " + without + " without");
  }

  @ParameterizedTest
  @EnumSource
  void goesOnAfterSavingAsIfItHadNeverStopped(StreamKind kind) throws InvalidModelException {
    AutoLearner learner = CellStreams.builder(kind).build();
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
  void theModelPredictsWhatTheLearnerDoes(StreamKind kind) throws InvalidModelException {
    AutoLearner learner = learned(kind, 8000);
    Model model = learner.snapshot();
    assertTrue(model.parts().size() > 2, "cells lead");
    assertEquals(learner.size(), model.size());
    Model read = Avm.modelFromBytes(Avm.toBytes(model));
    Model ofLearner = Avm.modelFromBytes(learner.toBytes());
    int n = Math.max(1, model.classes());
    for (FeatureVector x : rows(kind, 500, 5)) {
      double[] scores = new double[n];
      double[] expected = new double[n];
      learner.scores(x, expected);
      model.scores(x, scores);
      assertArrayEquals(expected, scores, 1e-9);
      assertEquals(learner.predict(x), model.predict(x), 1e-9);
      assertEquals(learner.score(x), model.score(x), 1e-9);
      assertEquals(model.predict(x), read.predict(x));
      assertEquals(model.predict(x), ofLearner.predict(x));
      if (model.task() == Task.CLASSIFICATION) {
        double[] shares = model.probabilities(x);
        assertEquals(1, Arrays.stream(shares).sum(), 1e-12);
        assertEquals(model.predict(x), model.label(most(shares)));
      }
    }
    assertArrayEquals(Avm.toBytes(model), Avm.toBytes(read));
  }

  private static int most(double[] values) {
    return IntStream.range(0, values.length)
        .reduce((a, b) -> values[b] > values[a] ? b : a)
        .orElseThrow();
  }

  @ParameterizedTest
  @EnumSource
  void anExplanationAddsUpToTheScore(StreamKind kind) {
    Model model = learned(kind, 8000).snapshot();
    for (FeatureVector x : rows(kind, 100, 6)) {
      Explanation why = Explanation.of(model, x, 4);
      double sum = why.parts().stream().mapToDouble(Explanation.Part::contribution).sum();
      assertEquals(why.score(), why.intercept() + sum + why.rest(), 1e-9);
      assertEquals(model.predict(x), why.prediction(), 1e-9);
      if (kind == StreamKind.TWO_CLASSES) {
        assertEquals(why.score() > 0, model.predict(x) == model.label(1), "positive: the second");
      }
      if (kind == StreamKind.LOCAL_CLASSES) {
        assertTrue(model.local(x).columns() > 1 || why.score() >= 0, "positive: the winner");
      }
    }
  }

  @Test
  void aClassThatACellHasNotMetIsUnlikelyThere() {
    AutoLearner learner = learned(StreamKind.LOCAL_CLASSES, 8000);
    int unmet = 0;
    for (FeatureVector x : rows(StreamKind.LOCAL_CLASSES, 500, 7)) {
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
    AutoLearner learner = learned(StreamKind.TWO_CLASSES, 8000);
    for (FeatureVector x : rows(StreamKind.TWO_CLASSES, 3000, 8)) {
      learner.learn(x, x.get(0) < 1 ? 7 : target(StreamKind.TWO_CLASSES, x));
    }
    assertEquals(3, learner.classes());
    int right = 0;
    for (double[] x : Streams.uniform(10, 200, 2)) {
      right += learner.predict(FeatureVector.dense(x[0], 6 * x[1])) == 7 ? 1 : 0;
    }
    assertTrue(right > 150, right + " of 200");
  }

  @ParameterizedTest
  @EnumSource
  void theNumberOfCellsIsBounded(StreamKind kind) {
    for (int most : new int[] {0, 1, 2, 20}) {
      AutoLearner learner = CellStreams.builder(kind).cells(most).build();
      learn(learner, kind, 13_000, 1);
      assertTrue(learner.cells() <= most, learner.cells() + " cells of " + most);
      assertTrue(learner.size() <= 16 * (1 + 3 * most), learner.size() + " core points");
      long held = RetainedSize.of(learner);
      assertTrue(held <= learner.bytes(), "holds " + held + ", says " + learner.bytes());
    }
  }

  @Test
  void relabelledItGoesOnAlike() throws InvalidModelException {
    AutoLearner learner = learned(StreamKind.LOCAL_CLASSES, 8000);
    Learner indexed = Relabelling.read(learner.toBytes());
    for (FeatureVector x : rows(StreamKind.LOCAL_CLASSES, 2000, 4)) {
      double y = target(StreamKind.LOCAL_CLASSES, x);
      double was = learner.predictThenLearn(x, y, 1);
      double now = indexed.predictThenLearn(x, indexOf(learner, y), 1);
      assertEquals(indexOf(learner, was), now);
    }
  }

  private static double indexOf(Learner learner, double label) {
    return IntStream.range(0, learner.classes())
        .filter(j -> learner.label(j) == label)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void rowsOfAnotherNumberOfFeaturesAreRefused() {
    AutoLearner learner = learned(StreamKind.RULES, 8000);
    assertTrue(learner.predictingCells() > 0);
    double[] scores = new double[learner.classes()];
    for (int features = 1; features < learner.bounds().dimension(); features++) {
      FeatureVector x = FeatureVector.dense(new double[features]);
      for (Executable call :
          List.<Executable>of(
              () -> learner.predict(x),
              () -> learner.score(x),
              () -> learner.scores(x, scores),
              () -> learner.learn(x, 0))) {
        String message = assertThrows(IllegalArgumentException.class, call).getMessage();
        assertTrue(String.valueOf(message).startsWith("x has " + features + " features"), message);
      }
    }
  }
}
