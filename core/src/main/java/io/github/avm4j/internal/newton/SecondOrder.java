// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.newton;

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
 *   <li>Striking a core point out leaves P and w what they would be had it never been there.
 *   <li>The last rank-one update of P is pending; the next product applies it in the same pass, and
 *       what a new core point, or one in another's place, changes in P. Q waits for its next
 *       product likewise.
 * </ol>
 *
 * <p>Cost: S² multiply-adds a step, one pass over half a matrix; one over each of both while core
 * points are added or replaced. Prior art: KRLS (Engel, Mannor, Meir 2004), KRLS-T (Van Vaerenbergh
 * et al. 2012, forgetting back to the prior), optimal brain surgeon (Hassibi, Stork 1993, what
 * striking costs).
 */
public final class SecondOrder {
  private static final VectorOps OPS = VectorOpsProvider.get();

  /** Share of the largest prior variance of a coefficient that rounding leaves uncertain. */
  private static final double ROUNDING = 1e-16;

  /** Share of the mean that is kept; the rest is always forgotten, or one point never would be. */
  private static final double MEAN_KEPT = 0.99;

  private final double lambda;
  private double[][] weights;
  private SymmetricMatrix covariance;
  private SymmetricMatrix inverseGram;
  private int size;
  private double[] pending = new double[SymmetricMatrix.room(0)];
  private double pendingFactor;
  private double[] product = new double[SymmetricMatrix.room(0)];
  private double[] projection = new double[SymmetricMatrix.room(0)];
  private double spread;

  /** By how much elements of P may be off, or more than that: see {@link #measureRounding}. */
  private double rounding;

  private boolean roundingIsExact = true;
  private double kernelSquare;

  /** No core points yet; one column of coefficients a score. */
  public SecondOrder(double lambda, int columns) {
    this.lambda = lambda;
    this.weights = new double[columns][SymmetricMatrix.room(0)];
    this.covariance = new SymmetricMatrix();
    this.inverseGram = new SymmetricMatrix();
  }

  /** An equal solver that shares nothing with the other. */
  public SecondOrder(SecondOrder other) {
    lambda = other.lambda;
    weights = Arrays.stream(other.weights).map(double[]::clone).toArray(double[][]::new);
    covariance = other.covariance.copy();
    inverseGram = other.inverseGram.copy();
    size = other.size;
    rounding = other.rounding;
    roundingIsExact = other.roundingIsExact;
    pending = other.pending.clone();
    pendingFactor = other.pendingFactor;
    product = new double[pending.length];
    projection = new double[pending.length];
  }

  public int size() {
    return size;
  }

  public int columns() {
    return weights.length;
  }

  /** w of one column; the state itself. */
  public double[] weights(int column) {
    return weights[column];
  }

  /** A row of P's lower triangle, without the pending update; the state itself. */
  public double[] covariance(int row) {
    return covariance.row(row);
  }

