// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.model.Decision;
import io.github.avm4j.model.Predictor;
import io.github.avm4j.testing.Streams;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which labels a budget asks for. */
class LabelBudgetTest {
  private static final FeatureVector X = FeatureVector.dense(0);
  private static final int ROWS = 30_000;

  /** Margins of a stream by its row. */
  enum Margins {
    UNIFORM,
    SKEWED,
    CONSTANT,
    ZERO,
    FALLING,
    RISING,
    JUMPING,
    BLOCKS;

    IntToDoubleFunction of(long seed) {
      Random random = new Random(seed);
      return switch (this) {
        case UNIFORM -> t -> random.nextDouble();
        case SKEWED -> t -> Math.exp(3 * random.nextGaussian());
        case CONSTANT -> t -> 1;
        case ZERO -> t -> 0;
        case FALLING -> t -> Math.exp(-t / 500.0);
        case RISING -> t -> Math.exp(t / 500.0);
        case JUMPING -> t -> (t / 1000 % 2 == 0 ? 1e-6 : 1e6) * random.nextDouble();
        case BLOCKS -> t -> t / 3000 % 2;
      };
    }
  }

  /** Two classes, or one, and a margin that the test sets. */
  private static final class Margin implements Predictor {
    double margin;
    int classes = 2;

    @Override
    public Task task() {
      return Task.CLASSIFICATION;
    }

    @Override
    public int classes() {
      return classes;
    }

    @Override
    public double label(int index) {
      return index;
    }

    @Override
    public int size() {
      return 0;
    }

    @Override
    public double predict(FeatureVector x) {
      return 0;
    }

    @Override
    public double score(FeatureVector x) {
      return margin;
    }

    @Override
    public void scores(FeatureVector x, double[] out) {
      for (int j = 0; j < classes; j++) {
        out[j] = j == 0 ? margin : 0;
      }
    }
  }

  private static BitSet wanted(LabelBudget budget, IntToDoubleFunction margins, int from, int to) {
    Margin predictor = new Margin();
    BitSet wanted = new BitSet();
    for (int t = from; t < to; t++) {
      predictor.margin = margins.applyAsDouble(t);
      wanted.set(t, budget.wants(predictor, X));
    }
    return wanted;
  }

  @ParameterizedTest
  @EnumSource
  void staysWithinTheBudgetOnAnyStream(Margins margins) {
    for (double share : new double[] {0.01, 0.2, 0.5, 0.9}) {
      LabelBudget budget = LabelBudget.of(share);
      IntToDoubleFunction stream = margins.of(1);
      double first = Math.ceil(Math.min(300, 1500 * share));
      for (int t = 1; t <= ROWS; t++) {
        wanted(budget, stream, t, t + 1);
        double most = Math.max(first + 0.85 * share * (t - first), share * t);
        assertTrue(budget.asked() <= most || t <= first, share + " after " + t);
        assertTrue(t < 10_000 || budget.asked() <= share * t, share + " after " + t);
      }
      assertEquals(ROWS, budget.seen());
    }
  }

  @ParameterizedTest
  @EnumSource
  void spendsTheBudget(Margins margins) {
    LabelBudget budget = LabelBudget.of(0.2);
    wanted(budget, margins.of(2), 0, ROWS);
    // Where margins jump by many orders, the threshold is behind them for a while.
    boolean jumps = margins == Margins.JUMPING || margins == Margins.BLOCKS;
    double least = jumps ? 0.1 : 0.185;
    assertTrue(budget.asked() >= least * ROWS, margins + ": " + budget.asked());
  }

  @Test
  void asksWhereTheMarginIsSmall() {
    double[] margins = new Random(3).doubles(ROWS).toArray();
    BitSet wanted = wanted(LabelBudget.of(0.2), t -> margins[t], 0, ROWS);
    wanted.clear(0, 12_000);
    long small = wanted.stream().filter(t -> margins[t] < 0.2).count();
    double share = (double) small / wanted.cardinality();
    assertTrue(share > 0.85, "of small margins: " + share);
    assertTrue(share < 0.99, "some at random: " + share);
  }

  @Test
  void sharesComeBackAfterAChange() {
    Random random = new Random(4);
    IntToDoubleFunction margins = t -> (t < 15_000 ? 1 : 1e4) * random.nextDouble();
    LabelBudget budget = LabelBudget.of(0.2);
    BitSet wanted = wanted(budget, margins, 0, ROWS);
    double before = wanted.get(12_000, 15_000).cardinality() / 3000.0;
    double after = wanted.get(18_000, 21_000).cardinality() / 3000.0;
    assertEquals(0.2, before, 0.02);
    assertEquals(0.2, after, 0.02);
  }

  @Test
  void dependsOnTheOrderOfMarginsOnly() {
    double[] margins = new Random(5).doubles(ROWS).toArray();
    BitSet once = wanted(LabelBudget.of(0.1), t -> margins[t], 0, ROWS);
    BitSet scaled = wanted(LabelBudget.of(0.1), t -> 1024 * margins[t], 0, ROWS);
    assertEquals(once, scaled);
  }

