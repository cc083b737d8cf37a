// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.newton;

import io.github.avm4j.internal.simd.VectorOps;
import io.github.avm4j.internal.simd.VectorOpsProvider;
import java.util.Arrays;

/**
 * A symmetric matrix that grows: row i holds columns 0 to {@code i | 7}, the lower triangle and the
 * whole block of eight on the diagonal.
 *
 * <p>The blocks are symmetric to the bit, because every change is ±u·uᵀ or one and the same
 * operation on both halves: a saved lower triangle loses nothing. Entries beyond the size are 0.
 *
 * <p>An addition, and a removal before it, may wait for the next product, which takes them in
 * within the same pass. Everything else that reads or writes entries takes them in first. Either
 * way the bits are the same.
 */
final class SymmetricMatrix {
  private static final VectorOps OPS = VectorOpsProvider.get();
  private static final int BLOCK = VectorOps.SYMMETRIC_BLOCK;

  private double[][] rows = new double[BLOCK][];
  private double[] root = new double[BLOCK];
  private double[] struck = {};
  private final double[] lanes = new double[BLOCK];
  private int size;

  /** What multiplies root·rootᵀ, which waits to be added: ±1, or 0 if nothing waits. */
  private double waiting;

  /** The same for struck·struckᵀ, which comes before it. */
  private double waitingStruck;

  public SymmetricMatrix() {}

  private SymmetricMatrix(SymmetricMatrix other) {
    other.settle();
    size = other.size;
    rows = new double[other.rows.length][];
    for (int i = 0; i < size; i++) {
      rows[i] = other.rows[i].clone();
    }
    root = new double[rows.length];
  }

  public SymmetricMatrix copy() {
    return new SymmetricMatrix(this);
  }

  /** Length of an array for n entries: a multiple of the block, at most a quarter too long. */
  public static int room(int n) {
    int step = Math.max(BLOCK, Integer.highestOneBit(Math.max(1, n - 1)) / 4);
    return Math.max(BLOCK, (n + step - 1) / step * step);
  }

  /** Bytes that a matrix of this size holds, headers included; without {@link #replace}. */
  public static long bytes(int size) {
    long blocks = size / BLOCK;
    long rest = size % BLOCK;
    long entries = BLOCK * (BLOCK * blocks * (blocks + 1) / 2 + rest * (blocks + 1));
    return 8 * entries + 16L * size + 16L * room(size) + 152;
  }

  /** Bytes that it holds besides once an entry was replaced. */
  public static long replacingBytes(int size) {
    return 8L * room(size) + 16;
  }

  /** The state itself. */
  public double[] row(int i) {
    settle();
    return rows[i];
  }

  public double diagonal(int i) {
    settle();
    return rows[i][i];
  }

  /** One row and column of zeros more. */
  public void grow() {
    if (waitingStruck != 0) {
      settle();
    }
    if (size == rows.length) {
      rows = Arrays.copyOf(rows, room(size + 1));
      root = Arrays.copyOf(root, rows.length);
    }
    rows[size] = new double[(size | BLOCK - 1) + 1];
    size++;
  }

  /** Completes the blocks after the lower triangle was written from outside. */
  public void mirror() {
    settle();
    for (int i = 0; i < size; i++) {
      for (int j = i & -BLOCK; j < i; j++) {
        rows[j][i] = rows[i][j];
      }
    }
  }

  /** Takes in what waits, then out = M·k, in one pass. */
  public void multiply(double[] k, double[] out) {
    updateMultiply(k, 0, k, out);
  }

  /** M ← M + factor·q·qᵀ and what waits, factor being −1 or 0, then out = M·k, in one pass. */
  public void updateMultiply(double[] q, double factor, double[] k, double[] out) {
    if (waitingStruck != 0) {
      slideMultiply(q, factor, k, out);
    } else if (waiting == 0) {
      if (factor == 0) {
        OPS.multiply(rows, size, k, out, lanes);
      } else {
        OPS.updateMultiply(rows, size, q, factor, k, out, lanes);
      }
    } else if (factor == 0) {
      OPS.updateMultiply(rows, size, root, waiting, k, out, lanes);
    } else {
      OPS.updateTwiceMultiply(rows, size, q, factor, root, waiting, k, out, lanes);
    }
    waiting = 0;
    waitingStruck = 0;
  }

