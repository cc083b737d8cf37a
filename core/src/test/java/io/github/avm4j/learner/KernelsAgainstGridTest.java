// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.learner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.Avm;
import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.feature.ScalingMode;
import io.github.avm4j.testing.Streams;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a few fixed kernels lose to the best γ of a grid, and that the way there is honest. */
class KernelsAgainstGridTest {
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

  private static void assertNear(String name, List<Row> rows, boolean classes) {
    AutoLearner learner = builder(classes).build();
    double error = error(learner, rows, classes);
    double least = Double.POSITIVE_INFINITY;
    for (double gamma = 1.0 / 128; gamma <= 256; gamma *= 2) {
      double other = error(builder(classes).gamma(gamma).build(), rows, classes);
      least = Math.min(least, other);
    }
    System.out.printf(
        "%s: %s with error %.4f; best γ %.4f%n", name, learner.config().kernel(), error, least);
    assertTrue(error <= 2 * least, name + ": error " + error + ", of the best γ " + least);
  }

  @Test
  void aCheckerboard() {
    assertNear("checkerboard", checkerboard(6000, 3), true);
  }

  @Test
  void aSine() {
    assertNear("sine", noisySine(6000, 4), false);
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
