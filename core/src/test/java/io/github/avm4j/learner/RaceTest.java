// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.internal.secondorder.SecondOrderEngine;
import io.github.avm4j.kernel.Gaussian;
import io.github.avm4j.testing.Streams;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How γ is found, and that the way there is honest. */
class RaceTest {
  private static final int ESTIMATION = 300;

  /** One row. */
  record Row(FeatureVector x, double y) {}

  private static List<Row> checkerboard(int n, long seed) {
    return Streams.uniform(seed, n, 2).stream()
        .map(x -> new Row(FeatureVector.dense(x), ((int) (4 * x[0]) + (int) (4 * x[1])) % 2))
        .toList();
  }

  private static List<Row> noisySine(int n, long seed) {
    return Streams.uniform(seed, n, 3).stream()
        .map(
            x -> {
              double noise = 0.4 * (x[2] - 0.5);
              double y = Math.sin(12 * x[0]) + Math.sin(6 * x[1]) + noise;
              return new Row(FeatureVector.dense(x[0], x[1]), y);
            })
        .toList();
  }

  /** Squared or 0–1 error of prequential answers to the second half. */
  private static double error(AutoLearner learner, List<Row> rows, boolean classes) {
    double sum = 0;
    for (int i = 0; i < rows.size(); i++) {
      Row row = rows.get(i);
      double miss = learner.predictThenLearn(row.x, row.y, 1) - row.y;
      if (i >= rows.size() / 2) {
        sum += classes ? (miss == 0 ? 0 : 1) : miss * miss;
      }
    }
    return sum / (rows.size() - rows.size() / 2);
  }

  private static AutoConfig.Builder<AutoLearner> builder(boolean classes) {
    return (classes ? Avm.classifier() : Avm.regressor())
        .scaling(ScalingMode.STANDARD)
        .estimation(ESTIMATION)
        .budget(100)
        .cells(0);
  }

  private static double gamma(AutoLearner learner) {
    return ((Gaussian) learner.config().kernel()).gamma();
  }

  private static void assertFound(String name, List<Row> rows, boolean classes) {
    AutoLearner learner = builder(classes).build();
    double error = error(learner, rows, classes);
    double found = gamma(learner);
    double best = 0;
    double least = Double.POSITIVE_INFINITY;
    for (double gamma = 1.0 / 128; gamma <= 256; gamma *= 2) {
      double other = error(builder(classes).gamma(gamma).build(), rows, classes);
      if (other < least) {
        least = other;
        best = gamma;
      }
    }
    System.out.printf(
        "%s: found γ = %.3f with error %.4f; best of the grid %.3f with %.4f%n",
        name, found, error, best, least);
    assertTrue(found <= 4 * best && found >= best / 4, name + ": " + found + ", best " + best);
    assertTrue(error <= 1.5 * least, name + ": error " + error + ", of the best γ " + least);
  }

  @Test
  void findsGammaOfACheckerboard() {
    assertFound("checkerboard", checkerboard(6000, 3), true);
  }

  @Test
  void findsGammaOfASine() {
    assertFound("sine", noisySine(6000, 4), false);
  }

  /** Small losses of what is known would outweigh rare mistakes. */
  @Test
  void skippedInstancesCostNothing() {
    SecondOrderEngine learner = builder(true).gamma(40).build().engine.leader();
    int skipped = 0;
    for (Row row : checkerboard(2000, 7)) {
      long learned = learner.learned();
      learner.learn(row.x, row.y, 1);
      assertTrue(learner.lastLoss() > 0);
      boolean known = learner.learned() == learned;
      assertEquals(known ? 0 : learner.lastLoss(), learner.lastRegret());
      skipped += known ? 1 : 0;
    }
    assertTrue(skipped > 100, skipped + " skipped");
  }

  @Test
  void oneIsLeftAfterTenPeriods() {
    AutoLearner learner = builder(true).build();
    int previous = 1;
    for (int i = 1; i <= 11 * ESTIMATION; i++) {
      Row row = checkerboard(1, i).get(0);
      learner.learn(row.x, row.y);
      int running = learner.engine.whole.race.runners().size();
      int most = i < ESTIMATION ? 1 : i < 3 * ESTIMATION ? 3 : i < 10 * ESTIMATION ? 2 : 1;
      assertEquals(most, running, "after " + i);
      assertEquals(i, learner.instances());
      for (SecondOrderEngine runner : learner.engine.whole.race.runners()) {
        assertEquals(i, runner.instances(), "every runner has seen all");
      }
      assertTrue(running <= previous || i == ESTIMATION, "after " + i);
      previous = running;
    }
  }

  /**
   * Answers depend on what was learned before them alone: streams that part at n have the same
   * first n answers, and what {@code predictThenLearn} says is what {@code predict} said.
   */
  @Test
  void answersComeBeforeWhatIsLearned() {
    List<Row> rows = checkerboard(2000, 5);
    List<Row> others = checkerboard(2000, 6);
    for (int n : new int[] {1, 2, 10, 49, 250, ESTIMATION, ESTIMATION + 1, 3 * ESTIMATION, 1500}) {
      AutoLearner one = builder(true).build();
      AutoLearner two = builder(true).build();
      for (int i = 0; i < Math.min(2000, n + 400); i++) {
        Row row = rows.get(i);
        double said = one.predict(row.x);
        double score = one.score(row.x);
        assertEquals(said, one.predictThenLearn(row.x, row.y, 1), "answer " + i);
        Row twin = i < n ? row : others.get(i);
        if (i < n) {
          assertEquals(said, two.predict(row.x), "answer " + i + ", parting at " + n);
          assertEquals(score, two.score(row.x), "score " + i + ", parting at " + n);
        }
        two.learn(twin.x, twin.y);
      }
    }
  }
}
