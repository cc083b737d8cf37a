// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.simd;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Both providers against the plain definition, on every size up to several blocks. */
class SymmetricOpsTest {
  private static final int LARGEST = 70;

  private static VectorOps ops(String name) {
    if (name.equals("scalar")) {
      return new ScalarVectorOps();
    }
    boolean present = ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();
    Assumptions.assumeTrue(present, "the vector module is not there: nothing to compare");
    return new PanamaVectorOps();
  }

  @ParameterizedTest
  @ValueSource(strings = {"scalar", "panama"})
  void updateThenMultiply(String name) {
    VectorOps ops = ops(name);
    Random random = new Random(4);
    for (int n = 1; n <= LARGEST; n++) {
      int room = (n + 7) & -8;
      double[][] full = symmetric(n, random);
      double[][] rows = stored(full, n);
      double[] q = values(n, room, random, 0);
      double[] k = values(n, room, random, 0.3);
      double[] out = new double[room];
      double factor = n % 3 == 0 ? 0 : random.nextGaussian();
      ops.updateMultiply(rows, n, q, factor, k, out, new double[8]);
      for (int i = 0; i < n; i++) {
        double expected = 0;
        for (int j = 0; j < n; j++) {
          double entry = full[i][j] + factor * q[i] * q[j];
          expected += entry * k[j];
          if (j < rows[i].length) {
            assertEquals(entry, rows[i][j], 1e-13, "n " + n + " entry " + i + "," + j);
          }
        }
        assertEquals(expected, out[i], 1e-11, "n " + n + " row " + i);
        for (int j = n; j < rows[i].length; j++) {
          assertEquals(0, rows[i][j], "padding " + i + "," + j);
        }
      }
      for (int i = n; i < room; i++) {
        assertEquals(0, out[i], "padding " + i);
      }
    }
  }

  /** Reading alone gives the bits of an update by nothing, and changes nothing. */
  @ParameterizedTest
  @ValueSource(strings = {"scalar", "panama"})
  void multiply(String name) {
    VectorOps ops = ops(name);
    Random random = new Random(6);
    for (int n = 1; n <= LARGEST; n++) {
      int room = (n + 7) & -8;
      double[][] rows = stored(symmetric(n, random), n);
      double[][] same = Arrays.stream(rows).map(double[]::clone).toArray(double[][]::new);
      double[] k = values(n, room, random, 0.3);
      double[] out = new double[room];
      double[] expected = new double[room];
      ops.multiply(rows, n, k, out, new double[8]);
      ops.updateMultiply(same, n, new double[room], 0, k, expected, new double[8]);
      assertArrayEquals(expected, out, "n " + n);
      assertTrue(Arrays.deepEquals(same, rows), "n " + n);
    }
  }

  /** Two updates in one pass give the bits of one after the other. */
  @ParameterizedTest
  @ValueSource(strings = {"scalar", "panama"})
  void updateTwice(String name) {
    VectorOps ops = ops(name);
    Random random = new Random(7);
    for (int n = 1; n <= LARGEST; n++) {
      int room = (n + 7) & -8;
      double[][] rows = stored(symmetric(n, random), n);
      double[][] same = Arrays.stream(rows).map(double[]::clone).toArray(double[][]::new);
      double[] q = values(n, room, random, 0);
      double[] u = values(n, room, random, 0);
      double[] k = values(n, room, random, 0.3);
      double[] out = new double[room];
      double[] expected = new double[room];
      double sign = n % 2 == 0 ? 1 : -1;
      ops.updateTwiceMultiply(rows, n, q, -1, u, sign, k, out, new double[8]);
      ops.updateMultiply(same, n, q, -1, k, expected, new double[8]);
      ops.updateMultiply(same, n, u, sign, k, expected, new double[8]);
      assertArrayEquals(expected, out, "n " + n);
      assertTrue(Arrays.deepEquals(same, rows), "n " + n);
    }
  }

  /** Three updates in one pass give the bits of one after the other. */
  @ParameterizedTest
  @ValueSource(strings = {"scalar", "panama"})
  void updateThrice(String name) {
    VectorOps ops = ops(name);
    Random random = new Random(8);
    for (int n = 1; n <= LARGEST; n++) {
      int room = (n + 7) & -8;
      double[][] rows = stored(symmetric(n, random), n);
      double[][] same = Arrays.stream(rows).map(double[]::clone).toArray(double[][]::new);
      double[] q = values(n, room, random, 0);
      double[] u = values(n, room, random, 0);
      double[] v = values(n, room, random, 0);
      double[] k = values(n, room, random, 0.3);
      double[] out = new double[room];
      double[] expected = new double[room];
      ops.updateThriceMultiply(rows, n, q, -1, u, 1, v, -1, k, out, new double[8]);
      ops.updateMultiply(same, n, q, -1, k, expected, new double[8]);
      ops.updateMultiply(same, n, u, 1, k, expected, new double[8]);
      ops.updateMultiply(same, n, v, -1, k, expected, new double[8]);
      assertArrayEquals(expected, out, "n " + n);
      assertTrue(Arrays.deepEquals(same, rows), "n " + n);
    }
  }

  private static double[][] symmetric(int n, Random random) {
    double[][] m = new double[n][n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) {
        m[i][j] = random.nextGaussian();
        m[j][i] = m[i][j];
      }
    }
    return m;
  }

  private static double[][] stored(double[][] full, int n) {
    double[][] rows = new double[n][];
    for (int i = 0; i < n; i++) {
      rows[i] = new double[(i | 7) + 1];
      System.arraycopy(full[i], 0, rows[i], 0, Math.min(n, rows[i].length));
    }
    return rows;
  }

  private static double[] values(int n, int room, Random random, double padding) {
    double[] v = new double[room];
    for (int i = 0; i < room; i++) {
      v[i] = i < n ? random.nextGaussian() : padding;
    }
    return v;
  }

  @ParameterizedTest
  @ValueSource(strings = {"scalar", "panama"})
  void addScaled(String name) {
    VectorOps ops = ops(name);
    Random random = new Random(5);
    for (int n = 0; n <= LARGEST; n++) {
      double[] x = values(LARGEST + 1, LARGEST + 1, random, 0);
      double[] y = values(LARGEST + 1, LARGEST + 1, random, 0);
      double[] before = y.clone();
      ops.addScaled(-1.5, x, y, n);
      for (int i = 0; i <= LARGEST; i++) {
        assertEquals(i < n ? before[i] - 1.5 * x[i] : before[i], y[i], 1e-14, n + ", " + i);
      }
    }
  }
}
