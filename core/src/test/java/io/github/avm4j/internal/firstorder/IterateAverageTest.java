// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.firstorder;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.avm4j.internal.newton.Columns;
import io.github.avm4j.paper.LastIterate;
import io.github.avm4j.paper.Output;
import io.github.avm4j.paper.SuffixAverage;
import io.github.avm4j.paper.UniformAverage;
import io.github.avm4j.paper.WeightedAverage;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The O(1) average against running sums of whole iterates. */
class IterateAverageTest {
  private static final int SLOTS = 5;

  static Stream<Output> averages() {
    return Stream.of(
        new UniformAverage(),
        new WeightedAverage(),
        new SuffixAverage(0.5, 200),
        new SuffixAverage(0.13, 150),
        new SuffixAverage(0.9, 300),
        new SuffixAverage(0.5, 0),
        new SuffixAverage(0.2, 0),
        new SuffixAverage(0.77, 0));
  }

  /** What the output should be after the iterates w_1 … w_T; null for the last iterate. */
  private static double[] naive(Output output, double[][] iterates, int last) {
    long start = output instanceof SuffixAverage suffix ? start(suffix, last) : 0;
    double[] mean = new double[SLOTS];
    double total = 0;
    for (int t = 1; t <= last; t++) {
      double weight = t <= start ? 0 : output instanceof WeightedAverage ? t : 1;
      total += weight;
      for (int i = 0; i < SLOTS; i++) {
        mean[i] += weight * iterates[t][i];
      }
    }
    for (int i = 0; i < SLOTS; i++) {
      mean[i] /= total;
    }
    return total == 0 ? null : mean;
  }

  /** ⌈(1−α)T⌉, or the rung before the last one below T. */
  private static long start(SuffixAverage suffix, int last) {
    if (suffix.horizon() > 0) {
      return (long) Math.ceil((1 - suffix.alpha()) * suffix.horizon() - 1e-9);
    }
    long previous = 0;
    long rung = 0;
    while (true) {
      long next = Math.max(rung + 1, (long) Math.ceil(rung / (1 - suffix.alpha())));
      if (next >= last) {
        return previous;
      }
      previous = rung;
      rung = next;
    }
  }

  private static double[] answer(IterateAverage average, double[] sums) {
    double[] result = new double[SLOTS];
    for (int i = 0; i < SLOTS; i++) {
      result[i] = average.sumFactor() * sums[i] + average.offsetFactor() * average.offset(0)[i];
    }
    return result;
  }

  @ParameterizedTest
  @MethodSource("averages")
  void equalsTheNaiveAverageAtEveryStep(Output output) {
    Random random = new Random(6);
    IterateAverage average = new IterateAverage(output);
    average.reserve(1, SLOTS);
    double[][] sums = new double[1][SLOTS];
    int steps = 300;
    double[][] iterates = new double[steps + 1][];
    double unit = 1;
    for (int t = 1; t <= steps; t++) {
      double scale = t == 1 ? 0 : unit / (t - 1);
      iterates[t] = new double[SLOTS];
      for (int i = 0; i < SLOTS; i++) {
        iterates[t][i] = scale * sums[0][i];
      }
      average.include(t, scale);
      double[] expected = naive(output, iterates, t);
      assertEquals(expected != null, average.isOpen(), "step " + t);
      if (expected != null) {
        assertArrayEquals(expected, answer(average, sums[0]), 1e-12, output + " at " + t);
      }
      double increment = random.nextGaussian() / unit;
      int slot = random.nextInt(SLOTS);
      sums[0][slot] += increment;
      average.add(0, slot, increment);
      if (t % 37 == 0) {
        // The unit of A changes: A shrinks, s grows, the iterate stays.
        average.settle(sums, SLOTS);
        for (int i = 0; i < SLOTS; i++) {
          sums[0][i] /= 8;
        }
        unit *= 8;
        if (average.isOpen()) {
          assertArrayEquals(expected, answer(average, sums[0]), 1e-12);
        }
      }
    }
  }

  @Test
  void theShareOfAStreamingSuffixIsAsPromised() {
    for (double alpha : new double[] {0.1, 0.3, 0.5, 0.8}) {
      IterateAverage average = new IterateAverage(new SuffixAverage(alpha, 0));
      for (int t = 1; t <= 20_000; t++) {
        average.include(t, 1);
        double share = average.window(0)[2] / t;
        if (t > 1_000) {
          assertTrue(share >= alpha - 1e-3, alpha + ": " + share + " at " + t);
          assertTrue(share <= 1 - (1 - alpha) * (1 - alpha) + 2e-3, alpha + ": " + share);
        }
      }
    }
  }

