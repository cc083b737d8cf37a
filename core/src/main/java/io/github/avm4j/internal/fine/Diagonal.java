// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.fine;

import io.github.avm4j.internal.secondorder.SecondOrder;
import io.github.avm4j.internal.simd.VectorOps;
import io.github.avm4j.internal.simd.VectorOpsProvider;
import java.util.Arrays;

/**
 * {@link SecondOrder} with the diagonal of P alone: f(x) = Σ w_i·k(x, c_i), each coefficient with a
 * variance of its own and no memory of how they vary together. A step costs O(S), not O(S²).
 *
 * <p>Where core points are so far apart that K is close to the identity, that is what SecondOrder
 * does. Where many of them are near an instance, variances shrink too slowly and the scores stay
 * noisy: it is for narrow kernels.
 */
public final class Diagonal {
  private static final VectorOps OPS = VectorOpsProvider.get();

  private final double prior;
  private final double[] variances;
  private final double[] product;
  private double[][] weights;
  private double spread;

  /** Coefficients 0 of the given prior variance, in units of the loss. */
  public Diagonal(int size, int columns, double prior) {
    this.prior = prior;
    this.variances = new double[size];
    this.product = new double[size];
    this.weights = new double[columns][size];
    Arrays.fill(variances, prior);
  }

  /** An equal solver that shares nothing with this one. */
  public Diagonal copy() {
    Diagonal copy = new Diagonal(size(), 0, prior);
    System.arraycopy(variances, 0, copy.variances, 0, size());
    copy.weights = new double[columns()][];
    Arrays.setAll(copy.weights, c -> weights[c].clone());
    return copy;
  }

  /** Number of core points. */
  public int size() {
    return variances.length;
  }

  /** Number of columns. */
  public int columns() {
    return weights.length;
  }

  /** w of one column; the state itself. */
  public double[] weights(int column) {
    return weights[column];
  }

  /** The variance of each coefficient; the state itself. */
  public double[] variances() {
    return variances;
  }

  /** Bytes it holds at most. */
  public static long bytes(int size, int columns) {
    return (8L * size + 24) * (columns + 2) + 100;
  }

  /** A column a class, for three classes and more; a single column of margins is split. */
  public void setColumns(int columns) {
    boolean split = weights.length == 1 && columns > 1;
    double[][] wider = Arrays.copyOf(weights, columns);
    for (int c = split ? 0 : weights.length; c < columns; c++) {
      wider[c] = new double[size()];
    }
    if (split) {
      OPS.addScaled(-0.5, weights[0], wider[0], size());
      OPS.addScaled(0.5, weights[0], wider[1], size());
    }
    weights = wider;
  }

  /** Σ w_i·k_i of a column. */
  public double score(int column, double[] kernel) {
    return OPS.dot(weights[column], kernel, size());
  }

  /** The variance s = Σ v_i·k_i² of the score; must precede {@link #step} for the same x. */
  public double spread(double[] kernel) {
    for (int i = 0; i < variances.length; i++) {
      product[i] = variances[i] * kernel[i];
    }
    spread = OPS.dot(product, kernel, size());
    return spread;
  }

  /** The score of column c falls by s·pull[c], and the variances take in the curvature h &gt; 0. */
  public void step(double[] pull, double curvature) {
    for (int c = 0; c < weights.length; c++) {
      if (pull[c] != 0) {
        OPS.addScaled(-pull[c], product, weights[c], size());
      }
    }
    double factor = 1 / (1 / curvature + spread);
    for (int i = 0; i < variances.length; i++) {
      variances[i] -= product[i] * product[i] * factor;
    }
  }

  /** Forgets a share 1 − kept of what was learned, back to the prior. */
  public void forget(double kept) {
    double root = Math.sqrt(kept);
    for (double[] column : weights) {
      for (int i = 0; i < column.length; i++) {
        column[i] *= root;
      }
    }
    for (int i = 0; i < variances.length; i++) {
      variances[i] = kept * variances[i] + (1 - kept) * prior;
    }
  }
}
