// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.experiments.defaults;

import io.github.avm4j.Avm;
import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.learner.AutoLearner;
import java.io.PrintStream;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * What the default learner holds along a stream that goes on and on: error, size and heap after
 * every tenth.
 *
 * <p>Rows are made on the way: three features that fill a cube, of which two say, by the colour of
 * a square on a board of 4 × 4, which class it is; a twentieth of the labels are wrong. After each
 * fifth the board moves by half a square, so that the learner has to renew itself.
 */
final class LongStreamTable {
  static final String HEAD =
      """
      | rows | mistakes % in this tenth | core points that predict | cells | renewals | learner says, MB | heap in use, MB | µs per row |
      |--:|--:|--:|--:|--:|--:|--:|--:|
      """;

  private static final int PARTS = 10;
  private static final int FEATURES = 3;
  private static final int SQUARES = 4;
  private static final double WRONG = 0.05;
  private static final double MEGABYTE = 1 << 20;

  private final SplittableRandom random = new SplittableRandom(1);
  private final AutoLearner learner = Avm.classifier().build();
  private final double[] values = new double[FEATURES];
  private final FeatureVector x = FeatureVector.dense(values);

  /** Learns so many rows, and prints a line for each tenth of them. */
  void print(long rows, PrintStream out) {
    out.print(HEAD);
    for (int part = 0; part < PARTS; part++) {
      long begin = rows * part / PARTS;
      long end = rows * (part + 1) / PARTS;
      int moves = part / 2;
      long wrong = 0;
      long started = Run.cpu();
      for (long i = begin; i < end; i++) {
        double y = next(0.5 * moves);
        wrong += learner.predictThenLearn(x, y, 1) == y ? 0 : 1;
      }
      double micros = (Run.cpu() - started) / 1e3 / (end - begin);
      out.printf(
          Locale.ROOT,
          "| %,d | %.2f | %d | %d | %d | %.1f | %.1f | %.1f |%n",
          end,
          100.0 * wrong / (end - begin),
          learner.size(),
          learner.cells(),
          learner.renewals(),
          learner.bytes() / MEGABYTE,
          heapInUse(),
          micros);
    }
  }

  /** Makes the next row; its label. */
  private double next(double shift) {
    for (int j = 0; j < FEATURES; j++) {
      values[j] = random.nextDouble();
    }
    long column = (long) Math.floor(SQUARES * values[0] + shift);
    long row = (long) Math.floor(SQUARES * values[1] + shift);
    boolean black = (column + row) % 2 == 0;
    return black == random.nextDouble() >= WRONG ? 1 : 0;
  }

  /** Megabytes in use once garbage was collected. */
  private static double heapInUse() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return (runtime.totalMemory() - runtime.freeMemory()) / MEGABYTE;
  }
}