  @Test
  void theLastIterateKeepsNothing() {
    IterateAverage average = new IterateAverage(new LastIterate());
    average.reserve(3, 100);
    average.include(1, 0);
    average.include(2, 1);
    average.add(0, 0, 5);
    average.settle(new double[1][1], 1);
    average.splitFirstColumn();
    assertFalse(average.isOpen());
    assertEquals(0, average.windowCount());
    assertEquals(0, average.rung());
  }

  @Test
  void windowCounts() {
    assertEquals(1, new IterateAverage(new UniformAverage()).windowCount());
    assertEquals(1, new IterateAverage(new WeightedAverage()).windowCount());
    assertEquals(1, new IterateAverage(new SuffixAverage(0.5, 9)).windowCount());
    assertEquals(2, new IterateAverage(new SuffixAverage(0.5, 0)).windowCount());
    assertFalse(new IterateAverage(new UniformAverage()).isOpen());
  }

  /** A million terms of ⅛ beside one of 10^16: only a compensated sum keeps them. */
  @Test
  void theIntegralIsCompensated() {
    IterateAverage average = new IterateAverage(new UniformAverage());
    average.include(1, 1e16);
    int n = 1_000_000;
    for (int t = 2; t <= n + 1; t++) {
      average.include(t, 0.125);
    }
    average.include(n + 2, -1e16);
    assertEquals(0.125 * n / (n + 2), average.sumFactor(), 1e-16);
    IterateAverage backwards = new IterateAverage(new UniformAverage());
    backwards.include(1, 0.1);
    backwards.include(2, 1e17);
    backwards.include(3, -1e17);
    assertEquals(0.1 / 3, backwards.sumFactor(), 1e-15);
  }

  @Test
  void splittingHalvesTheMargin() {
    double[][] columns = {{2, -4}, {0, 0}, {0, 0}};
    Columns.splitFirst(columns);
    assertArrayEquals(new double[] {-1, 2}, columns[0]);
    assertArrayEquals(new double[] {1, -2}, columns[1]);
    assertArrayEquals(new double[] {0, 0}, columns[2]);
    IterateAverage average = new IterateAverage(new SuffixAverage(0.5, 0));
    average.reserve(1, 2);
    average.include(1, 0);
    average.add(0, 1, 1);
    average.include(2, 3);
    average.include(3, 1);
    average.add(0, 1, 6);
    double first = average.offset(0, 0)[1];
    double second = average.offset(1, 0)[1];
    assertTrue(first != 0 && second != 0);
    average.reserve(3, 2);
    average.splitFirstColumn();
    assertEquals(-first / 2, average.offset(0, 0)[1]);
    assertEquals(first / 2, average.offset(0, 1)[1]);
    assertEquals(-second / 2, average.offset(1, 0)[1]);
    assertEquals(second / 2, average.offset(1, 1)[1]);
    assertEquals(0, average.offset(1, 2)[1]);
  }

  @Test
  void reservingKeepsWhatIsThere() {
    IterateAverage average = new IterateAverage(new UniformAverage());
    average.reserve(1, 0);
    assertEquals(0, average.offset(0).length);
    average.reserve(1, 2);
    average.include(1, 1);
    average.add(0, 1, 3);
    average.reserve(2, 4);
    assertArrayEquals(new double[] {0, 3, 0, 0}, average.offset(0));
    assertArrayEquals(new double[4], average.offset(1));
    double[] same = average.offset(0);
    average.reserve(1, 3);
    assertSame(same, average.offset(0));
    assertEquals(4, average.offset(1).length);
  }

  @Test
  void savedScalarsGoBack() {
    SuffixAverage output = new SuffixAverage(0.5, 0);
    IterateAverage average = new IterateAverage(output);
    average.reserve(1, 1);
    IterateAverage copy = new IterateAverage(output);
    copy.reserve(1, 1);
    for (int t = 1; t <= 50; t++) {
      average.include(t, 1.0 / t);
      average.add(0, 0, t);
    }
    assertEquals(32, average.rung());
    for (int w = 0; w < 2; w++) {
      copy.restore(w, average.window(w), average.rung());
      copy.offset(w, 0)[0] = average.offset(w, 0)[0];
    }
    for (int t = 51; t <= 200; t++) {
      average.include(t, 1.0 / t);
      copy.include(t, 1.0 / t);
      average.add(0, 0, t);
      copy.add(0, 0, t);
      assertEquals(average.sumFactor(), copy.sumFactor());
      assertEquals(average.offsetFactor(), copy.offsetFactor());
      assertEquals(average.offset(0)[0], copy.offset(0)[0]);
      assertArrayEquals(average.window(1), copy.window(1));
    }
    assertEquals(average.rung(), copy.rung());
  }
}
