// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.LabelBudget;
import io.github.avm4j.learner.Learner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PrequentialTest {
  /** Two numbers and the class, or the size, of their product. */
  private static final class Products implements Instances {
    final Random random = new Random(11);
    final double[] x = new double[2];
    final boolean classes;
    int left;

    Products(int count, boolean classes) {
      this.left = count;
      this.classes = classes;
    }

    @Override
    public boolean next() {
      x[0] = random.nextDouble() * 2 - 1;
      x[1] = random.nextDouble() * 2 - 1;
      return left-- > 0;
    }

    @Override
    public FeatureVector x() {
      return FeatureVector.dense(x);
    }

    @Override
    public double y() {
      return classes ? (x[0] * x[1] > 0 ? 1 : 0) : x[0] * x[1];
    }
  }

  private static Learner learner(Task task) {
    return (task == Task.CLASSIFICATION ? Avm.classifier() : Avm.regressor()).build();
  }

  @Test
  void answersBeforeItLearnsAndScoresEach() throws IOException {
    Learner one = learner(Task.CLASSIFICATION);
    Learner other = learner(Task.CLASSIFICATION);
    Prequential run = new Prequential(one, new ClassificationScore());
    CurvePoint end = run.run(new Products(600, true));
    int mistakes = 0;
    Products again = new Products(600, true);
    while (again.next()) {
      mistakes += other.predict(again.x()) == again.y() ? 0 : 1;
      other.learn(again.x(), again.y());
    }
    assertEquals(100.0 * mistakes / 600, end.error(), 1e-9);
    assertEquals(other.size(), end.corePoints());
    assertTrue(end.error() < end.baseline() / 2, end.toString());
    assertTrue(((ClassificationScore) run.score()).auc() > 0.9);
    assertTrue(((ClassificationScore) run.score()).logLoss() < 0.5);
  }

  @Test
  void pointsAtPowersOfTwoEveryKAndTheEnd() throws IOException {
    long[] now = {0};
    Prequential run =
        new Prequential(
            learner(Task.REGRESSION), new RegressionScore(), () -> now[0] += 500, () -> now[0]);
    List<Long> powers = new ArrayList<>();
    List<CurvePoint> every = new ArrayList<>();
    run.listen(LearningCurve.Sampling.powersOfTwo(), point -> powers.add(point.instances()));
    run.listen(LearningCurve.Sampling.every(30), every::add);
    CurvePoint end = run.run(new Products(90, false));
    assertEquals(List.of(1L, 2L, 4L, 8L, 16L, 32L, 64L, 90L), powers);
    assertEquals(List.of(30L, 60L, 90L), every.stream().map(CurvePoint::instances).toList());
    assertTrue(end.wallSeconds() > 0 && end.modelBytes() > 0 && end.ramHours() >= 0);
    assertEquals(run.learner().modelBytes(), end.modelBytes(), 0.1 * end.modelBytes());
  }

  @Test
  void errorSinceAnEarlierPoint() {
    for (Task task : Task.values()) {
      Score whole = Score.of(task, 10);
      Score second = Score.of(task, 10);
      Figures earlier = whole.cumulative();
      for (int i = 0; i < 40; i++) {
        double answer = i % (i < 20 ? 2 : 5) == 0 ? 1 : 0;
        whole.add(1, answer, 1);
        if (i == 19) {
          assertEquals(whole.cumulative().error(), whole.cumulative().errorSince(earlier), 1e-9);
          earlier = whole.cumulative();
        } else if (i > 19) {
          second.add(1, answer, 1);
        }
      }
      assertEquals(second.cumulative().error(), whole.cumulative().errorSince(earlier), 1e-9);
    }
  }

  @Test
  void holdOutLearnsNothing() throws IOException {
    Learner learner = learner(Task.CLASSIFICATION);
    Score training = new ClassificationScore();
    new Prequential(learner, training).run(new Products(500, true));
    byte[] before = learner.toBytes();
    Score score = HoldOut.score(learner, new Products(300, true));
    org.junit.jupiter.api.Assertions.assertArrayEquals(before, learner.toBytes());
    assertEquals(300, score.cumulative().instances());
    assertTrue(score.cumulative().error() < 10);
    Score regression = HoldOut.score(learner(Task.REGRESSION), new Products(10, false));
    assertEquals(10, regression.cumulative().instances());
  }

  @Test
  void curveHasTheColumnsOfMoa() throws IOException {
    StringBuilder text = new StringBuilder();
    LearningCurve curve = new LearningCurve(text);
    List<CurvePoint> points = new ArrayList<>();
    Prequential run = new Prequential(learner(Task.CLASSIFICATION), new ClassificationScore(50));
    run.listen(LearningCurve.Sampling.every(100), points::add);
    run.run(new Products(250, true));
    for (CurvePoint point : points) {
      curve.write(point);
    }
    List<String> lines = text.toString().lines().toList();
    assertEquals(
        "learning evaluation instances,evaluation time (cpu seconds),model cost (RAM-Hours),"
            + "classified instances,classifications correct (percent),Kappa Statistic (percent),"
            + "Kappa Temporal Statistic (percent),Kappa M Statistic (percent),"
            + "model training instances,model serialized size (bytes)",
        lines.get(0));
    assertEquals(4, lines.size());
    String[] last = lines.get(3).split(",");
    assertEquals("250", last[0]);
    assertEquals(100 - points.get(2).window().error(), Double.parseDouble(last[4]), 1e-6);
    assertEquals(10, last.length);
  }

  @Test
  void undefinedIsAQuestionMark() throws IOException {
    StringBuilder text = new StringBuilder();
    Prequential run = new Prequential(learner(Task.REGRESSION), new RegressionScore());
    new LearningCurve(text).write(run.finish());
    assertTrue(text.toString().contains("mean absolute error"));
    assertTrue(text.toString().contains(",?,?,"), text.toString());
  }

  @Test
  void refusesNonsense() {
    assertThrows(IllegalArgumentException.class, () -> LearningCurve.Sampling.every(0));
  }

  @Test
  void learnsOnlyFromLabelsThatAreWanted() throws IOException {
    for (Task task : Task.values()) {
      boolean classes = task == Task.CLASSIFICATION;
      Learner learner = learner(task);
      Prequential run = new Prequential(learner, Score.of(task, 100));
      LabelBudget budget = LabelBudget.of(0.1);
      run.learnOnly(budget);
      CurvePoint end = run.run(new Products(2000, classes));
      assertEquals(2000, end.instances());
      assertEquals(2000, budget.seen());
      assertEquals(budget.asked(), learner.instances());
      assertTrue(budget.asked() <= 150 + 0.085 * 1850, "asked " + budget.asked());
      assertTrue(end.error() < end.baseline(), end.toString());
    }
  }
}