  @Test
  void goesOnFromItsStateAsIfItHadNotStopped() {
    double[] margins = new Random(6).doubles(ROWS).toArray();
    BitSet whole = wanted(LabelBudget.of(0.3, 7), t -> margins[t], 0, ROWS);
    LabelBudget first = LabelBudget.of(0.3, 7);
    BitSet parts = wanted(first, t -> margins[t], 0, 4321);
    LabelBudget resumed = new LabelBudget(first.state());
    parts.or(wanted(resumed, t -> margins[t], 4321, ROWS));
    assertEquals(whole, parts);
    assertNotEquals(whole, wanted(LabelBudget.of(0.3, 8), t -> margins[t], 0, ROWS));
  }

  @Test
  void asksForAllWhileThereAreNotTwoClassesWithinTheBudget() {
    Margin predictor = new Margin();
    predictor.classes = 1;
    LabelBudget budget = LabelBudget.of(0.2);
    for (int t = 0; t < ROWS; t++) {
      budget.wants(predictor, X);
    }
    assertEquals(0.2 * ROWS, budget.asked(), 0.01 * ROWS);
  }

  @Test
  void aShareOfOneAsksForEverything() {
    LabelBudget budget = LabelBudget.of(1);
    assertEquals(5000, wanted(budget, t -> t, 0, 5000).cardinality());
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -0.1, 1.1, Double.NaN})
  void refusesAShareOutsideOfItsRange(double share) {
    Exception e = assertThrows(IllegalArgumentException.class, () -> LabelBudget.of(share));
    assertTrue(String.valueOf(e.getMessage()).contains("(0, 1]"), e.getMessage());
  }

  @Test
  void refusesAStateThatCannotBe() {
    assertThrows(IllegalArgumentException.class, () -> new LabelBudget.State(0.2, 10, 11, 0, 0));
    assertThrows(
        IllegalArgumentException.class, () -> new LabelBudget.State(0.2, 10, 1, Double.NaN, 0));
  }

  @Test
  void aRefusedRowIsNotCountedAndChangesNothing() {
    for (boolean classes : new boolean[] {true, false}) {
      AutoLearner learner = (classes ? Avm.classifier() : Avm.regressor()).build();
      learner.learn(new double[] {1, 2}, 0);
      learner.learn(new double[] {2, 1}, 1);
      LabelBudget budget = LabelBudget.of(0.2);
      LabelBudget.State before = budget.state();
      FeatureVector bad = FeatureVector.dense(1, 2, 3);
      assertThrows(IllegalArgumentException.class, () -> budget.wants(learner, bad));
      assertEquals(before, budget.state());
    }
  }

  @Test
  void askingDoesNotChangeTheLearner() {
    for (boolean classes : new boolean[] {true, false}) {
      AutoLearner asked = (classes ? Avm.classifier() : Avm.regressor()).build();
      AutoLearner plain = (classes ? Avm.classifier() : Avm.regressor()).build();
      LabelBudget budget = LabelBudget.of(0.2);
      for (double[] x : Streams.gaussian(8, 1500, 2)) {
        double y = classes ? (x[0] * x[1] > 0 ? 1 : 0) : Math.sin(x[0]);
        budget.wants(asked, FeatureVector.dense(x));
        asked.learn(x, y);
        plain.learn(x, y);
      }
      assertArrayEquals(plain.toBytes(), asked.toBytes());
    }
  }

  @Test
  void aRegressionAsksAtRandomWithinTheBudget() {
    AutoLearner learner = Avm.regressor().build();
    learner.learn(new double[] {1}, 1);
    for (Predictor predictor : List.of(learner, learner.snapshot())) {
      LabelBudget budget = LabelBudget.of(0.2);
      for (int t = 0; t < ROWS; t++) {
        budget.wants(predictor, FeatureVector.dense(1));
      }
      assertEquals(0.2 * ROWS, budget.asked(), 0.01 * ROWS);
    }
  }

  @Test
  void scoresThatAreKnownDecideAsAPredictionDoes() {
    AutoLearner learner = Avm.classifier().build();
    LabelBudget predicting = LabelBudget.of(0.2);
    LabelBudget knowing = LabelBudget.of(0.2);
    Random random = new Random(10);
    double[] scores = new double[3];
    for (int t = 0; t < 3000; t++) {
      FeatureVector x = FeatureVector.dense(random.nextGaussian(), random.nextGaussian());
      learner.scores(x, scores);
      boolean known = knowing.wants(Decision.margin(scores, learner.classes()));
      assertEquals(predicting.wants(learner, x), known, "row " + t);
      assertEquals(predicting.state(), knowing.state());
      learner.learn(x, x.get(0) > 0.5 ? 2 : x.get(1) > 0 ? 1 : 0);
    }
  }

  @Test
  void aCertaintyThatIsNotKnownAsksAtRandomAsAModelDoes() {
    AutoLearner learner = Avm.regressor().build();
    learner.learn(new double[] {1}, 1);
    LabelBudget predicting = LabelBudget.of(0.2);
    LabelBudget knowing = LabelBudget.of(0.2);
    for (int t = 0; t < 3000; t++) {
      boolean known = knowing.wants(Double.NaN);
      assertEquals(predicting.wants(learner.snapshot(), FeatureVector.dense(1)), known);
    }
    LabelBudget.State before = knowing.state();
    assertThrows(IllegalArgumentException.class, () -> knowing.wants(-1));
    assertEquals(before, knowing.state());
    for (double extreme : new double[] {0, Double.MIN_VALUE, Double.POSITIVE_INFINITY}) {
      knowing.wants(extreme);
    }
    assertEquals(3003, knowing.state().seen());
  }
}
