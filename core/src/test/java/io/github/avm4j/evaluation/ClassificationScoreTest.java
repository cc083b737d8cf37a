// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.evaluation;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.model.Predictor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClassificationScoreTest {
  private record Step(
      double actual, double answer, double weight, double majority, double previous) {}

  /** Every step with the trivial answers, found by counting everything again each time. */
  private static List<Step> steps(Random random, int n, int classes, boolean weighted) {
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      double actual = Math.floor(classes * random.nextDouble() * random.nextDouble()) - 1;
      boolean right = random.nextInt(3) > 0;
      double answer = right ? actual : random.nextInt(classes + 1) - 1;
      double weight = weighted ? random.nextInt(8) / 4.0 : 1;
      steps.add(
          new Step(
              actual,
              random.nextInt(20) == 0 ? Double.NaN : answer,
              weight,
              majority(steps),
              previous(steps)));
    }
    return steps;
  }

  private static double previous(List<Step> steps) {
    for (int i = steps.size() - 1; i >= 0; i--) {
      if (steps.get(i).weight > 0) {
        return steps.get(i).actual;
      }
    }
    return Double.NaN;
  }

  private static double majority(List<Step> steps) {
    Map<Double, Double> weights = new HashMap<>();
    double best = Double.NaN;
    for (Step step : steps) {
      if (step.weight > 0) {
        double now = weights.merge(step.actual, step.weight, Double::sum);
        best = Double.isNaN(best) || now > weights.get(best) ? step.actual : best;
      }
    }
    return best;
  }

  private static ClassificationFigures naive(List<Step> all) {
    List<Step> steps = all.stream().filter(s -> s.weight > 0).toList();
    double weight = steps.stream().mapToDouble(Step::weight).sum();
    double p = share(steps, weight, s -> s.answer == s.actual);
    double m = share(steps, weight, s -> s.majority == s.actual);
    double t = share(steps, weight, s -> s.previous == s.actual);
    double chance = 0;
    for (double label : steps.stream().map(Step::actual).distinct().toList()) {
      chance +=
          share(steps, weight, s -> s.actual == label)
              * share(steps, weight, s -> s.answer == label);
    }
    return new ClassificationFigures(
        steps.size(),
        weight,
        100 * (1 - p),
        100 * (1 - m),
        100 * (1 - t),
        100 * (p - chance) / (1 - chance),
        100 * (p - m) / (1 - m),
        100 * (p - t) / (1 - t));
  }

  private static double share(
      List<Step> steps, double weight, java.util.function.Predicate<Step> holds) {
    return steps.stream().filter(holds).mapToDouble(Step::weight).sum() / weight;
  }

  private static void assertSame(ClassificationFigures expected, ClassificationFigures actual) {
    assertEquals(expected.instances(), actual.instances());
    double[] e = {
      expected.weight(),
      expected.mistakeRate(),
      expected.majority(),
      expected.noChange(),
      expected.kappa(),
      expected.kappaM(),
      expected.kappaT()
    };
    double[] a = {
      actual.weight(),
      actual.mistakeRate(),
      actual.majority(),
      actual.noChange(),
      actual.kappa(),
      actual.kappaM(),
      actual.kappaT()
    };
    assertArrayEquals(e, a, 1e-9);
  }

  @ParameterizedTest
  @CsvSource({"2,1,false", "300,2,false", "300,7,true", "500,40,true", "57,3,false"})
  void equalsCountingEverythingAgain(int n, int classes, boolean weighted) {
    Random random = new Random(n + classes);
    List<Step> steps = steps(random, n, classes, weighted);
    int window = 50;
    ClassificationScore score = new ClassificationScore(window);
    List<Step> counted = new ArrayList<>();
    for (Step step : steps) {
      score.add(step.actual, step.answer, step.weight);
      if (step.weight > 0) {
        counted.add(step);
      }
      if (counted.size() > 1 && random.nextInt(10) == 0) {
        assertSame(naive(counted), score.cumulative());
        int from = Math.max(0, counted.size() - window);
        assertSame(naive(counted.subList(from, counted.size())), score.window());
      }
    }
    double[][] confusion = score.confusion();
    for (int c = 0; c < score.classes(); c++) {
      double label = score.label(c);
      double row = sum(counted, s -> s.actual == label);
      double hits = sum(counted, s -> s.actual == label && s.answer == label);
      double answers = sum(counted, s -> s.answer == label);
      assertEquals(row == 0 ? Double.NaN : 100 * hits / row, score.recall(c), 1e-9);
      assertEquals(answers == 0 ? Double.NaN : 100 * hits / answers, score.precision(c), 1e-9);
      assertEquals(row, score.weight(c), 1e-9);
      assertEquals(hits, confusion[c][c], 1e-9);
    }
  }

  private static double sum(List<Step> steps, java.util.function.Predicate<Step> holds) {
    return steps.stream().filter(holds).mapToDouble(Step::weight).sum();
  }

  @Test
  void nothingSeen() {
    ClassificationScore score = new ClassificationScore();
    assertEquals(0, score.cumulative().instances());
    assertTrue(Double.isNaN(score.cumulative().mistakeRate()));
    assertTrue(Double.isNaN(score.window().kappa()));
    assertTrue(Double.isNaN(score.logLoss()));
    assertTrue(Double.isNaN(score.auc()));
    assertEquals(0, score.confusion().length);
  }

  @Test
  void oneClassOnly() {
    ClassificationScore score = new ClassificationScore(4);
    for (int i = 0; i < 10; i++) {
      score.add(3, 3, 1);
    }
    assertEquals(0, score.cumulative().mistakeRate());
    assertEquals(10, score.cumulative().majority(), 1e-12);
    assertTrue(Double.isNaN(score.cumulative().kappa()), "chance cannot be beaten");
    assertTrue(Double.isNaN(score.window().kappaM()));
  }

  @Test
  void noAnswerIsAMistake() {
    ClassificationScore score = new ClassificationScore();
    score.add(1, Double.NaN, 1);
    score.add(1, 1, 1);
    assertEquals(50, score.cumulative().mistakeRate());
    assertEquals(1, score.classes());
  }

  @Test
  void frozenTrivialBaselinesAreThoseOfTheTraining() {
    ClassificationScore score = new ClassificationScore();
    score.observe(1, 1);
    score.observe(1, 1);
    score.observe(2, 1);
    score.freeze();
    for (int i = 0; i < 4; i++) {
      score.add(i == 0 ? 1 : 2, 2, 1);
    }
    assertEquals(75, score.cumulative().majority());
    assertEquals(75, score.cumulative().baseline());
    assertEquals(Double.NaN, score.cumulative().noChange(), "rows held out have no order");
    assertEquals(Double.NaN, score.cumulative().kappaT());
    assertEquals(Double.NaN, score.window().noChange());
  }

  @Test
  void logLossAndAreaEqualTheirDefinitions() {
    Predictor two = Avm.classifier().labels(0, 1).build();
    Random random = new Random(5);
    ClassificationScore score = new ClassificationScore();
    int n = 2000;
    double[] margins = new double[n];
    boolean[] positive = new boolean[n];
    double loss = 0;
    for (int i = 0; i < n; i++) {
      positive[i] = random.nextInt(4) == 0;
      margins[i] = random.nextGaussian() * 3 + (positive[i] ? 1 : -1);
      double p = 1 / (1 + Math.exp(-margins[i]));
      loss -= Math.log(positive[i] ? p : 1 - p);
      double[] scores = {-margins[i] / 2, margins[i] / 2};
      score.add(positive[i] ? 1 : 0, margins[i] > 0 ? 1 : 0, 1, two, scores, 2);
    }
    assertEquals(loss / n, score.logLoss(), 1e-9);
    double wins = 0;
    double pairs = 0;
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        if (positive[i] && !positive[j]) {
          wins += margins[i] > margins[j] ? 1 : margins[i] == margins[j] ? 0.5 : 0;
          pairs++;
        }
      }
    }
    assertEquals(wins / pairs, score.auc(), score.aucError());
    assertTrue(score.aucError() < 1e-3, "error " + score.aucError());
  }

  @Test
  void impossibleIsClippedAndTheFirstOfAClassIsLeftOut() {
    Predictor two = Avm.classifier().labels(0, 1).build();
    ClassificationScore score = new ClassificationScore();
    score.add(7, 0, 1, two, new double[] {1, 2}, 2);
    assertTrue(Double.isNaN(score.logLoss()));
    score.add(7, 0, 1, two, new double[] {1, 2}, 2);
    assertEquals(-Math.log(1e-15), score.logLoss(), 1e-12);
    ClassificationScore sure = new ClassificationScore();
    sure.add(1, 0, 1, two, new double[] {500, -500}, 2);
    assertEquals(-Math.log(1e-15), sure.logLoss(), 1e-12);
  }

  @Test
  void binsAscendWithTheMargin() {
    double[] margins = {-1e300, -1e9, -1, -0.999, -1e-9, -1e-300, 0, 1e-9, 0.5, 1, 1.01, 1e8, 1e99};
    for (int i = 1; i < margins.length; i++) {
      assertTrue(RocHistogram.bin(margins[i - 1]) <= RocHistogram.bin(margins[i]));
    }
    assertTrue(RocHistogram.bin(1) < RocHistogram.bin(1.01));
  }

  @Test
  void manyClassesKeepSumsWithoutCells() {
    ClassificationScore score = new ClassificationScore();
    for (int i = 0; i < 3000; i++) {
      score.add(i % 1500, i % 1500, 1);
    }
    assertEquals(1500, score.classes());
    assertEquals(0, score.confusion().length);
    assertEquals(100, score.recall(1499));
    assertEquals(0, score.cumulative().mistakeRate());
  }

  @Test
  void refusesNonsense() {
    ClassificationScore score = new ClassificationScore();
    assertThrows(IllegalArgumentException.class, () -> score.add(Double.NaN, 1, 1));
    assertThrows(IllegalArgumentException.class, () -> score.add(1, 1, -1));
    assertThrows(IllegalArgumentException.class, () -> score.add(1, 1, Double.NaN));
    assertThrows(IllegalArgumentException.class, () -> new ClassificationScore(0));
  }
}
