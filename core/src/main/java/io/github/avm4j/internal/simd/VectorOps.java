// Copyright avm4j contributors. SPDX-License-Identifier: Apache-2.0
package io.github.avm4j.internal.simd;

/**
 * The inner loops: distances to core points, exponentials, weighted sums.
 *
 * <p>Core points lie in <i>tiles</i>, feature-major: {@code tile[j * width + l]} is feature {@code
 * j} of the tile's {@code l}-th core point, width 8, 16 or 32. Padding lanes hold zeros.
 *
 * <p>Implementations are stateless, allocate nothing and check arguments by {@code assert} only.
 * They agree with each other to rounding, not bit for bit: sums are associated differently. What
 * they do with NaN is undefined, and may be to take it for 0.
 */
public interface VectorOps {

  /** Upper bound on how far a result may spill beyond {@code n}; see {@link #exp}. */
  int PADDING = 16;

  /** n rounded up to a multiple of {@link #PADDING}. */
  static int padded(int n) {
    return (n + PADDING - 1) & -PADDING;
  }

  /** Short name for logs and model provenance, such as {@code scalar} or {@code panama-512}. */
  String name();

  /** out[o+l] = Σ_{j&lt;dims} (x[j] − tile[j·width+l])², l &lt; width. */
  void squaredDistances(double[] tile, int width, double[] x, int dims, double[] out, int o);

  /**
   * The same for two instances: one pass over the tile, and the same bits as two calls for one.
   *
   * @param outX distances of x
   * @param outY distances of y
   */
  default void squaredDistances(
      double[] tile,
      int width,
      double[] x,
      double[] y,
      int dims,
      double[] outX,
      double[] outY,
      int o) {
    squaredDistances(tile, width, x, dims, outX, o);
    squaredDistances(tile, width, y, dims, outY, o);
  }

  /** out[o+l] = Σ_{k&lt;nnz} values[k] · tile[indices[k]·width+l], l &lt; width. */
  void dots(double[] tile, int width, int[] indices, double[] values, int nnz, double[] out, int o);

  /** dotsThenSquared[i] ← max(0, xx + norms[i] − 2·dotsThenSquared[i]), i &lt; n. */
  void squaredFromDots(double xx, double[] norms, double[] dotsThenSquared, int n);

  /**
   * out[i] = exp(factor·in[i]), i &lt; n, for factor·in[i] ≤ 0; {@code in} may be {@code out}.
   * Within 1 ulp of StrictMath; 1 at 0; results that would be subnormal may be 0.
   *
   * <p>Elements of {@code out} from n up to the next multiple of {@link #PADDING}, if it has them,
   * are scratch afterwards.
   */
  void exp(double[] in, double factor, double[] out, int n);

  /**
   * Σ_{i&lt;n} weights[i]·exp(factor·in[i]), for factor·in[i] ≤ 0.
   *
   * <p>From n up to the next multiple of {@link #PADDING}, where both arrays have such elements,
   * weights must be 0 and in finite and of the same sign as before n. {@code scratch}, an array of
   * its own with room for n, may be overwritten.
   */
  double weightedExp(double[] in, double factor, double[] weights, double[] scratch, int n);

  /** Σ_{i&lt;n} a[i]·b[i]. */
  double dot(double[] a, double[] b, int n);

  /** Lowest index of the smallest value, −1 if n = 0. Values are ≥ 0, infinity included. */
  int nearest(double[] squared, int n);

  /** Width of the blocks on the diagonal that a symmetric matrix keeps whole. */
  int SYMMETRIC_BLOCK = 8;

  /**
   * M ← M + factor·q·qᵀ, then out = M·k, in one pass over half of M.
   *
   * <p>M is symmetric of size n: {@code rows[i]} holds its columns 0 to {@code i | 7}, that is all
   * up to the end of the diagonal block of eight, in which both halves are kept. Columns from n on
   * must be 0, q must be 0 and k finite from n up to the next multiple of eight; q, k and out must
   * have that room, and out must not be q or k. {@code lanes} is scratch of at least eight.
   */
  void updateMultiply(
      double[][] rows, int n, double[] q, double factor, double[] k, double[] out, double[] lanes);

  /**
   * M ← M + factor·q·qᵀ + sign·u·uᵀ, then out = M·k, in one pass over half of M, with the bits of
   * two calls of {@link #updateMultiply} for q and then u. What holds of q holds of u.
   */
  void updateTwiceMultiply(
      double[][] rows,
      int n,
      double[] q,
      double factor,
      double[] u,
      double sign,
      double[] k,
      double[] out,
      double[] lanes);

  /** The same with a third update, last·v·vᵀ, after the other two. */
  void updateThriceMultiply(
      double[][] rows,
      int n,
      double[] q,
      double factor,
      double[] u,
      double sign,
      double[] v,
      double last,
      double[] k,
      double[] out,
      double[] lanes);

  /**
   * out = M·k, in one pass over half of M, with the bits of {@link #updateMultiply} of factor 0. M
   * is not written to.
   */
  void multiply(double[][] rows, int n, double[] k, double[] out, double[] lanes);

  /** y[i] ← y[i] + a·x[i], i &lt; n. */
  void addScaled(double a, double[] x, double[] y, int n);
}
