// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.config.AvmConfig;
import io.github.avm4j.learner.KernelLearner;
import io.github.avm4j.learner.Learner;
import io.github.avm4j.loss.AbsoluteLoss;
import io.github.avm4j.loss.Logistic;
import io.github.avm4j.loss.SquaredLoss;
import io.github.avm4j.model.Model;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a merge keeps to the bit: instances come from points none of which lies in another's cell,
 * so that all shards have the same core points, in whatever order.
 */
class MergeExactTest {
  private static final double DELTA = 0.5;

  private static AvmConfig.Builder<Learner> classifier(double... labels) {
    return Avm.paperClassifier().gamma(1).delta(DELTA).labels(labels);
  }

  /** Rows on sixteen points of a grid, labels 0 … classes−1 at random. */
  private static List<Instance> grid(int n, int classes, long seed) {
    Random random = new Random(seed);
    List<Instance> rows = new ArrayList<>();
    while (rows.size() < n) {
      for (Instance row : Streams.exactlyHalfDelta(DELTA, 4, 2, seed + rows.size())) {
        rows.add(new Instance(row.x(), random.nextInt(classes), 1));
      }
    }
    return rows.subList(0, n);
  }

  /** Each row goes to one of the shards at random. */
  private static List<List<Instance>> split(List<Instance> rows, int shards, long seed) {
    // Not the seed of the labels: a shard would hold one class.
    Random random = new Random(~seed);
    List<List<Instance>> parts = new ArrayList<>();
    for (int s = 0; s < shards; s++) {
      parts.add(new ArrayList<>());
    }
    rows.forEach(row -> parts.get(random.nextInt(shards)).add(row));
    return parts;
  }

  private static List<Learner> learn(AvmConfig config, List<List<Instance>> parts) {
    List<Learner> learners = new ArrayList<>();
    for (List<Instance> part : parts) {
      Learner learner = Avm.learner(config);
      LearnerChecks.learn(learner, part);
      learners.add(learner);
    }
    return learners;
  }

  /** The coefficients of each core point, whatever their order. */
  private static Map<String, List<Double>> coefficients(Learner learner) {
    Model model = learner.snapshot();
    Map<String, List<Double>> result = new TreeMap<>();
    for (int i = 0; i < model.size(); i++) {
      List<Double> columns = new ArrayList<>();
      for (int c = 0; c < model.columns(); c++) {
        columns.add(model.coefficient(c, i) + 0.0);
      }
      result.put(MergeBound.key(model.corePoint(i)), columns);
    }
    assertEquals(model.size(), result.size(), "a core point is there twice");
    return result;
  }

  /** Σ −α at each core point over all shards, as the oracles of the shards took their steps. */
  private static Map<String, Double> recorded(AvmConfig config, List<List<Instance>> parts) {
    Map<String, Double> sums = new TreeMap<>();
    for (List<Instance> part : parts) {
      PaperOracle oracle = new PaperOracle(config);
      for (Instance row : part) {
        oracle.learn(row.x(), row.y(), row.weight());
        String at = MergeBound.key(oracle.points().get(oracle.lastSlot()));
        sums.merge(at, -oracle.lastAlpha(), Double::sum);
      }
    }
    return sums;
  }

