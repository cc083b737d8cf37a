// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.newton;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.avm4j.internal.linear.Cholesky;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Against full matrices with plain loops, at every size around the blocks of eight. */
class SymmetricMatrixTest {
  private static final int ROOM = 64;

  private final SplittableRandom random = new SplittableRandom(6);

  private double[] vector(int n) {
    return Arrays.copyOf(random.doubles(n, -1, 1).toArray(), ROOM);
  }

  private static void addPlain(double[][] full, double factor, double[] u, int n) {
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        full[i][j] += factor * u[i] * u[j];
      }
    }
  }

  /** A matrix and its plain twin of n rows, both positive definite. */
  private SymmetricMatrix grown(int n, double[][] full) {
    SymmetricMatrix m = new SymmetricMatrix();
    for (int i = 0; i < n; i++) {
      m.grow();
      for (int r = 0; r < 2; r++) {
        double[] u = vector(i + 1);
        m.add(1.5, u);
        addPlain(full, 1.5, u, i + 1);
      }
    }
    return m;
  }

  private static void same(double[][] full, SymmetricMatrix m, int n) {
    assertEquals(n, m.size());
    for (int i = 0; i < n; i++) {
      double[] column = new double[ROOM];
      m.column(i, column);
      assertArrayEquals(full[i], column, 1e-11, "size " + n + ", column " + i);
      assertEquals(m.row(i)[i], m.diagonal(i));
      for (int j = i & -8; j < i; j++) {
        assertEquals(m.row(i)[j], m.row(j)[i], "the block is symmetric to the bit");
      }
      for (int j = n; j < m.row(i).length; j++) {
        assertEquals(0, m.row(i)[j], "beyond the size");
      }
    }
  }

  @Test
  void growsAddsAndMultiplies() {
    for (int n = 1; n <= 35; n++) {
      double[][] full = new double[ROOM][ROOM];
      SymmetricMatrix m = grown(n, full);
      same(full, m, n);
      double[] k = vector(n);
      double[] out = new double[ROOM];
      m.multiply(k, out);
      assertProduct(full, k, out, n);
      double[] q = vector(n);
      m.updateMultiply(q, -1, k, out);
      addPlain(full, -1, q, n);
      assertProduct(full, k, out, n);
      same(full, m, n);
      m.updateMultiply(q, 0, q, out);
      assertProduct(full, q, out, n);
      m.add(-0.3, k);
      addPlain(full, -0.3, k, n);
      same(full, m, n);
    }
  }

  private static void assertProduct(double[][] full, double[] k, double[] out, int n) {
    for (int i = 0; i < n; i++) {
      double expected = 0;
      for (int j = 0; j < n; j++) {
        expected += full[i][j] * k[j];
      }
      assertEquals(expected, out[i], 1e-11, "size " + n + ", row " + i);
    }
  }

  @Test
  void blendsAndCopies() {
    for (int n = 1; n <= 20; n++) {
      double[][] one = new double[ROOM][ROOM];
      double[][] two = new double[ROOM][ROOM];
      SymmetricMatrix m = grown(n, one);
      SymmetricMatrix copy = m.copy();
      SymmetricMatrix other = grown(n, two);
      double[][] before = Arrays.stream(one).map(double[]::clone).toArray(double[][]::new);
      m.blend(0.9, 0.4, other, 0.3);
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
          one[i][j] = 0.9 * one[i][j] + 0.4 * (two[i][j] - 0.3);
        }
      }
      same(one, m, n);
      same(two, other, n);
      same(before, copy, n);
      copy.grow();
      same(before, copy, n + 1);
    }
  }

  /** The lower triangle alone brings everything back, which is what files hold. */
  @Test
  void lowerTriangleIsEnough() {
    for (int n : new int[] {1, 7, 8, 9, 21}) {
      double[][] full = new double[ROOM][ROOM];
      SymmetricMatrix m = grown(n, full);
      SymmetricMatrix read = new SymmetricMatrix();
      for (int i = 0; i < n; i++) {
        read.grow();
      }
      for (int i = 0; i < n; i++) {
        System.arraycopy(m.row(i), 0, read.row(i), 0, i + 1);
      }
      read.mirror();
      for (int i = 0; i < n; i++) {
        assertArrayEquals(m.row(i), read.row(i), "row " + i + " to the bit");
      }
    }
  }

  /** If M = A⁻¹, then M with i struck out is the inverse of A without row and column i. */
  @Test
  void strikingIsTheInverseOfTheRest() {
    for (int n = 2; n <= 20; n++) {
      double[][] full = new double[ROOM][ROOM];
      grown(n, full);
      SymmetricMatrix m = conditioned(full, n);
      double[][] a = new Cholesky(shrunk(full, n, -1)).inverse();
      int struck = random.nextInt(n);
      m.strike(struck, new double[ROOM]);
      double[][] expected = new Cholesky(shrunk(a, n, struck)).inverse();
      double[][] wide = new double[ROOM][ROOM];
      for (int i = 0; i < n - 1; i++) {
        for (int j = 0; j < n - 1; j++) {
          wide[i < struck ? i : i + 1][j < struck ? j : j + 1] = expected[i][j];
        }
      }
      same(wide, m, n);
      assertEquals(0, m.diagonal(struck));
    }
  }

  /** In one pass, to the bit. */
  @Test
  void replacingIsStrikingAndAdding() {
    for (int n = 1; n <= 35; n++) {
      double[][] full = new double[ROOM][ROOM];
      SymmetricMatrix expected = grown(n, full);
      SymmetricMatrix m = expected.copy();
      int place = random.nextInt(n);
      double[] u = vector(n);
      expected.strike(place, new double[ROOM]);
      expected.add(0.7, u);
      double[] column = new double[ROOM];
      m.column(place, column);
      m.replace(place, column, 0.7, u);
      for (int i = 0; i < n; i++) {
        assertArrayEquals(expected.row(i), m.row(i), "size " + n + ", row " + i);
      }
    }
  }

  /** What waits enters a product, a blend, a copy and a larger matrix as if it had not waited. */
  @Test
  void whatWaitsIsTakenInByEverything() {
    for (int n = 1; n <= 35; n++) {
      int place = random.nextInt(n);
      SymmetricMatrix before = grown(n, new double[ROOM][ROOM]);
      SymmetricMatrix[] m = new SymmetricMatrix[7];
      double[] u = vector(n);
      for (int c = 0; c < m.length; c++) {
        m[c] = before.copy();
        double[] column = new double[ROOM];
        m[c].column(place, column);
        m[c].replace(place, column, 0.7, u);
      }
      SymmetricMatrix expected = m[0];
      expected.row(0);
      double[] k = vector(n);
      double[] q = vector(n);
      double[] out = new double[ROOM];
      double[] same = new double[ROOM];
      expected.multiply(k, out);
      m[1].multiply(k, same);
      assertArrayEquals(out, same);
      equal(expected, m[1].copy(), n);
      equal(expected, m[2].copy(), n);
      expected.updateMultiply(q, -1, k, out);
      m[3].updateMultiply(q, -1, k, same);
      assertArrayEquals(out, same);
      equal(expected, m[3], n);
      m[1].blend(0.9, 0.1, before, 0.01);
      m[4].blend(0.9, 0.1, before, 0.01);
      equal(m[1], m[4], n);
      before.blend(0.9, 0.1, m[5], 0.01);
      equal(m[2], m[5], n);
      m[2].grow();
      m[6].grow();
      equal(m[2], m[6], n + 1);
    }
  }

  private static void equal(SymmetricMatrix expected, SymmetricMatrix m, int n) {
    for (int i = 0; i < n; i++) {
      assertArrayEquals(expected.row(i), m.row(i), "size " + n + ", row " + i);
    }
  }

  /** The same matrix with 1 more on the diagonal. */
  private static SymmetricMatrix conditioned(double[][] full, int n) {
    SymmetricMatrix m = new SymmetricMatrix();
    for (int i = 0; i < n; i++) {
      full[i][i] += 1;
      m.grow();
    }
    for (int i = 0; i < n; i++) {
      System.arraycopy(full[i], 0, m.row(i), 0, i + 1);
    }
    m.mirror();
    return m;
  }

  /** The n×n matrix without row and column {@code struck}, if that is one of them. */
  private static double[][] shrunk(double[][] full, int n, int struck) {
    int size = struck < 0 ? n : n - 1;
    double[][] a = new double[size][size];
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        a[i][j] = full[struck < 0 || i < struck ? i : i + 1][struck < 0 || j < struck ? j : j + 1];
      }
    }
    return a;
  }
}
