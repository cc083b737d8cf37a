// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.auto;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.config.AutoConfig;
import io.github.avm4j.config.Task;
import io.github.avm4j.feature.FeatureVector;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The work of single rows, counted in elements of matrices and rows and not timed: how many plain
 * steps of an engine with all its core points the dearest takes. What teaches, weighs features or
 * divides the space waits once a row has taken 16. Where the budget is below 256, as here, a step
 * is one of 256 core points.
 *
 * <p>{@code -Davm4j.budget=512} and {@code -Davm4j.rows=12100} give the figures of the log.
 */
class LongestRowTest {
  private static final int BUDGET = Integer.getInteger("avm4j.budget", 64);
  private static final int ROWS = Integer.getInteger("avm4j.rows", 4_100);

  /** Rows that are named in a failure. */
  private static final double USUAL = 10;

  @ParameterizedTest
  @CsvSource({"3, 2, 20", "20, 26, 20", "256, 2, 20", "20, 1000, 20"})
  void noRowTakesMoreThanTwentySteps(int features, int classes, double most) {
    Random random = new Random(features);
    double[][] centres = new double[3 * classes][];
    for (int c = 0; c < centres.length; c++) {
      centres[c] = random.doubles(features).toArray();
    }
    AutoConfig config = AutoConfig.of(Task.CLASSIFICATION).toBuilder().budget(BUDGET).build();
    AutoEngine engine = new AutoEngine(config);
    double columns = classes == 2 ? 1 : classes;
    double points = Math.max(256, BUDGET);
    double plain = points * (points + features + 2 * columns);
    TreeMap<Double, Integer> dearest = new TreeMap<>();
    for (int row = 1; row <= ROWS; row++) {
      int c = random.nextInt(centres.length);
      double[] x = centres[c].clone();
      for (int j = 0; j < features; j++) {
        x[j] += 0.3 * random.nextGaussian();
      }
      double before = engine.elements();
      engine.learn(FeatureVector.dense(x), c % classes, 1);
      double steps = (engine.elements() - before) / plain;
      if (steps > USUAL) {
        dearest.put(steps, row);
      }
    }
    String what = text(features, classes, dearest);
    if (Integer.getInteger("avm4j.budget") != null) {
      System.out.println(what);
    }
    assertTrue(dearest.isEmpty() || dearest.lastKey() <= most, what);
  }

  private static String text(int features, int classes, NavigableMap<Double, Integer> dearest) {
    StringBuilder text = new StringBuilder();
    text.append(features).append(" features, ").append(classes).append(" classes, plain steps:");
    dearest
        .descendingMap()
        .forEach((steps, row) -> text.append(String.format(Locale.ROOT, " %d: %.0f;", row, steps)));
    return text.toString();
  }
}
