// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegressionScoreTest {
  @ParameterizedTest
  @ValueSource(doubles = {0, 1e6})
  void equalsTheDefinitions(double offset) {
    Random random = new Random(3);
    int n = 400;
    int window = 30;
    double[][] seen = new double[n][];
    RegressionScore score = new RegressionScore(window);
    double weights = 0;
    double mean = 0;
    double previous = 0;
    for (int i = 0; i < n; i++) {
      double y = offset + random.nextGaussian();
      double answer = y + random.nextGaussian() / 3 + 0.1;
      double weight = 1 + random.nextInt(3);
      seen[i] = new double[] {y, answer, weight, mean, previous};
      score.add(y, answer, weight);
      double before = weights;
      weights += weight;
      mean = (mean * before + y * weight) / weights;
      previous = y;
    }
    compare(seen, score.cumulative());
    compare(Arrays.copyOfRange(seen, n - window, n), score.window());
  }

  private static void compare(double[][] seen, RegressionFigures actual) {
    double w = Arrays.stream(seen).mapToDouble(s -> s[2]).sum();
    double mean = Arrays.stream(seen).mapToDouble(s -> s[2] * s[0]).sum() / w;
    double spread = Arrays.stream(seen).mapToDouble(s -> s[2] * Math.pow(s[0] - mean, 2)).sum();
    assertEquals(seen.length, actual.instances());
    assertEquals(w, actual.weight());
    assertEquals(rms(seen, 1, w), actual.rmse(), 1e-8);
    assertEquals(rms(seen, 3, w), actual.mean(), 1e-8 * Math.max(1, actual.mean()));
    assertEquals(rms(seen, 4, w), actual.noChange(), 1e-8 * Math.max(1, actual.noChange()));
    double mae = Arrays.stream(seen).mapToDouble(s -> s[2] * Math.abs(s[1] - s[0])).sum() / w;
    double bias = Arrays.stream(seen).mapToDouble(s -> s[2] * (s[1] - s[0])).sum() / w;
    assertEquals(mae, actual.mae(), 1e-9);
    assertEquals(bias, actual.bias(), 1e-9);
    assertEquals(1 - Math.pow(rms(seen, 1, w), 2) * w / spread, actual.r2(), 1e-8);
    assertEquals(Math.min(actual.mean(), actual.noChange()), actual.baseline());
  }

  private static double rms(double[][] seen, int column, double weight) {
    double sum = Arrays.stream(seen).mapToDouble(s -> s[2] * Math.pow(s[column] - s[0], 2)).sum();
    return Math.sqrt(sum / weight);
  }

  @Test
  void nothingSeenOrNothingToExplain() {
    RegressionScore score = new RegressionScore();
    assertTrue(Double.isNaN(score.cumulative().rmse()));
    assertTrue(Double.isNaN(score.window().r2()));
    score.add(2, 1, 1);
    score.add(2, 1, 1);
    assertEquals(1, score.cumulative().rmse());
    assertEquals(-1, score.cumulative().bias());
    assertTrue(Double.isNaN(score.cumulative().r2()));
  }

  @Test
  void anAnswerThatIsNotFiniteLeavesTheWindowAgain() {
    RegressionScore score = new RegressionScore(2);
    score.add(1, Double.NaN, 1);
    assertEquals(Double.POSITIVE_INFINITY, score.window().rmse());
    score.add(1, 2, 1);
    score.add(1, 2, 1);
    assertEquals(1, score.window().rmse());
    assertEquals(Double.POSITIVE_INFINITY, score.cumulative().rmse());
  }

  @Test
  void frozenTrivialBaselines() {
    RegressionScore score = new RegressionScore();
    score.observe(2, 1);
    score.observe(4, 3);
    score.freeze();
    score.add(1.5, 0, 1);
    score.add(1.5, 0, 0);
    assertEquals(2, score.cumulative().mean());
    assertEquals(2, score.cumulative().baseline());
    assertEquals(Double.NaN, score.cumulative().noChange(), "rows held out have no order");
    assertEquals(Double.NaN, score.window().noChange());
    assertEquals(1, score.cumulative().instances());
  }

  @Test
  void refusesNonsense() {
    RegressionScore score = new RegressionScore();
    assertThrows(IllegalArgumentException.class, () -> score.add(Double.NaN, 1, 1));
    assertThrows(IllegalArgumentException.class, () -> score.add(1, 1, -1));
    assertThrows(IllegalArgumentException.class, () -> new RegressionScore(0));
  }
}
