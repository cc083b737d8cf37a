// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.solver;

import io.github.avm4j.averaging.IterateAverage;
import io.github.avm4j.internal.simd.VectorOps;
import io.github.avm4j.internal.simd.VectorOpsProvider;
import java.util.Arrays;

/**
 * Online Newton steps on the span of the core points, in coefficient space: f(x) = Σ w_i·k(x, c_i).
 *
 * <p>Invariants, with S core points, K their Gram matrix and k_t the kernel values of instance t:
 *
 * <ol>
 *   <li>Q = K⁻¹.
 *   <li>P = (λK + Σ_t h_t·k_t·k_tᵀ)⁻¹ over the instances learned from, each projected onto the span
 *       it met. For the squared loss (h = 1) w is the exact minimiser of (λ/2)‖f‖² + ½Σ(y_t −
 *       f(x_t))² over a fixed core set: recursive least squares.
 *   <li>P and Q are symmetric: only the lower triangle and the blocks on the diagonal exist. The
 *       blocks are symmetric to the bit, because every update is ±u·uᵀ without a factor between, so
 *       that a saved lower triangle loses nothing.
 *   <li>The last rank-one update of P is pending; the next product applies it in the same pass.
 * </ol>
 *
 * <p>Cost: S² multiply-adds a step, one pass over half a matrix; twice that while core points are
 * being added. Prior art: KRLS (Engel, Mannor, Meir 2004), KRLS-T (Van Vaerenbergh et al. 2012).
 */
public final class SecondOrder {
  private static final VectorOps OPS = VectorOpsProvider.get();
  private static final int BLOCK = VectorOps.SYMMETRIC_BLOCK;

  private final double lambda;
  private double[][] weights;
  private double[][] covariance = new double[8][];
  private double[][] inverseGram = new double[8][];
  private int size;
  private double[] pending = new double[8];
  private double pendingFactor;
  private double[] product = new double[8];
  private double[] projection = new double[8];
  private double[] zeros = new double[8];

  /** No core points yet; one column of coefficients a score. */
  public SecondOrder(double lambda, int columns) {
    this.lambda = lambda;
    this.weights = new double[columns][8];
  }

  /** Number of core points S. */
  public int size() {
    return size;
  }

  /** Number of columns. */
  public int columns() {
    return weights.length;
  }

  /** w of one column; the state itself. */
  public double[] weights(int column) {
    return weights[column];
  }

  /** P's lower triangle by rows, without the pending update; the state itself. */
  public double[] covariance(int row) {
    return covariance[row];
  }

  /** Q's lower triangle by rows; the state itself. */
  public double[] inverseGram(int row) {
    return inverseGram[row];
  }

  /** The vector of the pending update; the state itself. */
  public double[] pending() {
    return pending;
  }

  /** What multiplies pending·pendingᵀ: −1, or 0 if nothing is pending. */
  public double pendingFactor() {
    return pendingFactor;
  }

  /** Puts back the sizes and scalars of a saved solver; its arrays are written by the caller. */
  public void restore(int savedSize, double savedFactor) {
    while (size < savedSize) {
      grow();
      covariance[size] = newRow(size);
      inverseGram[size] = newRow(size);
      size++;
    }
    pendingFactor = savedFactor;
  }

  /** Completes the diagonal blocks after the lower triangles were written by the caller. */
  public void restored() {
    for (int i = 0; i < size; i++) {
      mirror(covariance, i);
      mirror(inverseGram, i);
    }
  }

  /** The score of one column, given the kernel values of x to the core points. */
  public double score(int column, double[] kernel, int n) {
    return OPS.dot(weights[column], kernel, n);
  }

  /** Grows to {@code columns} ≥ 3, one a class; a single column of margins f becomes −f/2, f/2. */
  public void setColumns(int columns) {
    int old = weights.length;
    weights = Arrays.copyOf(weights, columns);
    for (int c = old; c < columns; c++) {
      weights[c] = new double[weights[0].length];
    }
    if (old == 1) {
      IterateAverage.splitFirst(weights);
    }
  }

  /**
   * The squared distance, in feature space, of x to the span of the core points: 1 − kᵀK⁻¹k, from 0
   * (x adds nothing) to 1. Must precede {@link #append} for the same x. O(S²).
   */
  public double residual(double[] kernel) {
    if (size == 0) {
      return 1;
    }
    OPS.updateMultiply(inverseGram, size, zeros, 0, kernel, projection);
    return 1 - OPS.dot(projection, kernel, size);
  }

  /**
   * Takes x as a core point, {@code residual} &gt; 0 being what {@link #residual} just said of it.
   * Its coefficient starts at 0. O(S²).
   */
  public void append(double residual) {
    settle();
    int n = size;
    grow();
    border(inverseGram, n, 1 / residual);
    border(covariance, n, 1 / (lambda * residual));
    size = n + 1;
  }

  /** M gains f·[−a; 1]·[−a; 1]ᵀ, a the projection of the new point on the old ones. */
  private void border(double[][] matrix, int n, double factor) {
    double[] a = projection;
    double[] root = new double[n];
    for (int j = 0; j < n; j++) {
      root[j] = Math.sqrt(factor) * a[j];
    }
    for (int i = 0; i < n; i++) {
      int end = Math.min(n, (i | BLOCK - 1) + 1);
      OPS.addScaled(root[i], root, matrix[i], end);
    }
    double[] last = newRow(n);
    for (int j = 0; j < n; j++) {
      last[j] = -factor * a[j];
    }
    last[n] = factor;
    matrix[n] = last;
    mirror(matrix, n);
  }

  private static double[] newRow(int i) {
    return new double[(i | BLOCK - 1) + 1];
  }

  /** Copies what row n has in its diagonal block to the rows above. */
  private static void mirror(double[][] matrix, int n) {
    for (int i = n & -BLOCK; i < n; i++) {
      matrix[i][n] = matrix[n][i];
    }
  }

  private void grow() {
    if (size == covariance.length) {
      int room = 2 * size;
      covariance = Arrays.copyOf(covariance, room);
      inverseGram = Arrays.copyOf(inverseGram, room);
      pending = Arrays.copyOf(pending, room);
      product = Arrays.copyOf(product, room);
      projection = Arrays.copyOf(projection, room);
      zeros = new double[room];
      for (int c = 0; c < weights.length; c++) {
        weights[c] = Arrays.copyOf(weights[c], room);
      }
    }
  }

  /** Applies the pending rank-one update. */
  private void settle() {
    if (pendingFactor != 0) {
      OPS.updateMultiply(covariance, size, pending, pendingFactor, pending, product);
      pendingFactor = 0;
    }
  }

  /**
   * One Newton step: {@code kernel} are the values of x to all core points, {@code gradients} the
   * derivative of the loss by each column's score, {@code curvature} h &gt; 0.
   *
   * @return s = kᵀPk, the variance of the score before the step in units of 1/h
   */
  public double step(double[] kernel, double[] gradients, double curvature) {
    OPS.updateMultiply(covariance, size, pending, pendingFactor, kernel, product);
    double s = Math.max(0, OPS.dot(product, kernel, size));
    for (int c = 0; c < weights.length; c++) {
      if (gradients[c] != 0) {
        OPS.addScaled(-gradients[c] / (1 + curvature * s), product, weights[c], size);
      }
    }
    double root = Math.sqrt(1 / (1 / curvature + s));
    for (int i = 0; i < size; i++) {
      product[i] *= root;
    }
    double[] applied = pending;
    pending = product;
    product = applied;
    pendingFactor = -1;
    return s;
  }
}
