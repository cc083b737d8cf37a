// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.simd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Both implementations against naive loops; the Vector API's half is skipped without its module.
 */
class VectorOpsTest {

  private static final int[] DIMS = {1, 2, 3, 7, 8, 9, 15, 16, 17, 54, 123};
  private static final int[] WIDTHS = {8, 16, 32};
  private static final int[] LENGTHS = {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 500};
  private static final double GUARD = -12345;

  enum Kind {
    SCALAR,
    PANAMA;

    VectorOps ops() throws ReflectiveOperationException {
      if (this == SCALAR) {
        return new ScalarVectorOps();
      }
      assumeTrue(VectorOpsProvider.panamaPresent(), "module jdk.incubator.vector is not resolved");
      return VectorOpsProvider.panama();
    }
  }

  private final Random random = new Random(20240917);

  @Test
  void providerChoosesOnceAndHonoursItsConditions() {
    VectorOps ops = VectorOpsProvider.get();
    assertSame(ops, VectorOpsProvider.get());
    boolean off = "off".equals(System.getProperty("avm4j.simd"));
    boolean tested = Runtime.version().feature() <= 25;
    boolean panama = VectorOpsProvider.panamaPresent() && tested && !off;
    assertTrue(ops.name().startsWith(panama ? "panama-" : "scalar"), ops.name());
  }

