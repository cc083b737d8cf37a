// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.secondorder;

import io.github.avm4j.feature.FeatureVector;
import io.github.avm4j.internal.coreset.CoreDistances;
import io.github.avm4j.internal.coreset.CoreSet;
import io.github.avm4j.internal.linear.Cholesky;
import io.github.avm4j.internal.simd.VectorOps;
import io.github.avm4j.internal.simd.VectorOpsProvider;
import io.github.avm4j.kernel.Kernel;
import java.util.Arrays;
import java.util.List;

/**
 * What a second-order learner knows, apart from its prior: D = P⁻¹ − λK = Σ h·k·kᵀ and b = P⁻¹w,
 * one column a score. For the squared loss they are the sums of least squares; else those of the
 * parabola that touches the loss where it was learned. Such sums add.
 *
 * <p>On another core set C they are M·D·Mᵀ and M·b with M = K(C, C_own)·K_own⁻¹: every instance as
 * its projection. M is the identity on core points that C has too, so what is moved to a larger set
 * and on to a larger one is the same as what is moved at once.
 *
 * @param points the core points they are about
 * @param matrix D
 * @param sums b, one row a column of scores
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and the arrays are its own
public record Information(List<FeatureVector> points, double[][] matrix, double[][] sums) {
  private static final VectorOps OPS = VectorOpsProvider.get();

  /** What {@code solver} knows, {@code weights} being its coefficients by column. */
  public static Information of(
      List<FeatureVector> points, SecondOrder solver, double[][] weights, double lambda) {
    solver.settle();
    int n = points.size();
    double[][] precision = new Cholesky(square(n, solver::covariance)).inverse();
    double[][] gram = new Cholesky(square(n, solver::inverseGram)).inverse();
    double[][] sums = new double[weights.length][];
    for (int c = 0; c < weights.length; c++) {
      sums[c] = product(precision, weights[c]);
    }
    for (int i = 0; i < n; i++) {
      OPS.addScaled(-lambda, gram[i], precision[i], n);
    }
    return new Information(points, precision, sums);
  }

  /** Gives a row. */
  public interface Rows {
    double[] row(int i);
  }

  /** The whole of a symmetric matrix whose lower triangle is given by rows. */
  public static double[][] square(int n, Rows rows) {
    double[][] matrix = new double[n][n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j <= i; j++) {
        matrix[i][j] = rows.row(i)[j];
        matrix[j][i] = matrix[i][j];
      }
    }
    return matrix;
  }

  private static double[] product(double[][] matrix, double[] x) {
    double[] y = new double[matrix.length];
    for (int i = 0; i < y.length; i++) {
      y[i] = OPS.dot(matrix[i], x, Math.min(x.length, matrix[i].length));
    }
    return y;
  }

  /**
   * The same about the points of {@code set}.
   *
   * @param own K_own⁻¹ by rows, of the kernel these points were learned with
   */
  public Information on(CoreSet set, List<FeatureVector> target, double[][] own, Kernel kernel) {
    int n = points.size();
    int size = set.size();
    double[][] m = new double[size][];
    double[][] cross = new double[n][];
    CoreDistances distances = new CoreDistances();
    int[] same = new int[size];
    Arrays.fill(same, -1);
    for (int j = 0; j < n; j++) {
      distances.fill(set, points.get(j), kernel);
      cross[j] = Arrays.copyOf(distances.kernel(), size);
      int nearest = distances.nearest();
      if (nearest >= 0 && distances.squared(nearest) == 0) {
        same[nearest] = j;
      }
    }
    for (int i = 0; i < size; i++) {
      m[i] = same[i] >= 0 ? unit(n, same[i]) : interpolation(cross, own, i);
    }
    double[][] half = new double[size][];
    for (int i = 0; i < size; i++) {
      half[i] = product(matrix, m[i]);
    }
    double[][] moved = new double[size][size];
    for (int i = 0; i < size; i++) {
      for (int j = 0; j <= i; j++) {
        moved[i][j] = OPS.dot(half[i], m[j], n);
        moved[j][i] = moved[i][j];
      }
    }
    double[][] movedSums = new double[sums.length][];
    for (int c = 0; c < sums.length; c++) {
      movedSums[c] = product(m, sums[c]);
    }
    return new Information(target, moved, movedSums);
  }

  private static double[] unit(int n, int at) {
    double[] row = new double[n];
    row[at] = 1;
    return row;
  }

  private static double[] interpolation(double[][] cross, double[][] own, int i) {
    int n = cross.length;
    double[] k = new double[n];
    for (int j = 0; j < n; j++) {
      k[j] = cross[j][i];
    }
    return product(own, k);
  }

  /** Adds what another, about the same points, knows, as often as {@code factor} says. */
  public void add(double factor, Information other) {
    for (int i = 0; i < matrix.length; i++) {
      OPS.addScaled(factor, other.matrix[i], matrix[i], matrix.length);
    }
    for (int c = 0; c < sums.length; c++) {
      OPS.addScaled(factor, other.sums[c], sums[c], matrix.length);
    }
  }

  /** Takes in that every target was meant to be larger by {@code shift}. */
  public void shift(double shift, double[][] own) {
    double[] ones = new double[points.size()];
    Arrays.fill(ones, shift);
    double[] change = product(matrix, product(own, ones));
    OPS.addScaled(1, change, sums[0], change.length);
  }
}