  private void slideMultiply(double[] q, double factor, double[] k, double[] out) {
    if (factor == 0) {
      OPS.updateTwiceMultiply(rows, size, struck, waitingStruck, root, waiting, k, out, lanes);
    } else {
      OPS.updateThriceMultiply(
          rows, size, struck, waitingStruck, root, waiting, q, factor, k, out, lanes);
    }
  }

  /** M ← M + factor·u·uᵀ. */
  public void add(double factor, double[] u) {
    addLater(factor, u);
    settle();
  }

  /** The same, in the pass of the next product. */
  public void addLater(double factor, double[] u) {
    settle();
    double scale = Math.sqrt(Math.abs(factor));
    for (int i = 0; i < size; i++) {
      root[i] = scale * u[i];
    }
    waiting = Math.signum(factor);
  }

  /** Takes in what waits. */
  private void settle() {
    if (waiting == 0 && waitingStruck == 0) {
      return;
    }
    for (int i = 0; i < size; i++) {
      settle(i);
    }
    waiting = 0;
    waitingStruck = 0;
  }

  /** Takes what waits into row i. */
  private void settle(int i) {
    int end = Math.min(size, (i | BLOCK - 1) + 1);
    if (waitingStruck != 0) {
      OPS.addScaled(waitingStruck * struck[i], struck, rows[i], end);
    }
    if (waiting != 0) {
      OPS.addScaled(waiting * root[i], root, rows[i], end);
    }
  }

  /**
   * M ← own·M + others·(other − less·11ᵀ), of the same size; with own = 0 whatever M holds. One
   * pass over both takes in what waits in either.
   */
  public void blend(double own, double others, SymmetricMatrix other, double less) {
    for (int i = 0; i < size; i++) {
      settle(i);
      other.settle(i);
      double[] mine = rows[i];
      double[] theirs = other.rows[i];
      int end = Math.min(size, (i | BLOCK - 1) + 1);
      for (int j = 0; j < end; j++) {
        mine[j] = (own == 0 ? 0 : own * mine[j]) + others * (theirs[j] - less);
      }
    }
    waiting = 0;
    waitingStruck = 0;
    other.waiting = 0;
    other.waitingStruck = 0;
  }

  /** out = column i, all of it. */
  public void column(int i, double[] out) {
    settle();
    for (int j = 0; j < size; j++) {
      out[j] = i >= j ? rows[i][j] : rows[j][i];
    }
  }

  /**
   * Takes row and column i out: M ← M − m_i·m_iᵀ/m_ii, then zeros in their place. This is what the
   * inverse of M becomes when its own row and column i are removed.
   */
  public void strike(int i, double[] scratch) {
    column(i, scratch);
    add(-1 / scratch[i], scratch);
    for (int j = 0; j < size; j++) {
      if (j <= (i | BLOCK - 1)) {
        rows[i][j] = 0;
      }
      if (i <= (j | BLOCK - 1)) {
        rows[j][i] = 0;
      }
    }
  }

  /** {@link #strike} of i, whose column is given, and {@link #addLater}, in the same pass. */
  public void replace(int i, double[] column, double factor, double[] u) {
    addLater(factor, u);
    if (struck.length < root.length) {
      struck = new double[root.length];
    }
    double scale = Math.sqrt(Math.abs(1 / column[i]));
    for (int j = 0; j < size; j++) {
      struck[j] = column[j] * scale;
    }
    struck[i] = 0;
    waitingStruck = -Math.signum(column[i]);
    Arrays.fill(rows[i], 0);
    for (int j = i & -BLOCK; j < size; j++) {
      rows[j][i] = 0;
    }
  }

  /** The same without row and column i. */
  public SymmetricMatrix without(int i) {
    settle();
    SymmetricMatrix smaller = new SymmetricMatrix();
    for (int r = 0; r < size - 1; r++) {
      smaller.grow();
      double[] source = rows[r < i ? r : r + 1];
      for (int c = 0; c <= r; c++) {
        smaller.rows[r][c] = source[c < i ? c : c + 1];
      }
    }
    smaller.mirror();
    return smaller;
  }

  public int size() {
    return size;
  }
}