  /** A row of Q's lower triangle; the state itself. */
  public double[] inverseGram(int row) {
    return inverseGram.row(row);
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
    }
    pendingFactor = savedFactor;
  }

  /** Completes the matrices after their lower triangles were written by the caller. */
  public void restored() {
    covariance.mirror();
    inverseGram.mirror();
    measureRounding();
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
      Columns.splitFirst(weights);
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
    inverseGram.multiply(kernel, projection);
    return 1 - OPS.dot(projection, kernel, size);
  }

  /** K⁻¹k of the last {@link #residual}; the scratch itself. */
  public double[] projection() {
    return projection;
  }

  /**
   * Takes x as a core point, {@code residual} &gt; 0 being what {@link #residual} just said of it.
   * Its coefficient starts at 0. O(S²).
   */
  public void append(double residual) {
    grow();
    projection[size - 1] = -1;
    inverseGram.addLater(1 / residual, projection);
    covariance.addLater(1 / (lambda * residual), projection);
    raiseRounding(residual);
  }

  /**
   * Strikes core point i out: the other coefficients become what they would be without it. Its
   * place stays, empty, until {@link #occupy}. O(S²).
   */
  public void strike(int i) {
    settle();
    covariance.column(i, product);
    strikeWeights(i);
    covariance.strike(i, product);
    inverseGram.strike(i, product);
  }

  /**
   * Puts x in the empty place i, {@code residual} being what {@link #residual} just said of it with
   * kernel value 0 at i.
   *
   * @param information Σ h·g² of the instances that spoke for x, g being the part of k(x, ·) that
   *     the other core points lack
   * @param change of f along g, one number a column
   */
  public void occupy(int i, double residual, double information, double[] change) {
    projection[i] = -1;
    inverseGram.add(1 / residual, projection);
    covariance.add(1 / (lambda * residual + information), projection);
    for (int c = 0; c < weights.length; c++) {
      OPS.addScaled(-change[c], projection, weights[c], size);
    }
    measureRounding();
  }

  /**
   * {@link #strike} and {@link #occupy}, without evidence for x, in the next pass over each matrix.
   * {@code residual} is what {@link #residual} just said of x, core point i counting. O(S²).
   */
  public void replace(int i, double residual) {
    inverseGram.column(i, product);
    double share = projection[i] / product[i];
    double without = residual + share * projection[i];
    boolean sound = product[i] > 0 && without > 0;
    OPS.addScaled(-share, product, projection, size);
    projection[i] = -1;
    inverseGram.replace(i, product, 1 / without, projection);
    covariance.column(i, product);
    OPS.addScaled(pendingFactor * pending[i], pending, product, size);
    pending[i] = 0;
    strikeWeights(i);
    covariance.replace(i, product, 1 / (lambda * without), projection);
    raiseRounding(sound ? without : 0);
  }

  /** Takes coefficient i to 0, P's column i being in {@link #product}. */
  private void strikeWeights(int i) {
    for (double[] column : weights) {
      OPS.addScaled(-column[i] / product[i], product, column, size);
      column[i] = 0;
    }
  }

  /** Strikes core point i out and closes its place: those after it move up by one. O(S²). */
  public void remove(int i) {
    strike(i);
    covariance = covariance.without(i);
    inverseGram = inverseGram.without(i);
    size--;
    measureRounding();
    for (double[] column : weights) {
      System.arraycopy(column, i + 1, column, i, size - i);
      column[size] = 0;
    }
    Arrays.fill(projection, 0);
    resize(SymmetricMatrix.room(size));
  }

  private void grow() {
    if (size == pending.length) {
      resize(SymmetricMatrix.room(size + 1));
    }
    covariance.grow();
    inverseGram.grow();
    size++;
  }

  /** What is pending stays; else all but coefficients and projection is scratch. */
  private void resize(int room) {
    pending = pendingFactor == 0 ? new double[room] : Arrays.copyOf(pending, room);
    product = new double[room];
    projection = Arrays.copyOf(projection, room);
    for (int c = 0; c < weights.length; c++) {
      weights[c] = Arrays.copyOf(weights[c], room);
    }
  }

  /** Applies the pending rank-one update. */
  public void settle() {
    if (pendingFactor != 0) {
      covariance.updateMultiply(pending, pendingFactor, pending, product);
      pendingFactor = 0;
    }
  }

  /**
   * The variance s = kᵀPk of the score of x before learning from it, in units of the loss. Must
   * precede {@link #step} for the same x; {@code kernel} are its values to all core points.
   */
  public double spread(double[] kernel) {
    covariance.updateMultiply(pending, pendingFactor, kernel, product);
    pendingFactor = 0;
    double variance = OPS.dot(product, kernel, size);
    kernelSquare = OPS.dot(kernel, kernel, size);
    double floor = floorUnder(variance);
    if (!(variance >= -floor && variance < Double.POSITIVE_INFINITY)) {
      // Rounding has made P indefinite: back to the prior.
      covariance.blend(0, 1 / lambda, inverseGram, 0);
      covariance.multiply(kernel, product);
      variance = OPS.dot(product, kernel, size);
    }
    spread = variance > floor ? variance : 0;
    return spread;
  }

  /** Back to the prior: f = 0 and P = Q/λ, the core points stay. */
  public void reset() {
    for (double[] column : weights) {
      Arrays.fill(column, 0);
    }
    covariance.blend(0, 1 / lambda, inverseGram, 0);
    pendingFactor = 0;
  }

  /**
   * Elements of P may be off by the rounding of Q/λ, its prior, whose largest is on the diagonal.
   */
  private void measureRounding() {
    double largest = 0;
    for (int i = 0; i < size; i++) {
      largest = Math.max(largest, inverseGram.diagonal(i));
    }
    rounding = ROUNDING * largest / lambda;
    roundingIsExact = true;
  }

  /**
   * No element of Q has grown by more than {@link #projection}² / residual, and 1 / residual is
   * among those. To measure would be to take in what waits for the next product. A residual of 0
   * says that nothing is known.
   */
  private void raiseRounding(double residual) {
    double most = OPS.dot(projection, projection, size) / residual;
    rounding += 2 * ROUNDING * most / lambda;
    roundingIsExact = false;
  }

  /**
   * What rounding leaves uncertain of the last variance: exact unless it is surely under {@code
   * value}.
   */
  private double floorUnder(double value) {
    if (!roundingIsExact && !(rounding * kernelSquare < value)) {
      measureRounding();
    }
    return rounding * kernelSquare;
  }

  /**
   * One step along Pk: the score of column c at x falls by s·pull[c], and P takes in the curvature
   * h &gt; 0, as far as double precision resolves it. With pull = α/(1 + h·s) it is a Newton step.
   * A score of variance 0 stays as it is.
   */
  public void step(double[] pull, double curvature) {
    if (spread == 0) {
      return;
    }
    for (int c = 0; c < weights.length; c++) {
      if (pull[c] != 0) {
        OPS.addScaled(-pull[c], product, weights[c], size);
      }
    }
    double root = Math.sqrt(1 / (Math.max(1 / curvature, floorUnder(1 / curvature)) + spread));
    for (int i = 0; i < size; i++) {
      product[i] *= root;
    }
    double[] applied = pending;
    pending = product;
    product = applied;
    pendingFactor = -1;
  }

  /**
   * Forgets a share 1 − kept of what was learned: P ← kept·P + (1−kept)·(Q − m·11ᵀ)/λ, w ← √kept·w.
   * P never exceeds Q/λ, however long it forgets. O(S²).
   *
   * <p>KRLS-T has m = 0. Then a wide kernel forgets the mean of the scores before what tells
   * instances apart. With m = 1/S² what is forgotten is k(x, y) − k̄(x)·k̄(y), k̄ being the mean
   * kernel value to the core points: of a narrow kernel nearly the same.
   */
  public void forget(double kept) {
    if (pendingFactor != 0) {
      covariance.addLater(pendingFactor, pending);
      pendingFactor = 0;
    }
    covariance.blend(kept, (1 - kept) / lambda, inverseGram, MEAN_KEPT / ((double) size * size));
    double root = Math.sqrt(kept);
    for (double[] column : weights) {
      for (int i = 0; i < size; i++) {
        column[i] *= root;
      }
    }
  }
}