  @ParameterizedTest
  @EnumSource
  void squaredDistances(Kind kind) throws ReflectiveOperationException {
    VectorOps ops = kind.ops();
    for (int dims : DIMS) {
      for (int width : WIDTHS) {
        double[] tile = uniform(dims * width);
        double[] x = uniform(dims);
        double[] out = guarded(width + 5);
        ops.squaredDistances(tile, width, x, dims, out, 3);
        for (int l = 0; l < width; l++) {
          double sum = 0;
          for (int j = 0; j < dims; j++) {
            sum += (x[j] - tile[j * width + l]) * (x[j] - tile[j * width + l]);
          }
          assertEquals(sum, out[3 + l], 1e-12 * dims * sum);
        }
        assertGuards(out, 3, width);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void twoInstancesAtOnceGetTheBitsOfOne(Kind kind) throws ReflectiveOperationException {
    VectorOps ops = kind.ops();
    for (int dims : DIMS) {
      for (int width : WIDTHS) {
        double[] tile = uniform(dims * width);
        double[] x = uniform(dims);
        double[] y = uniform(dims);
        double[][] expected = {guarded(width + 5), guarded(width + 5)};
        double[][] found = {guarded(width + 5), guarded(width + 5)};
        ops.squaredDistances(tile, width, x, dims, expected[0], 3);
        ops.squaredDistances(tile, width, y, dims, expected[1], 3);
        ops.squaredDistances(tile, width, x, y, dims, found[0], found[1], 3);
        assertTrue(Arrays.deepEquals(expected, found), dims + " × " + width);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void sparseDots(Kind kind) throws ReflectiveOperationException {
    VectorOps ops = kind.ops();
    for (int dims : DIMS) {
      for (int width : WIDTHS) {
        for (int nnz : new int[] {0, 1, (dims + 1) / 2, dims}) {
          int[] indices = random.ints(0, dims).distinct().limit(nnz).sorted().toArray();
          double[] tile = uniform(dims * width);
          double[] values = uniform(nnz + 2);
          double[] out = guarded(width + 5);
          ops.dots(tile, width, indices, values, nnz, out, 2);
          for (int l = 0; l < width; l++) {
            double sum = 0;
            for (int k = 0; k < nnz; k++) {
              sum += values[k] * tile[indices[k] * width + l];
            }
            assertEquals(sum, out[2 + l], 1e-12 * dims);
          }
          assertGuards(out, 2, width);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void squaredFromDotsNeverNegative(Kind kind) throws ReflectiveOperationException {
    VectorOps ops = kind.ops();
    for (int n : LENGTHS) {
      double[] norms = uniform(n);
      double[] dots = uniform(n + 1);
      double[] result = dots.clone();
      ops.squaredFromDots(0.25, norms, result, n);
      for (int i = 0; i < n; i++) {
        double expected = Math.max(0, 0.25 + norms[i] - 2 * dots[i]);
        assertEquals(expected, result[i], 1e-15);
      }
      assertEquals(dots[n], result[n]);
    }
  }

  @ParameterizedTest
  @EnumSource
  void dot(Kind kind) throws ReflectiveOperationException {
    VectorOps ops = kind.ops();
    for (int n : LENGTHS) {
      double[] a = uniform(n + 3);
      double[] b = uniform(n);
      double sum = 0;
      for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
      }
      assertEquals(sum, ops.dot(a, b, n), 1e-14 * n);
    }
  }

  @ParameterizedTest
  @EnumSource
  void expIsWithinOneUlpAndMonotone(Kind kind) throws ReflectiveOperationException {
    VectorOps ops = kind.ops();
    int n = 1_000_000;
    double[] in = new double[n];
    Arrays.setAll(in, i -> 708.0 * i / n);
    double[] out = new double[n];
    ops.exp(in, -1, out, n);
    for (int i = 0; i < n; i++) {
      assertUlps(StrictMath.exp(-in[i]), out[i], 1.01);
      assertTrue(i == 0 || out[i] <= out[i - 1]);
    }
    double[] small = random.doubles(n).map(v -> 40 * Math.scalb(v, -random.nextInt(60))).toArray();
    ops.exp(small, -2.5, out, n);
    IntStream.range(0, n).forEach(i -> assertUlps(StrictMath.exp(-2.5 * small[i]), out[i], 1.01));
  }

  @ParameterizedTest
  @EnumSource
  void expAtTheExtremes(Kind kind) throws ReflectiveOperationException {
    VectorOps ops = kind.ops();
    double inf = Double.POSITIVE_INFINITY;
    double[] in = {
      0, -0.0, Double.MIN_VALUE, 1e-300, 1e-17, 746, 1e5, 1e300, Double.MAX_VALUE, inf
    };
    double[] expected = {1, 1, 1, 1, 1, 0, 0, 0, 0, 0};
    for (int n = 0; n <= in.length; n++) {
      double[] exact = Arrays.copyOf(in, n);
      ops.exp(exact, -1, exact, n);
      assertEquals(Arrays.toString(Arrays.copyOf(expected, n)), Arrays.toString(exact));
    }
    double[] subnormal = {708.3, 708.5, 708.7, 708.8, 720, 740, 745};
    double[] out = new double[subnormal.length];
    ops.exp(subnormal, -1, out, out.length);
    for (int i = 0; i < out.length; i++) {
      assertEquals(StrictMath.exp(-subnormal[i]), out[i], 2e-308);
      assertTrue(out[i] >= 0);
    }
    double[] zeros = new double[33];
    ops.exp(zeros, 0, zeros, 33);
    assertTrue(Arrays.stream(zeros).allMatch(v -> v == 1));
  }

  @ParameterizedTest
  @EnumSource
  void expDoesNotDependOnPosition(Kind kind) throws ReflectiveOperationException {
    VectorOps ops = kind.ops();
    for (int n : LENGTHS) {
      double[] in = new double[n];
      Arrays.setAll(in, i -> 3.3);
      double[] roomy = Arrays.copyOf(in, n + VectorOps.PADDING);
      ops.exp(roomy, -1, roomy, n);
      ops.exp(in, -1, in, n);
      for (int i = 0; i < n; i++) {
        assertEquals(roomy[0], in[i]);
        assertEquals(roomy[0], roomy[i]);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void weightedExpSumsWithAndWithoutPadding(Kind kind) throws ReflectiveOperationException {
    VectorOps ops = kind.ops();
    for (int n : LENGTHS) {
      double[] in = random.doubles(n, 0, 9).toArray();
      double[] weights = uniform(n);
      double sum = 0;
      for (int i = 0; i < n; i++) {
        sum += weights[i] * StrictMath.exp(-0.7 * in[i]);
      }
      for (int room : new int[] {n, n + 2 * VectorOps.PADDING}) {
        double[] a = Arrays.copyOf(in, room);
        double[] w = Arrays.copyOf(weights, room);
        assertEquals(sum, ops.weightedExp(a, -0.7, w, new double[n], n), 1e-14 * n);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void nearestTakesTheLowestIndexOfTies(Kind kind) throws ReflectiveOperationException {
    VectorOps ops = kind.ops();
    assertEquals(-1, ops.nearest(new double[40], 0));
    for (int n : LENGTHS) {
      for (int trial = 0; n > 0 && trial < 200; trial++) {
        double[] squared = new double[n + 2];
        int levels = 1 + random.nextInt(n);
        Arrays.setAll(squared, i -> 1 + random.nextInt(levels));
        Arrays.fill(squared, n, n + 2, 0.5);
        int expected = 0;
        for (int i = 1; i < n; i++) {
          expected = squared[i] < squared[expected] ? i : expected;
        }
        assertEquals(expected, ops.nearest(squared, n));
        Arrays.fill(squared, Double.POSITIVE_INFINITY);
        assertEquals(0, ops.nearest(squared, n));
        squared[expected] = 0;
        assertEquals(expected, ops.nearest(squared, n));
        Arrays.fill(squared, 0, n, 0.0);
        squared[n - 1] = -0.0;
        assertEquals(0, ops.nearest(squared, n));
      }
    }
  }

  private double[] uniform(int n) {
    return random.doubles(n, -1, 1).toArray();
  }

  private static double[] guarded(int n) {
    return IntStream.range(0, n).mapToDouble(i -> GUARD).toArray();
  }

  private static void assertGuards(double[] out, int o, int width) {
    for (int i = 0; i < out.length; i++) {
      assertEquals(i < o || i >= o + width, out[i] == GUARD);
    }
  }

  private static void assertUlps(double expected, double actual, double ulps) {
    if (Math.abs(expected - actual) > ulps * Math.ulp(expected)) {
      assertEquals(expected, actual, ulps * Math.ulp(expected));
    }
  }
}
