// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.lab.baselines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.baselines.Settings;
import io.github.avm4j.config.Task;
import io.github.avm4j.learner.OnlineLearner;
import io.github.avm4j.testkit.Instance;
import io.github.avm4j.testkit.Streams;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each kernel method scores as its naive form does, instance after instance. */
class OracleEqualityTest {
  private static final Settings S = new Settings(8, 0.3, 1e-2, 0.7, 1, 20, 50, 5);

  private static List<Instance> stream() {
    List<Instance> rows = Streams.checkerboard(3, 500, 4);
    int first = 0;
    while (rows.get(first).y() != 0) {
      first++;
    }
    return rows.subList(first, rows.size());
  }

  private static void equal(OnlineLearner learner, NaiveMachine naive, double tolerance) {
    int budgetReached = 0;
    for (Instance row : stream()) {
      double[] x = row.x().values();
      double expected = naive.f(x);
      double actual = learner.score(row.x());
      assertEquals(expected, actual, tolerance * (1 + Math.abs(expected)));
      naive.learn(x, row.y() == 0 ? -1 : 1);
      learner.learn(row.x(), row.y());
      assertEquals(naive.points.size(), learner.size());
      budgetReached = Math.max(budgetReached, learner.size());
    }
    assertTrue(budgetReached >= S.budget(), "budget was never reached: " + budgetReached);
  }

  @Test
  void perceptron() {
    equal(new Perceptron(Task.CLASSIFICATION, S), NaiveMachine.perceptron(8), 1e-10);
  }

  @Test
  void ogd() {
    equal(new KernelGradientDescent(Task.CLASSIFICATION, S), NaiveMachine.ogd(8, 0.3), 1e-10);
  }

  @Test
  void rbp() {
    equal(new RandomBudgetPerceptron(Task.CLASSIFICATION, S), NaiveMachine.rbp(8, 20, 5), 1e-10);
  }

  @Test
  void forgetron() {
    equal(new Forgetron(Task.CLASSIFICATION, S), NaiveMachine.forgetron(8, 20), 1e-8);
  }

  @Test
  void projectron() {
    equal(Projectron.plain(Task.CLASSIFICATION, S), NaiveMachine.projectron(8, 20, 0, false), 1e-6);
  }

  @Test
  void projectronPlusPlus() {
    equal(Projectron.plusPlus(S), NaiveMachine.projectron(8, 20, 0.1, true), 1e-6);
  }

  @Test
  void bpas() {
    equal(new BudgetPassiveAggressive(S), NaiveMachine.bpas(8, 20, 0.7), 1e-9);
  }

  @Test
  void bogd() {
    equal(
        new BudgetGradientDescent(Task.CLASSIFICATION, S), NaiveMachine.bogd(8, 20, 0.3, 5), 1e-9);
  }

  @Test
  void bsgdRemoving() {
    equal(BudgetSgd.removing(S), NaiveMachine.bsgdRemoving(8, 20, 1e-2), 1e-9);
  }
}
