// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.firstorder;

import io.github.avm4j.internal.newton.Columns;
import io.github.avm4j.internal.simd.VectorOps;
import io.github.avm4j.internal.simd.VectorOpsProvider;
import io.github.avm4j.paper.Output;
import java.util.Arrays;

/**
 * The paper's step w_{t+1} = Π(w_t − η_t·h_t) with η_t = 1/(λt), on the coefficients of the core
 * points.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>After t steps w_{t+1} = s_t·A with s_t = c/(λt). A sums the negated gradients, so a step
 *       touches one entry of one or two columns and no decay loop exists.
 *   <li>c is 1 until a projection shrinks it. Without projections and with the hinge loss and unit
 *       weights, A holds exact integers.
 *   <li>‖w‖² is kept only when the learner projects (squared loss with λ ≤ 1).
 * </ol>
 */
public final class FirstOrder {
  private static final VectorOps OPS = VectorOpsProvider.get();

  /**
   * Below this c is folded into A. An average is a difference of numbers 1/c times its own size, so
   * a smaller bound would cost digits; a larger one would fold more often than every few steps.
   */
  public static final double SMALLEST_SHRINK = 0x1p-8;

  /** Shared by the columns of a solver that has no core point yet. */
  private static final double[] EMPTY = {};

  private static final int FIRST_CAPACITY = 8;

  private final double lambda;
  private final IterateAverage average;
  private double[][] sums;
  private int capacity;
  private int size;
  private long steps;
  private double shrink = 1;
  private double squaredNorm;

  /** w_1 = 0 with the given number of columns: one for margins and values, else one a class. */
  public FirstOrder(double lambda, Output output, int columns) {
    this.lambda = lambda;
    this.average = new IterateAverage(output);
    this.sums = new double[columns][];
    Arrays.fill(sums, EMPTY);
    average.reserve(columns, 0);
  }

  /** Steps taken, the paper's t. */
  public long steps() {
    return steps;
  }

  /** Number of columns. */
  public int columns() {
    return sums.length;
  }

  /** Grows to {@code columns} ≥ 3, one a class; a single column of margins f becomes −f/2, f/2. */
  public void setColumns(int columns) {
    int old = sums.length;
    sums = Arrays.copyOf(sums, columns);
    for (int c = old; c < columns; c++) {
      sums[c] = capacity == 0 ? EMPTY : new double[capacity];
    }
    average.reserve(columns, capacity);
    if (old == 1) {
      Columns.splitFirst(sums);
      average.splitFirstColumn();
    }
  }

  /** Makes the coefficient of core point {@code slot} exist. */
  public void reserve(int slot) {
    if (slot >= capacity) {
      capacity = Math.max(Math.max(slot + 1, 2 * capacity), FIRST_CAPACITY);
      for (int c = 0; c < sums.length; c++) {
        sums[c] = Arrays.copyOf(sums[c], capacity);
      }
      average.reserve(sums.length, capacity);
    }
    size = Math.max(size, slot + 1);
  }

  private double scale() {
    return steps == 0 ? 0 : shrink / (lambda * steps);
  }

  /** w_{t+1}ᵀΦ(x) of one column, given the kernel values of x to the core points. */
  public double score(int column, double[] kernel, int n) {
    return scale() * OPS.dot(sums[column], kernel, n);
  }

  /** The same with the configured output. */
  public double outputScore(int column, double[] kernel, int n) {
    if (!average.isOpen()) {
      return score(column, kernel, n);
    }
    return average.sumFactor() * OPS.dot(sums[column], kernel, n)
        + average.offsetFactor() * OPS.dot(average.offset(column), kernel, n);
  }

  /** Begins step t: the iterate w_t takes its place in the average, then decays by (t−1)/t. */
  public void beginStep() {
    average.include(steps + 1, scale());
    double decay = steps / (steps + 1.0);
    squaredNorm *= decay * decay;
    steps++;
  }

  /** Subtracts η_t·alpha·Φ(c_slot) from one column. */
  public void add(int column, int slot, double alpha) {
    double increment = -alpha / shrink;
    sums[column][slot] += increment;
    average.add(column, slot, increment);
  }

  /**
   * Ends a step that may leave the ball: {@code scoreAtCore} is w_tᵀΦ(c) of the core point that
   * took {@code alpha}. O(1): the norm follows from that one score.
   */
  public void project(double alpha, double scoreAtCore, double radius) {
    double eta = 1 / (lambda * steps);
    double decay = (steps - 1.0) / steps;
    enterBall(squaredNorm + eta * alpha * (eta * alpha - 2 * decay * scoreAtCore), radius);
  }

  /** Scales w, whose ‖w‖² is given, into the ball of this radius. */
  private void enterBall(double norm, double radius) {
    squaredNorm = Math.max(0, norm);
    if (squaredNorm > radius * radius) {
      shrink *= radius / Math.sqrt(squaredNorm);
      squaredNorm = radius * radius;
      if (shrink < SMALLEST_SHRINK) {
        foldShrink();
      }
    }
  }

  private void foldShrink() {
    average.settle(sums, size);
    for (double[] column : sums) {
      for (int i = 0; i < size; i++) {
        column[i] *= shrink;
      }
    }
    shrink = 1;
  }

  /** ‖w_{t+1}‖², meaningful only if every step ended with {@link #project}. */
  public double squaredNorm() {
    return squaredNorm;
  }

  /** The coefficient of w_{t+1} at core point {@code slot}. */
  public double coefficient(int column, int slot) {
    return scale() * sums[column][slot];
  }

  /** The coefficients of the output, one array of n a column; a copy. */
  public double[][] outputCoefficients(int n) {
    double[][] result = new double[sums.length][n];
    boolean open = average.isOpen();
    double factor = open ? average.sumFactor() : scale();
    for (int c = 0; c < sums.length; c++) {
      for (int i = 0; i < n; i++) {
        double value = factor * sums[c][i];
        result[c][i] = open ? value + average.offsetFactor() * average.offset(c)[i] : value;
      }
    }
    return result;
  }

  /** The average's state, for saving. */
  public IterateAverage average() {
    return average;
  }

  /** A of one column; the state itself, for saving and restoring. */
  public double[] sums(int column) {
    return sums[column];
  }

  /** c, for saving. */
  public double shrink() {
    return shrink;
  }

  /** Puts saved scalars back. */
  public void restore(long savedSteps, double savedShrink, double savedSquaredNorm) {
    steps = savedSteps;
    shrink = savedShrink;
    squaredNorm = savedSquaredNorm;
  }
}
