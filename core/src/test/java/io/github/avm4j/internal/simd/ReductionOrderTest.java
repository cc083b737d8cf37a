// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.simd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Sums have one order of additions, interpreted or compiled: without it two equal learners would
 * differ in their last bits, as would a saved learner and one that never stopped.
 */
class ReductionOrderTest {
  private static final int CALLS = 60_000;
  private final Random random = new Random(31);
  private VectorOps ops;

  @BeforeEach
  void panama() throws ReflectiveOperationException {
    assumeTrue(VectorOpsProvider.panamaPresent(), "module jdk.incubator.vector is not resolved");
    ops = VectorOpsProvider.panama();
  }

  private int lanes(int bits) {
    return Integer.parseInt(ops.name().substring("panama-".length())) / bits;
  }

  @Test
  void dotAddsPairwise() {
    int lanes = lanes(64);
    for (int n : new int[] {lanes, 4 * lanes, 5 * lanes + 3, 100}) {
      double[] a = random.doubles(n, -1, 1).toArray();
      double[] b = random.doubles(n, -1, 1).toArray();
      double expected = dot(a, b, lanes);
      for (int call = 0; call < CALLS; call++) {
        assertEquals(expected, ops.dot(a, b, n), "length " + n + ", call " + call);
      }
    }
  }

  private static double dot(double[] a, double[] b, int lanes) {
    double[][] s = new double[4][lanes];
    int i = 0;
    for (; i <= a.length - 4 * lanes; i += 4 * lanes) {
      for (int k = 0; k < 4 * lanes; k++) {
        s[k / lanes][k % lanes] = Math.fma(a[i + k], b[i + k], s[k / lanes][k % lanes]);
      }
    }
    for (; i <= a.length - lanes; i += lanes) {
      for (int l = 0; l < lanes; l++) {
        s[0][l] = Math.fma(a[i + l], b[i + l], s[0][l]);
      }
    }
    double[] total = new double[lanes];
    for (int l = 0; l < lanes; l++) {
      total[l] = s[0][l] + s[1][l] + (s[2][l] + s[3][l]);
    }
    double sum = pairwise(total);
    for (; i < a.length; i++) {
      sum = Math.fma(a[i], b[i], sum);
    }
    return sum;
  }

  private static double pairwise(double[] v) {
    double sum = v[0] + v[1];
    sum = v.length > 2 ? sum + (v[2] + v[3]) : sum;
    return v.length > 4 ? sum + (v[4] + v[5] + (v[6] + v[7])) : sum;
  }

  @Test
  void everySumRepeatsItsBits() {
    int n = 83;
    double[] a = random.doubles(96, 0, 3).toArray();
    double[] w = random.doubles(96, -1, 1).toArray();
    double[] scratch = new double[96];
    double weighted = ops.weightedExp(a, -0.7, w, scratch, n);
    for (int call = 0; call < CALLS; call++) {
      assertEquals(weighted, ops.weightedExp(a, -0.7, w, scratch, n), "call " + call);
    }
  }
}