  private static Stream<Long> seeds() {
    return Seeds.of(25);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void hingeHoldsTheRecordedGradientsToTheBit(long seed) {
    AvmConfig config = classifier(0, 1).lambda(0.013).config();
    List<List<Instance>> parts = split(grid(700, 2, seed), 4, seed);
    Learner merged = Avm.merge(learn(config, parts));
    double step = 1 / (0.013 * 700);
    Map<String, List<Double>> expected = new TreeMap<>();
    recorded(config, parts).forEach((at, sum) -> expected.put(at, List.of(step * sum + 0.0)));
    assertEquals(16, expected.size());
    assertEquals(expected, coefficients(merged));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void logisticHoldsThemToRounding(long seed) {
    AvmConfig config = classifier(0, 1).loss(new Logistic()).lambda(0.013).config();
    List<List<Instance>> parts = split(Streams.weighted(grid(500, 2, seed), seed), 3, seed);
    Map<String, List<Double>> found = coefficients(Avm.merge(learn(config, parts)));
    recorded(config, parts)
        .forEach((at, sum) -> assertEquals(sum / (0.013 * 500), found.get(at).get(0), 1e-10));
  }

  /**
   * With λ > 1 no hinge is ever satisfied: every step is −y whatever the model, so all are equal.
   */
  @ParameterizedTest
  @MethodSource("seeds")
  void equalsOneLearnerWhereStepsDoNotDependOnTheModel(long seed) {
    AvmConfig config = classifier(0, 1).lambda(1.7).config();
    List<Instance> rows = grid(600, 2, seed);
    Learner one = Avm.learner(config);
    LearnerChecks.learn(one, rows);
    Learner merged = Avm.merge(learn(config, split(rows, 5, seed)));
    assertEquals(coefficients(one), coefficients(merged));
  }

  @Test
  void absoluteLossOfFarTargetsEqualsOneLearner() {
    AvmConfig config =
        Avm.paperRegressor().loss(new AbsoluteLoss()).gamma(1).delta(DELTA).lambda(0.1).config();
    List<Instance> rows = new ArrayList<>();
    grid(400, 2, 3).forEach(row -> rows.add(new Instance(row.x(), 1000 * row.y() - 500, 1)));
    Learner one = Avm.learner(config);
    LearnerChecks.learn(one, rows);
    Learner merged = Avm.merge(learn(config, split(rows, 3, 8)));
    assertEquals(coefficients(one), coefficients(merged));
  }

  /** Whole numbers, or halves once a third class came, add up alike however they are grouped. */
  @ParameterizedTest
  @MethodSource("seeds")
  void groupingDoesNotMatterToTheBit(long seed) {
    for (double[] labels : new double[][] {{}, {0, 1, 2}}) {
      AvmConfig config = classifier(labels).lambda(0.02).config();
      List<List<Instance>> parts = split(grid(400, 3, seed), 3, seed);
      // Two shards of two classes, one of three.
      parts.get(0).removeIf(row -> row.y() == 2);
      parts.get(1).removeIf(row -> row.y() == 0);
      List<Learner> s = learn(config, parts);
      Map<String, List<Double>> all = coefficients(Avm.merge(s));
      Learner left = Avm.merge(List.of(Avm.merge(s.subList(0, 2)), s.get(2)));
      Learner right = Avm.merge(List.of(s.get(0), Avm.merge(s.subList(1, 3))));
      assertEquals(all, coefficients(left));
      assertEquals(all, coefficients(right));
      assertEquals(3, left.classes());
    }
  }

  /** One step a shard at one point, by hand: −α is ∓1, λ = 1, t = 3. */
  @Test
  void classesAreUnitedByLabel() {
    Learner a = classifier().lambda(1).build();
    a.learn(new double[] {0, 0}, 9);
    a.learn(new double[] {1, 0}, 4);
    Learner b = classifier().lambda(1).build();
    b.learn(new double[] {1, 0}, 4);
    // a: f = −1 at (0,0) for 9, +1 at (1,0) for 4. b: f = −1 at (1,0) for 4, its only class.
    Learner two = Avm.merge(List.of(a, b));
    assertEquals(List.of(4.0, 9.0), List.of(two.label(0), two.label(1)));
    Map<String, List<Double>> found = coefficients(two);
    assertEquals(List.of(1 / 3.0), found.get(""), "for 9, now the second label");
    assertEquals(List.of(-2 / 3.0), found.get("0:1.0 "), "for 4, twice");
    Learner c = classifier().lambda(1).build();
    c.learn(new double[] {0, 1}, 5);
    Learner three = Avm.merge(List.of(a, b, c));
    assertEquals(3, three.classes());
    double quarter = 1 / 4.0;
    found = coefficients(three);
    assertEquals(List.of(-quarter / 2, 0.0, quarter / 2), found.get(""));
    assertEquals(List.of(-quarter / 4, quarter / 2, -quarter / 4), found.get("1:1.0 "));
    // a: ½ for 4 and −½ for 9; b: ½ for 4 and −¼ for each other class.
    assertEquals(List.of(quarter, -quarter / 4, -3 * quarter / 4), found.get("0:1.0 "));
  }

  @Test
  void declaredLabelsKeepTheirPlace() {
    List<Learner> shards = new ArrayList<>();
    for (double label : new double[] {-3, 8, 2}) {
      Learner shard = classifier(5, 1).lambda(1).build();
      shard.learn(new double[] {0, 0}, label);
      shards.add(shard);
    }
    Learner merged = Avm.merge(shards);
    double[] labels = new double[merged.classes()];
    Arrays.setAll(labels, merged::label);
    assertArrayEquals(new double[] {5, 1, -3, 2, 8}, labels);
  }

  /** The norm is that of the merged core set, and within the ball. */
  @ParameterizedTest
  @MethodSource("seeds")
  void squaredLossStaysInItsBall(long seed) {
    AvmConfig config =
        Avm.paperRegressor().loss(new SquaredLoss()).gamma(1).delta(0.8).lambda(0.004).config();
    List<Instance> rows = Streams.noisySine(2, 600, 0.5, seed);
    KernelLearner merged = (KernelLearner) Avm.merge(learn(config, split(rows, 4, seed)));
    double yMax = rows.stream().mapToDouble(row -> Math.abs(row.y())).max().orElseThrow();
    for (int round = 0; round < 3; round++) {
      double norm = KernelFunction.of(merged.snapshot()).squaredNorm();
      assertEquals(norm, merged.squaredNorm(), 1e-8 * yMax * yMax / 0.004);
      assertTrue(norm <= yMax * yMax / 0.004 * (1 + 1e-9), "‖w‖² = " + norm);
      LearnerChecks.learn(merged, rows.subList(0, 50));
    }
  }
}
